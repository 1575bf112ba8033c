"""From files to histories and back: `read`, `write`, `FORMATS`."""

from linpoint.formats.read import FORMATS, Source, format_named, read
from linpoint.formats.write import WRITABLE, writable, write

__all__ = ["FORMATS", "WRITABLE", "Source", "format_named", "read", "writable", "write"]
