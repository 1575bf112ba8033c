"""Where in a method is the compiler? The method's variables, the loops and `with` blocks around the present statement."""

from __future__ import annotations

from dataclasses import dataclass, field

from linpoint.language.assemble import Label
from linpoint.language.infer import Kinds


@dataclass
class Loop:
    """A loop around the present statement."""

    again: Label
    end: Label
    depth: int
    """How many `with` blocks were open where it began."""
    breaks: list[set[str]] = field(default_factory=list)
    """Which variables have a value at each `break`."""


@dataclass
class Block:
    """An open `with` block: of a lock, or atomic if it has no place."""

    place: tuple[int, int, int, int, int] | None


@dataclass
class Frame:
    """One method while its body is compiled: an operation, or a helper at one of its calls."""

    name: str
    locals: dict[str, int]
    """The operand of each variable: a register; for a parameter that is never changed also the caller's operand."""
    results: list[int] | None
    """Where a helper leaves its results; None for an operation, which returns."""
    end: Label | None
    kinds: Kinds = field(default_factory=lambda: Kinds({}))
    assigned: set[str] | None = field(default_factory=set)
    """Variables that have a value on every way to here; None if there is no way to here."""
    loops: list[Loop] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    in_atomic: bool = False
    returned: list[bool] = field(default_factory=list)
    """One entry for each way to the end of a helper."""
