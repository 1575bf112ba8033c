"""Formulas for people: as indented sentences, and in the notation of Hennessy and Milner.

A formula shares its parts, so written out it can be far longer than it is; both forms stop in time and say so.
Neither recurses: a formula can be as deep as the systems are large.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Node = tuple[str, tuple[int, ...], str | None]
"""(kind, parts, label); parts are numbers of earlier nodes, node 0 is true."""

LONGEST = 2000
"""Characters of a formula in logic."""

_MORE = "…"


def in_words(nodes: Sequence[Node], equivalence: str, lines: int) -> str:
    """The formula as sentences, one per line, two blanks deeper for what holds of the state that a step leads to."""
    found: list[str] = []
    for depth, sentence in _sentences(nodes, equivalence):
        if len(found) == lines:
            found.append("  " * (depth + 1) + _MORE)
            break
        found.append("  " * (depth + 1) + sentence)
    return "\n".join(found)


def _sentences(nodes: Sequence[Node], equivalence: str) -> Iterator[tuple[int, str]]:
    stack: list[tuple[int, str | int, bool]] = [(0, len(nodes) - 1, True)]
    while stack:
        depth, item, wanted = stack.pop()
        if isinstance(item, str):
            yield depth, item
            continue
        kind, parts, label = nodes[item]
        if kind == "not":
            stack.append((depth, parts[0], not wanted))
        elif kind == "all" and (wanted or len(parts) == 1):
            stack.extend((depth, part, wanted) for part in reversed(parts))
        elif kind == "all":
            yield depth, "not all of this:" if parts else "nothing: this is never true"
            stack.extend((depth + 1, part, True) for part in reversed(parts))
        else:
            stack.extend(reversed(_step(depth, parts, wanted)))
            yield depth, _deed(kind, label, equivalence, wanted, parts[-1] != 0 and kind == "step")


def _step(depth: int, parts: tuple[int, ...], wanted: bool) -> list[tuple[int, str | int, bool]]:
    """What is said of the states on the way and of the state afterwards."""
    through, *then = parts
    said: list[tuple[int, str | int, bool]] = []
    if then and then[0] != 0:
        said.append((depth + 1, then[0], True))
    if through != 0:
        said.append((depth, "on the way through states that", wanted))
        said.append((depth + 1, through, True))
    return said


def _deed(kind: str, label: str | None, equivalence: str, wanted: bool, goes_on: bool) -> str:
    """A step in words: `do "push(1)", after any internal steps, and then`."""
    able = "can" if wanted else "cannot"
    if kind == "diverges":
        return f"{able} take internal steps for ever"
    silent = equivalence != "strong"
    if label is None:
        deed = "come by internal steps, or none," if silent else "take an internal step"
    else:
        deed = f'do "{label}"' + (" after any internal steps" if silent else "")
    to = " to a state that" if goes_on else ""
    return f"{able} {deed}{to}" if goes_on or label is not None or not silent else f"{able} stay"


def in_logic(nodes: Sequence[Node]) -> str:
    """The formula in one line. Node 0 is ⊤; `φ⟨a⟩ψ` is a step `a` to ψ after internal steps through φ."""
    texts: list[str] = []
    for kind, parts, label in nodes:
        inner = [texts[part] for part in parts]
        name = "τ" if label is None else label
        if kind == "all":
            text = " ∧ ".join(inner) if inner else "⊤"
            text = f"({text})" if len(inner) > 1 else text
        elif kind == "not":
            text = f"¬{inner[0]}"
        else:
            through = "" if parts[0] == 0 else inner[0]
            then = "" if kind == "diverges" or parts[1] == 0 else inner[1]
            text = f"{through}⟨{'τ^ω' if kind == 'diverges' else name}⟩{then}"
        texts.append(text if len(text) <= LONGEST else _MORE)
    return texts[-1]
