"""From files to histories and back: `read`, `write`, `FORMATS`."""

from linpoint.formats.read import FORMATS, Source, format_named, parse_map, read
from linpoint.formats.write import WRITABLE, as_text, writable, write

__all__ = ["FORMATS", "WRITABLE", "Source", "as_text", "format_named", "parse_map", "read", "writable", "write"]
