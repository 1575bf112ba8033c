"""From files to histories and back: `read`, `write`, `FORMATS`."""

from linpoint.formats.read import EVENT_FORMATS, FORMATS, Source, format_named, parse_map, read
from linpoint.formats.write import WRITABLE, as_text, writable, write

__all__ = [
    "EVENT_FORMATS",
    "FORMATS",
    "WRITABLE",
    "Source",
    "as_text",
    "format_named",
    "parse_map",
    "read",
    "writable",
    "write",
]
