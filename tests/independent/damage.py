"""Ways to spoil a file, and what a reader may then still say.

Each damage takes a sound `Source` and gives bytes and a promise. `SAME`: only one event's line was spoiled, so the file is
refused, or everything that was in it is still there. `FEWER`, `MORE`: a line was taken away or doubled. `ANY`: no promise but
sober behaviour.
"""

import gzip
import random
import re
from dataclasses import dataclass

from tests.independent.files import Source

SAME, FEWER, MORE, ANY = "same", "fewer", "more", "any"


@dataclass
class Spoiled:
    """A damaged file."""

    data: bytes
    promise: str
    damage: str
    line: int | None = None  # counted from 1


def split(source: Source) -> list[bytes]:
    return source.data.split(b"\n")


def on_one_line(source: Source, rng: random.Random, name: str) -> Spoiled | None:
    """One event's line is spoiled."""
    if not source.events:
        return None
    lines = split(source)
    place = rng.choice(source.events)
    before = lines[place]
    after = LINE_DAMAGES[name](before, rng, source)
    if after is None or after == before or silent(after) or as_good(source.format, after):
        return None
    lines[place] = after
    return Spoiled(b"\n".join(lines), SAME, name, place + 1)


#: What is left of an event in a log, when it can still be told from the logger's other lines.
LOGGED = re.compile(rb":(invoke|ok|fail|info)\b")


def as_good(format_: str, line: bytes) -> bool:
    """Spoiled beyond recognition, or into another sound line: nothing can be demanded of it."""
    if format_ == "jepsen-log":
        return not LOGGED.search(line)
    if format_ == "violat":
        return b'"arguments": []' in line and b'"offer"' in line
    return format_ == "violin" and re.fullmatch(rb"\s*\[\d+\] (call \w+(\(\))?|return)\s*", line) is not None


def silent(line: bytes) -> bool:
    """Blank lines and comments are documented to say nothing."""
    bare = line.strip()
    return not bare or bare.startswith((b"#", b"//", b";")) or b"\n" in line or b"\r" in line


def flip(line: bytes, rng: random.Random, source: Source) -> bytes:
    place = rng.randrange(len(line))
    return line[:place] + bytes([line[place] ^ 1 << rng.randrange(7)]) + line[place + 1 :]


def other_byte(line: bytes, rng: random.Random, source: Source) -> bytes:
    place = rng.randrange(len(line))
    return line[:place] + bytes([rng.choice(b" \t,:[]{}()\"'\\-.0;#abz\xff\x00\x1b")]) + line[place + 1 :]


def lose_byte(line: bytes, rng: random.Random, source: Source) -> bytes:
    place = rng.randrange(len(line))
    return line[:place] + line[place + 1 :]


def cut(line: bytes, rng: random.Random, source: Source) -> bytes | None:
    return line[: rng.randrange(1, len(line))] if len(line) > 1 else None


def behead(line: bytes, rng: random.Random, source: Source) -> bytes | None:
    if source.format == "jepsen-log":
        return None  # what stands before the process belongs to the logger
    return line[rng.randrange(1, len(line)) :] if len(line) > 1 else None


def garbage(line: bytes, rng: random.Random, source: Source) -> bytes:
    return line + rng.choice([b"}", b" x", b",", b"]", b" {}", b"\\", b"\xc3", b' "'])


NAMES = re.compile(rb'"(process|f|value|result|call|return|type|key)":|:(process|type|f|value|key)\b')


def misspell(line: bytes, rng: random.Random, source: Source) -> bytes | None:
    """A field's name with one letter changed, lost, doubled or in capitals."""
    names = list(NAMES.finditer(line))
    if not names:
        return None
    found = rng.choice(names)
    group = 1 if found.group(1) else 2
    start, end = found.span(group)
    name = line[start:end]
    place = rng.randrange(len(name))
    new = rng.choice(
        [
            name[:place] + bytes([rng.choice(b"abcdeinorst")]) + name[place + 1 :],
            name[:place] + name[place + 1 :],
            name[:place] + name[place : place + 1] * 2 + name[place + 1 :],
            name.upper(),
            name[: place + 1] + name[place : place + 1].swapcase() + name[place + 1 :],
        ]
    )
    if len(name) == 1 and source.format != "jsonl":
        new = b"g"
    return line[:start] + new + line[end:] if new and new != name else None


def number(line: bytes, rng: random.Random, source: Source) -> bytes | None:
    """Another number: too large, too precise, not a number."""
    numbers = list(re.finditer(rb"(?<=[:\s,\[(])-?\d+(?=[,\s\])}]|$)", line))
    if not numbers:
        return None
    start, end = rng.choice(numbers).span()
    new = rng.choice(
        [
            b"1" + b"0" * 400,
            b"1e999",
            b"-1e999",
            b"NaN",
            b"Infinity",
            b"1e-999",
            b"0.1",
            b"-0",
            b"01",
            b"0x10",
            b"1_000",
            b"9" * 30,
        ]
    )
    return line[:start] + new + line[end:]


