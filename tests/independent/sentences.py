"""Is every sentence of a report true?

`examine` walks through the lines that `print(result)`, `linpoint check` or `linpoint explain` wrote. Each line must match one of
the forms below, and each form has a function that checks what it says against the brute force. A line that matches none is a
fault as well: a new sentence needs a new check. `counts` says how often each form was checked.
"""

import collections
import contextlib
import random
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from tests.independent.brute import NEVER, Op, System, TooMany, search
from tests.independent.generate import thaw
from tests.independent.objects import AnyOf, Marker, Optional, agrees
from tests.independent.own import OwnSystem

Counts = collections.Counter[str]

REFERENCE = re.compile(
    r"^(?P<text>.*) \(process (?P<process>.*), operation (?P<number>\d+)(?:, line (?P<line>\d+))?\)$", re.S
)


#: How many subsets are tried where not all can be.
SAMPLES = 60


class Untrue(Exception):
    """A sentence that does not hold, or that nobody can check."""


class Report:
    """One report, read line by line."""

    def __init__(self, text: str, system: System, labels: list[str], counts: Counts) -> None:
        self.system, self.labels, self.counts = system, labels, counts
        self.lines = text.rstrip("\n").split("\n")
        self.at = 0
        self.accused: int | None = None
        self.members: list[int] = []
        self.claims_all = False  # "whatever else happened"
        self.marks: list[str] = []

    def read(self) -> None:
        """Checks every line."""
        while self.at < len(self.lines):
            line = self.lines[self.at]
            self.at += 1
            if not line.strip():
                continue
            for pattern, check in FORMS:
                found = pattern.match(line)
                if found:
                    self.counts[f"sentence: {check.__name__}"] += 1
                    check(self, found)
                    break
            else:
                raise Untrue(f"a sentence that is not known: {line!r}")

    def following(self, indent: str) -> list[str]:
        """The indented lines that belong to the sentence."""
        lines = []
        while self.at < len(self.lines) and self.lines[self.at].startswith(indent):
            lines.append(self.lines[self.at][len(indent) :])
            self.at += 1
        return lines

    def operation(self, reference: str) -> int:
        """The operation that is meant by `text (process, operation, line)`."""
        found = REFERENCE.match(reference)
        if not found:
            raise Untrue(f"not an operation: {reference!r}")
        number = int(found["number"])
        if number >= len(self.labels) or self.labels[number] != found["text"]:
            raise Untrue(f"operation {number} is not {found['text']!r}")
        process = self.system.ops[number].record["process"]
        if found["process"] not in (str(process), f'"{process}"'):
            raise Untrue(f"operation {number} is by process {process}, not {found['process']}")
        if found["line"] is not None and int(found["line"]) != number + 1:
            raise Untrue(f"operation {number} is not on line {found['line']}")
        return number

    def labelled(self, text: str) -> list[int]:
        """The operations that read like this."""
        return [number for number, label in enumerate(self.labels) if label == text]

    def orders(self, text: str, allowed: list[int], fits: Callable[[list[int], int], bool]) -> Iterator[list[int]]:
        """The ways to read `a, b, c` as an order in which each operation `fits` behind those before it.

        Equal texts may mean either of several operations; `op → ?` means one whose result is not looked at.
        """
        names = {number: {self.labels[number], self.labels[number].split(" → ")[0] + " → ?"} for number in allowed}
        seen: set[tuple[int, frozenset[int]]] = set()

        def extend(rest: str, so_far: list[int]) -> Iterator[list[int]]:
            if (len(rest), frozenset(so_far)) in seen:
                return
            seen.add((len(rest), frozenset(so_far)))
            for number in allowed:
                if number in so_far or not fits(so_far, number):
                    continue
                for name in names[number]:
                    if rest == name:
                        yield [*so_far, number]
                    elif rest.startswith(name + ", "):
                        yield from extend(rest[len(name) + 2 :], [*so_far, number])

        yield from extend(text, [])


