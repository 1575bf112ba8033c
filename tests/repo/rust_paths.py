"""Which modules does a Rust file name? Every path in it, written out from the root of its crate.

Imports are read as rustc reads them: groups, `self`, `super`, `as`, globs, and names that another file re-exports. So
`use crate::{breadth, depth as d}` names both modules, and a later `d::Depth` names `depth` again. Macros are not expanded.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

Module = tuple[str, ...]

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"", re.DOTALL)
USE = re.compile(r"\b(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);")
PATH = re.compile(r"(?<![\w:])(\w+(?:\s*::\s*\w+)+)")


@dataclass
class Source:
    """One file: its module, what its imports call what, the modules whose every name it takes, and its other paths."""

    module: Module
    names: dict[str, Module] = field(default_factory=dict)
    globs: list[Module] = field(default_factory=list)
    exports: set[str] = field(default_factory=set)
    paths: list[Module] = field(default_factory=list)


def module_of(path: Path, root: Path) -> Module:
    """`lib.rs` is the root; `monitor.rs`, `monitor/mod.rs` are `monitor`; `monitor/queue.rs` is `monitor::queue`."""
    parts = path.relative_to(root).with_suffix("").parts
    return () if parts == ("lib",) else parts[:-1] if parts[-1] == "mod" else parts


def leaves(tree: str) -> Iterator[tuple[Module, str]]:
    """`a::{b, c as d}` → (a b, b), (a c, d): each path that an import names, and what it is called then."""
    tree = tree.strip()
    if "{" not in tree:
        path, _, alias = (part.strip() for part in tree.partition(" as "))
        segments = tuple(part.strip() for part in path.split("::"))
        if segments[-1] == "self" and len(segments) > 1:
            segments = segments[:-1]
        yield segments, alias or segments[-1]
        return
    head, _, group = tree.partition("{")
    prefix = tuple(part.strip() for part in head.strip().removesuffix("::").split("::") if part.strip())
    for member in split(group.rstrip().removesuffix("}")):
        for path, name in leaves(member):
            inner = () if path == ("self",) else path
            yield prefix + inner, prefix[-1] if path == ("self",) and name == "self" else name


def split(group: str) -> Iterator[str]:
    """The members of a group: commas of inner groups do not part them."""
    depth, start = 0, 0
    for place, char in enumerate(group + ","):
        depth += (char == "{") - (char == "}")
        if char == "," and depth == 0:
            if group[start:place].strip():
                yield group[start:place]
            start = place + 1


def absolute(path: Module, module: Module) -> Module | None:
    """The path from the root of the crate; None where it starts with a name."""
    if path[0] not in ("crate", "self", "super"):
        return None
    at: Module = () if path[0] == "crate" else module
    for place, segment in enumerate(path):
        if segment == "super":
            at = at[:-1]
        elif segment not in ("crate", "self"):
            return at + path[place:]
    return at


def parse(path: Path, root: Path) -> Source:
    """What one file imports and names."""
    source = Source(module_of(path, root))
    text = COMMENT.sub(" ", path.read_text(encoding="utf-8"))
    for public, tree in USE.findall(text):
        for segments, name in leaves(tree):
            known = absolute(segments, source.module)
            target = segments if known is None else known
            if name == "*":
                source.globs.append(target[:-1])
            else:
                source.names[name] = target
                source.exports |= {name} if public else set()
    rest = USE.sub(" ", text)
    source.paths = [tuple(re.split(r"\s*::\s*", found)) for found in PATH.findall(rest)]
    return source


def named(root: Path) -> Iterator[tuple[Module, set[Module]]]:
    """Each file of a crate's `src` with every path that it names, re-exports followed."""
    sources = [parse(path, root) for path in sorted(root.rglob("*.rs"))]
    exports = {(*source.module, name): source.names[name] for source in sources for name in source.exports}
    for source in sources:
        found = set(source.names.values()) | set(source.globs)
        for path in source.paths:
            known = absolute(path, source.module)
            if known is None and path[0] in source.names:
                known = source.names[path[0]] + path[1:]
            found |= {known} if known is not None else {scope + path for scope in [source.module, *source.globs]}
        yield source.module, found | {followed(path, exports) for path in found}


def followed(path: Module, exports: dict[Module, Module]) -> Module:
    """Where a path leads once every re-export on it is replaced by what it stands for."""
    for _ in range(len(exports)):
        for end in range(len(path), 0, -1):
            target = exports.get(path[:end])
            if target is not None and target != path[:end]:
                path = target + path[end:]
                break
        else:
            return path
    return path