def deep(line: bytes, rng: random.Random, source: Source) -> bytes | None:
    numbers = list(re.finditer(rb"(?<=[:\s,\[(])-?\d+(?=[,\s\])}]|$)", line))
    if not numbers:
        return None
    start, end = rng.choice(numbers).span()
    depth = rng.choice([50, 500, 5000, 100_000])
    opening, closing = rng.choice([(b"[", b"]"), (b"[", b""), (b'{"a":', b"}")])
    return line[:start] + opening * depth + b"1" + closing * depth + line[end:]


LINE_DAMAGES = {
    "flip": flip,
    "other byte": other_byte,
    "lost byte": lose_byte,
    "cut line": cut,
    "beheaded line": behead,
    "garbage at the end": garbage,
    "misspelt name": misspell,
    "number": number,
    "nesting": deep,
}


def delete_line(source: Source, rng: random.Random) -> Spoiled | None:
    if not source.events:
        return None
    lines = split(source)
    place = rng.choice(source.events)
    del lines[place]
    return Spoiled(b"\n".join(lines), FEWER, "line deleted", place + 1)


def double_line(source: Source, rng: random.Random) -> Spoiled | None:
    if not source.events:
        return None
    lines = split(source)
    place = rng.choice(source.events)
    lines.insert(place, lines[place])
    return Spoiled(b"\n".join(lines), MORE, "line doubled", place + 1)


def swap_lines(source: Source, rng: random.Random) -> Spoiled | None:
    if len(source.events) < 2:
        return None
    lines = split(source)
    first, second = rng.sample(source.events, 2)
    lines[first], lines[second] = lines[second], lines[first]
    return Spoiled(b"\n".join(lines), SAME, "lines swapped")


def rename_everywhere(source: Source, rng: random.Random) -> Spoiled | None:
    names = sorted({found.group(1) or found.group(2) for found in NAMES.finditer(source.data)})
    if not names:
        return None
    old = rng.choice(names)
    new = rng.choice([old + b"s", old[:-1], old.upper(), b"x" + old, *names])
    data = re.sub(rb'([":])' + old + rb"\b", rb"\1" + new, source.data)
    return Spoiled(data, ANY, "field renamed everywhere")


def swap_columns(source: Source, rng: random.Random) -> Spoiled | None:
    separator = b"\t" if source.format == "jepsen-log" else b","
    lines = []
    for line in split(source):
        cells = line.split(separator)
        if len(cells) > 2:
            cells[0], cells[-1] = cells[-1], cells[0]
        lines.append(separator.join(cells))
    return Spoiled(b"\n".join(lines), ANY, "columns swapped")


def bytes_at_random(source: Source, rng: random.Random) -> Spoiled | None:
    data = bytearray(source.data)
    for _ in range(rng.randint(1, 8)):
        if data:
            data[rng.randrange(len(data))] = rng.randrange(256)
    return Spoiled(bytes(data), ANY, "bytes at random")


def truncated(source: Source, rng: random.Random) -> Spoiled | None:
    return Spoiled(source.data[: rng.randrange(len(source.data))], ANY, "truncated")


def chunk(source: Source, rng: random.Random) -> Spoiled | None:
    start, end = sorted(rng.randrange(len(source.data) + 1) for _ in range(2))
    middle = source.data[start:end]
    data = source.data[:start] + (middle * 2 if rng.random() < 0.5 else b"") + source.data[end:]
    return Spoiled(data, ANY, "a piece lost or doubled")


def encoded(source: Source, rng: random.Random) -> Spoiled | None:
    text = source.data.decode("utf-8")
    data = rng.choice(
        [text.encode("utf-16"), text.encode("latin-1", "replace"), b"\xef\xbb\xbf" + source.data, b"\x00" + source.data]
    )
    return Spoiled(data, ANY, "another encoding")


def line_ends(source: Source, rng: random.Random) -> Spoiled | None:
    return Spoiled(source.data.replace(b"\n", b"\r\n"), SAME, "CR LF")


def zipped(source: Source, rng: random.Random) -> Spoiled | None:
    data = bytearray(gzip.compress(source.data, mtime=0))
    if rng.random() < 0.2:
        return Spoiled(bytes(data), SAME, "gzip")
    if rng.random() < 0.5:
        return Spoiled(bytes(data[: rng.randrange(2, len(data))]), ANY, "gzip cut")
    data[rng.randrange(2, len(data))] ^= 1 << rng.randrange(8)
    return Spoiled(bytes(data), ANY, "gzip spoiled")


FILE_DAMAGES = [
    delete_line,
    double_line,
    swap_lines,
    rename_everywhere,
    swap_columns,
    bytes_at_random,
    truncated,
    chunk,
    encoded,
    line_ends,
    zipped,
]


def spoil(source: Source, rng: random.Random) -> Spoiled:
    """One damage."""
    while True:
        if rng.random() < 0.6:
            spoiled = on_one_line(source, rng, rng.choice(list(LINE_DAMAGES)))
        else:
            spoiled = rng.choice(FILE_DAMAGES)(source, rng)
        if spoiled is not None:
            return spoiled