# --- one function per form ---------------------------------------------------------------------------------------------------


def headline(report: Report, found: re.Match[str]) -> None:
    """VIOLATION (model): no order explains OPERATION."""
    if found["what"] == "the results":
        raise Untrue("no operation is accused")
    report.accused = report.operation(found["what"])
    if search(report.system, report.system.happened).ok:
        raise Untrue("there is an order")


def linearizable(report: Report, found: re.Match[str]) -> None:
    """LINEARIZABLE (model): one order explains all 8 operations."""
    said = int(found["many"])
    if said not in (len(report.system.ops), len(report.system.happened)):
        raise Untrue(f"{said} operations? There are {len(report.system.ops)}")


def whatever_else(report: Report, found: re.Match[str]) -> None:
    """These 3 operations of 5 contradict each other, whatever else happened: any subset of the rest may be added back."""
    members(report, found)
    report.claims_all = True
    others = [number for number in report.system.happened if number not in report.members]
    order = with_some(report.system, report.members, others, report.counts)
    if order is not None:
        raise Untrue(f"whatever else happened? There is an order with some of the others: {order}")


def with_some(system: System, members: list[int], others: list[int], counts: Counts) -> tuple[int, ...] | None:
    """An order of the members with some of the others; by samples where there are too many configurations for all subsets."""
    try:
        found = search(system, members, others).order
        counts["added back: every subset"] += 1
        return found
    except TooMany:
        counts["added back: samples"] += 1
    rng = random.Random(repr(members))
    for _ in range(SAMPLES):
        share = rng.random()
        some = [number for number in others if rng.random() < share]
        with contextlib.suppress(TooMany):
            found = search(system, [*members, *some]).order
            if found is not None:
                return found
    return None


def members(report: Report, found: re.Match[str]) -> None:
    """The operations that follow are as many as was said, and the accused one is among them."""
    said = 1 if found["many"] == "This" else int(found["many"].split()[-1])
    lines = report.following("  ")
    if lines and PENDING.match(lines[-1]):
        report.at -= 1
        lines.pop()
    more = re.fullmatch(r"… and (\d+) more", lines[-1]) if lines else None
    shown = lines[:-1] if more else lines
    report.members = [report.operation(line) for line in shown]
    if len(set(report.members)) != len(report.members) or len(report.members) + int(more[1] if more else 0) != said:
        raise Untrue(f"{said} operations were announced, {len(report.members)} are listed")
    if int(found["total"]) != len(report.system.ops):
        raise Untrue(f"of {found['total']} operations? There are {len(report.system.ops)}")
    if report.accused not in report.members:
        raise Untrue("the accused operation is not part of the counterexample")


def explained_before(report: Report, found: re.Match[str]) -> None:
    """Every return before X is explained by this order, where it does not fit."""
    if report.accused is None or report.labels[report.accused] != found["what"]:
        raise Untrue(f"another operation than the accused one: {found['what']}")
    accused = report.system.ops[report.accused]
    while report.at < len(report.lines) and report.lines[report.at].startswith("  "):
        text = report.lines[report.at][2:]
        if text.startswith("("):  # a remark of its own, see below
            if text != "(nothing before it)":
                return
            text = ""
        report.at += 1
        order(report, accused, text)


def order(report: Report, accused: Op, text: str) -> None:
    """One order, and what it leaves."""
    system = report.system
    earlier = re.match(r"… (\d+) earlier, then (.*)", text, re.S)
    tail = earlier[2] if earlier else text
    orders = list(islice(report.orders(tail, system.happened, in_time(system)), 200)) if text else [[]]
    note = report.lines[report.at].strip() if report.at < len(report.lines) else ""
    left = re.match(r"leaves (?P<state>.*): (?P<then>.*)$", note)
    if not orders or not left:
        raise Untrue(f"not an order and what it leaves: {text!r} {note!r}")
    report.at += 1
    report.counts["an order and what it leaves"] += 1
    if earlier:
        report.counts["an order of which only the end is shown"] += 1
        return
    reasons = [why_not(report, accused, numbers, left["then"]) for numbers in orders]
    if all(reasons):
        raise Untrue(f"{text!r} {note!r}: {reasons[0]}")


def why_not(report: Report, accused: Op, order: list[int], then: str) -> str | None:
    """Why this order does not do what the sentence says; None if it does."""
    system = report.system
    if accused.number in order:
        return "the accused operation is in it"
    if not system.in_time(order) or any(accused.before(system.ops[number]) for number in order):
        return "against the order of time"
    missing = [
        number
        for number in report.members
        if system.ops[number].end < accused.end and number not in order and number != accused.number
    ]
    if missing and report.members:
        return f"operation {missing[0]} returned before and is not in it"
    states = system.replay(order)
    if not states:
        return "it is not possible"
    if any(system.step(state, accused) for state in states):
        return "the accused operation fits there"
    return answer(report, accused, states, then)


def answer(report: Report, accused: Op, states: list[Any], then: str) -> str | None:
    """`read would answer 2`: what the object says in a state that is left."""
    wanted = re.match(r"(?P<f>\S+) would answer (?P<answer>.*)$", then, re.S)
    if not wanted or isinstance(report.system, OwnSystem):
        return None
    report.counts["what it would answer"] += 1
    possible = [outcome for state in states for outcome in answers(report.system, accused, state)]
    if any(reads_like(outcome, wanted["answer"]) for outcome in possible):
        return None
    return f"it would answer {possible}"


def answers(system: System, op: Op, state: Any) -> list[Any]:
    return [said for _, said in system.object.step(state[op.where], op.f, op.value, None)]


def reads_like(answer: Any, text: str) -> bool:
    """Is this text one way to write the answer?"""
    if isinstance(answer, Marker):
        return text in ("null", '"empty"', "empty", "nothing") or "empty" in text
    if isinstance(answer, Optional):
        return reads_like(answer.answer, text)
    if isinstance(answer, AnyOf):
        return any(reads_like(one, text) for one in answer.answers)
    return squeezed(
        str(thaw(answer)).replace("True", "true").replace("False", "false").replace("None", "null")
    ) == squeezed(text)


def squeezed(text: str) -> str:
    return re.sub(r"[\s\"']", "", text)


def nothing_left_it(report: Report, found: re.Match[str]) -> None:
    """Nothing that was called before it returned left what X needs: no order of some of the others lets it fit."""
    if report.accused is None:
        raise Untrue("nobody is accused")
    accused = report.system.ops[report.accused]
    others = [n for n in report.system.happened if n != accused.number and report.system.ops[n].call <= accused.end]
    if search(report.system, [accused.number], others).ok:
        raise Untrue("some of the others, in some order, leave what it needs")


def last_to_leave_it(report: Report, found: re.Match[str]) -> None:
    """The last to leave what X needs was Y: X fits after Y in some order of some of the operations."""
    number = report.operation(found["who"])
    if report.accused is None or number == report.accused:
        raise Untrue("by itself?")


def sequentially_consistent(report: Report, found: re.Match[str]) -> None:
    """Not linearizable, but these operations are sequentially consistent: the order of each process is kept."""
    system = report.system
    among = report.members or system.happened
    done = {number for number in among if system.ops[number].status == "ok"}
    for order in islice(report.orders(found["order"], among, in_program_order(system)), 200):
        if done <= set(order) and system.replay(order):
            return
    raise Untrue(f"not sequentially consistent: {found['order']}")


def in_program_order(system: System) -> Callable[[list[int], int], bool]:
    """May this operation stand behind those, by the order of its process?"""

    def fits(before: list[int], number: int) -> bool:
        op = system.ops[number]
        mine = (system.ops[other] for other in before if system.ops[other].record["process"] == op.record["process"])
        return not any(op.before(other) for other in mine)

    return fits


def in_time(system: System) -> Callable[[list[int], int], bool]:
    """May this operation stand behind those, by the order of time?"""
    return lambda before, number: not any(system.ops[number].before(system.ops[other]) for other in before)


def shown_part(report: Report, found: re.Match[str]) -> None:
    """Shown: the N of M operations that are on a key."""
    if int(found["total"]) != len(report.system.ops):
        raise Untrue(f"of {found['total']}?")


def bystanders(report: Report, found: re.Match[str]) -> None:
    """(2 pending operations in view cannot help and are not shown)."""
    pending = sum(op.status == "pending" for op in report.system.ops)
    if int(found["many"]) > pending:
        raise Untrue(f"there are only {pending} pending operations")


def picture(report: Report, found: re.Match[str]) -> None:
    """The timeline: one ✗, at the accused operation."""
    line = found.group(0)
    if "✗ cannot be explained" in line and not re.match(r"\S", line):
        return
    report.marks += line.split("✗ ")[1:]


def footer(report: Report, found: re.Match[str]) -> None:
    """(method, time, configurations; confirmed by trying all orders)."""
    if "confirmed by trying all orders" in found.group(0):
        report.counts["confirmed by trying all orders"] += 1
        if report.members and search(report.system, report.members).ok:
            raise Untrue("confirmed, but the counterexample has an order")


PENDING = re.compile(r"^ *\((?P<many>\d+) pending operations? in view cannot help and (is|are) not shown\)$")

Form = tuple[re.Pattern[str], Callable[[Report, re.Match[str]], None]]

FORMS: list[Form] = [
    (re.compile(r"^LINEARIZABLE \((?P<model>.*)\): one order explains (all )?(?P<many>\d+) operations?"), linearizable),
    (re.compile(r"^VIOLATION \((?P<model>.*)\): no order explains (?P<what>.*)$", re.S), headline),
    (
        re.compile(
            r"^(?P<many>This|These \d+) operations? of (?P<total>\d+) contradicts? .*, whatever else happened:$"
        ),
        whatever_else,
    ),
    (re.compile(r"^Every return before (?P<what>.*) is explained by .*:$"), explained_before),
    (re.compile(r"^Nothing that was called before it returned left what (?P<what>.*) needs\.$"), nothing_left_it),
    (re.compile(r"^The last to leave what (?P<what>.*) needs was (?P<who>.*): overwritten since\.$"), last_to_leave_it),
    (
        re.compile(r"^Not linearizable, but these operations are sequentially consistent: (?P<order>.*)$"),
        sequentially_consistent,
    ),
    (re.compile(r"^Shown: the (?P<many>\d+) of (?P<total>\d+) operations that are on .*$"), shown_part),
    (PENDING, bystanders),
    (re.compile(r"^\((?P<method>[a-z-]+), .* configurations?.*\)$"), footer),
    (re.compile(r"^(p\d+|\S.*?|)  +.*$"), picture),
]


def marked(report: Report) -> None:
    """The picture accuses whom the headline accuses."""
    if report.accused is None or not report.marks:
        return
    report.counts["picture: one mark"] += 1
    label = report.labels[report.accused]
    if len(report.marks) != 1:
        raise Untrue(f"{len(report.marks)} operations are marked")
    shown = re.split(r"  +|…", report.marks[0])[0]
    if not label.startswith(shown) and not shown.startswith(label):
        raise Untrue(f"the picture accuses {report.marks[0]!r}, the headline {label!r}")


def examine(text: str, system: System, labels: list[str], counts: Counts) -> Report:
    """Raises Untrue at the first sentence that does not hold."""
    report = Report(text, system, labels, counts)
    report.read()
    marked(report)
    return report


__all__ = ["NEVER", "Counts", "Report", "Untrue", "agrees", "examine"]
