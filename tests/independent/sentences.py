"""Does every sentence say what the explanation knows, and is it true?

`examine` walks through the lines of `print(lp.explain(result))`, `linpoint check` or `linpoint explain`. Each line must match
one of the forms below. A form is compared with the fields of the explanation, which `claims.py` compares with the brute force;
what has no field is checked here. A line that matches no form is a fault as well: a new sentence needs a new check. `counts`
says how often each form was met.
"""

import re
from collections.abc import Callable
from typing import Any

from tests.independent.brute import Op, System
from tests.independent.claims import Counts, Explanation, Untrue, looks
from tests.independent.generate import thaw
from tests.independent.objects import AnyOf, Marker, Optional
from tests.independent.own import OwnSystem

REFERENCE = re.compile(
    r"(?P<text>.*) \(process (?P<process>.*), operation (?P<number>\d+)(?:, line (?P<line>\d+))?\)", re.S
)


EFFECTIVE = " still open and already in effect"


class Report:
    """One report, read line by line."""

    def __init__(self, text: str, said: Explanation | None, system: System, labels: list[str], counts: Counts) -> None:
        self.said, self.system, self.labels, self.counts = said, system, labels, counts
        self.lines = text.rstrip("\n").split("\n")
        self.at = 0
        self.marks: list[str] = []
        self.seen: set[str] = set()

    @property
    def explanation(self) -> Explanation:
        if self.said is None:
            raise Untrue("words about a violation where there is none")
        return self.said

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
                    self.seen.add(check.__name__)
                    check(self, found)
                    break
            else:
                raise Untrue(f"a sentence that is not known: {line!r}")

    def indented(self) -> list[str]:
        """The lines that belong to the sentence."""
        lines = []
        while self.at < len(self.lines) and self.lines[self.at].startswith("  "):
            lines.append(self.lines[self.at][2:])
            self.at += 1
        return lines

    def operation(self, reference: str) -> int:
        """The operation that is meant by `text (process, operation, line)`."""
        found = REFERENCE.fullmatch(reference)
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

    def spelt(self, order: list[int]) -> str:
        return ", ".join(self.labels[number] for number in order)


# --- one function per form ---------------------------------------------------------------------------------------------------


def linearizable(report: Report, found: re.Match[str]) -> None:
    """LINEARIZABLE (model): one order explains all 8 operations."""
    done = sum(op.status == "ok" for op in report.system.ops)
    if not done <= int(found["many"]) <= len(report.system.ops):
        raise Untrue(f"{found['many']} operations? There are {len(report.system.ops)}")


def headline(report: Report, found: re.Match[str]) -> None:
    """VIOLATION (model): no order explains OPERATION."""
    if report.operation(found["what"]) != report.explanation["accused"]:
        raise Untrue(f"the headline accuses {found['what']}, the explanation {report.explanation['accused']}")


def whatever_else(report: Report, found: re.Match[str]) -> None:
    """These 3 operations of 5 contradict each other, whatever else happened."""
    if report.explanation["claim"] != "whatever else happened":
        raise Untrue("whatever else happened? The explanation does not claim that")
    if int(found["total"]) != len(report.system.ops):
        raise Untrue(f"of {found['total']} operations? There are {len(report.system.ops)}")
    members(report, found["many"])


def from_there(report: Report, found: re.Match[str]) -> None:
    """From there these 2 operations are impossible, whatever else was called since."""
    if report.explanation["claim"] != "after a cut" or "cut" not in report.seen:
        raise Untrue("from where?")
    members(report, found["many"])


def members(report: Report, many: str) -> None:
    """The operations that follow are as many as was said, and those of the explanation."""
    said = 1 if many.lower() == "this" else int(many.rsplit(maxsplit=1)[-1])
    lines = report.indented()
    if lines and lines[-1].startswith("(perhaps fewer operations would do: "):
        lines.pop()
        report.counts["perhaps fewer would do"] += 1
        if report.explanation["minimal"]:
            raise Untrue("perhaps fewer operations would do, but minimal")
    more = re.fullmatch(r"… and (\d+) more", lines[-1]) if lines else None
    listed = [report.operation(line) for line in (lines[:-1] if more else lines)]
    hidden = int(more[1]) if more else 0
    known = report.explanation["operations"]
    if (
        len(listed) + hidden != said
        or said != len(known)
        or not set(listed) <= set(known)
        or len(set(listed)) != len(listed)
    ):
        raise Untrue(f"{said} operations were announced, {listed} are listed, the explanation has {known}")


def cut(report: Report, found: re.Match[str]) -> None:
    """After the first N operations to return, up to X, every order leads to one of these."""
    known = report.explanation["cut"]
    many = int(found["many"]) if found["many"] else 1
    if known is None or many != known["returned"] or report.operation(found["last"]) != known["after"]:
        raise Untrue(f"a cut after {found['last']}? The explanation has {known}")
    if bool(found["unless"]) is not known["others_open"]:
        raise Untrue(f"may other operations have taken effect? The explanation has {known['others_open']}")
    states = [found["only"]] if found["only"] else report.indented()
    more = re.fullmatch(r"… and (\d+) more", states[-1])
    hidden = int(more[1]) if more else 0
    states = states[:-1] if more else states
    firsts: dict[tuple[Any, ...], dict[str, Any]] = {}
    for one in known["reachable"]:
        firsts.setdefault((one["state"], *one["early"]), one)
    distinct = list(firsts.values())
    if len(states) + hidden != len(distinct):  # those that differ in operations that only look read alike
        raise Untrue(f"{len(states)} states are listed, {len(distinct)} can be reached")
    for text, one in zip(states, distinct, strict=False):
        state(report, text, one, known)


def state(report: Report, text: str, one: dict[str, Any], known: dict[str, Any]) -> None:
    """A state, and which open operations have taken effect in it."""
    if text == one["state"]:
        return
    shown, _, open_ = text.rpartition(", with ") if text.endswith(EFFECTIVE) else (text, "", "")
    if not same_state(shown, one["state"]):
        raise Untrue(f"the text says {text!r}, the explanation {one['state']!r}")
    report.counts["open operations in effect"] += 1
    moment = report.system.ops[known["after"]].end
    late = [number for number in one["order"] if not report.system.ops[number].end <= moment]
    for number in late:
        if not looks(report.system, number) and f"operation {number}" not in open_:
            raise Untrue(f"{text!r}: in effect are {late}")


def same_state(shown: str, whole: str) -> bool:
    """A long state may be cut off at the end."""
    return shown == whole or (shown.endswith("…") and whole.startswith(shown[:-1]))


def before_it(report: Report, found: re.Match[str]) -> None:
    """Among these, every return before X is explained by this order, where it does not fit."""
    said = report.explanation
    label = report.labels[said["accused"]]
    if found["what"] != label and not found["what"].startswith(label + " on "):
        raise Untrue(f"another operation than the accused one: {found['what']}")
    lines = report.indented()
    more = re.fullmatch(r"… and (\d+) more", lines[-1]) if lines else None
    shown = len(lines) // 2
    if shown + int(more[1] if more else 0) != len(said["candidates"]) or len(lines) % 2 != bool(more):
        raise Untrue(f"{len(lines)} lines for {len(said['candidates'])} orders")
    for at, candidate in enumerate(said["candidates"][:shown]):
        order(report, candidate, lines[2 * at], lines[2 * at + 1].strip())


def order(report: Report, candidate: dict[str, Any], text: str, note: str) -> None:
    """One order, and what it leaves."""
    numbers = candidate["order"]
    shown = text
    earlier = re.match(r"… (\d+) earlier, then (.*)", text, re.S)
    if earlier:
        numbers, shown = numbers[int(earlier[1]) :], earlier[2]
    if shown != report.spelt(numbers) and (numbers or shown not in ("(nothing before it)", "(nothing since)")):
        raise Untrue(f"the text has the order {text!r}, the explanation {candidate['order']}")
    places = [found.start() for found in re.finditer(": ", note)]
    place = next((at for at in places if same_state(note[len("leaves ") : at], candidate["state"])), None)
    if not note.startswith("leaves ") or place is None:
        raise Untrue(f"the order leaves {candidate['state']}, the text says {note!r}")
    report.counts["an order and what it leaves"] += 1
    start = report.explanation["cut"]["reachable"][candidate["start"]]["order"] if report.explanation["cut"] else []
    accused = report.system.ops[report.explanation["accused"]]
    answer(report, accused, report.system.replay([*start, *candidate["order"]]), note[place + 2 :])


def answer(report: Report, accused: Op, states: list[Any], then: str) -> None:
    """`read would answer 2`: what the object says in a state that is left."""
    wanted = re.fullmatch(r"(?P<f>\S+) (would answer (?P<answer>.*)|is not possible there)", then, re.S)
    if then == "it does not fit there" or isinstance(report.system, OwnSystem):
        return
    if not wanted or wanted["f"] != accused.record["f"]:
        raise Untrue(f"what is {then!r}?")
    report.counts["what it would answer"] += 1
    possible = [
        said
        for at in states
        for _, said in report.system.object.step(at[accused.where], accused.f, accused.value, None)
    ]
    if wanted["answer"] is None:
        if possible:
            raise Untrue(f"not possible? It would answer {possible}")
        return
    texts = (wanted["answer"] or "").split(" or ")
    if texts[-1] == "…":  # there are more than these
        texts.pop()
        if not any(not any(reads_like(one, text) for text in texts) for one in possible):
            raise Untrue(f"{then!r}, but that is all: {possible}")
    if not all(any(reads_like(one, text) for one in possible) for text in texts):
        raise Untrue(f"{then!r}: it would answer {possible}")


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
    """Without spaces and quotes, and in no particular order: the elements of a set have none."""
    return "".join(sorted(re.sub(r"[\s\"']", "", text)))


def consistent(report: Report, found: re.Match[str]) -> None:
    """Not linearizable, but these operations are sequentially consistent."""
    known = report.explanation["sequential"]
    if known is None or report.spelt(known) != found["order"]:
        raise Untrue(f"{found['order']}: the explanation has {known}")


def part(report: Report, found: re.Match[str]) -> None:
    """Shown: the N of M operations that are on a key."""
    if int(found["total"]) > len(report.system.ops) or int(found["many"]) > int(found["total"]):
        raise Untrue(f"{found['many']} of {found['total']}?")


def picture(report: Report, found: re.Match[str]) -> None:
    """The timeline: one ✗, at the accused operation."""
    line = found.group(0)
    if "✗ cannot be explained" not in line:
        report.marks += [mark.strip() for mark in line.split("✗")[1:]]


def footer(report: Report, found: re.Match[str]) -> None:
    """(method, time, configurations; confirmed by trying all orders)."""
    if report.said is not None and ("confirmed by trying all orders" in found.group(0)) != bool(
        report.said["confirmed"]
    ):
        raise Untrue(f"the explanation says confirmed: {report.said['confirmed']}")


Form = tuple[re.Pattern[str], Callable[[Report, re.Match[str]], None]]

FORMS: list[Form] = [
    (re.compile(r"^LINEARIZABLE \((?P<model>.*)\): one order explains (all )?(?P<many>\d+) operations?"), linearizable),
    (re.compile(r"^VIOLATION \((?P<model>.*?)\): no order explains (?P<what>.*)$", re.S), headline),
    (
        re.compile(
            r"^(?P<many>This|These \d+) operations? of (?P<total>\d+) (is impossible|contradict each other), "
            r"whatever else happened:$"
        ),
        whatever_else,
    ),
    (
        re.compile(
            r"^After the first (return|(?P<many>\d+) operations)(?: on .*?)?(?: to return)?, up to "
            r"(?P<last>.*?, operation \d+(, line \d+)?\)), "
            r"every order leads to (one of these|(?P<only>.*?))"
            r"(?P<unless>, unless other operations that were still open took effect)?[.:]$",
            re.S,
        ),
        cut,
    ),
    (
        re.compile(
            r"^From there (?P<many>this|these \d+) operations? (is impossible|contradict each other), "
            r"whatever else was called since:$"
        ),
        from_there,
    ),
    (
        re.compile(r"^(?:Among these, every|Every) return (?:on .* )?before (?P<what>.*) is explained by .*:$", re.S),
        before_it,
    ),
    (
        re.compile(r"^Not linearizable, but these operations are sequentially consistent: (?P<order>.*)$", re.S),
        consistent,
    ),
    (re.compile(r"^Shown: the (first )?(?P<many>\d+) of (?P<total>\d+) operations( that are on .*)?$"), part),
    (re.compile(r"^\((?P<method>[a-z-]+), .* configurations?.*\)$"), footer),
    (re.compile(r"^(\S.*?|)  +.*$", re.S), picture),
]


def marked(report: Report) -> None:
    """The picture accuses whom the headline accuses; a long bar is marked again in the next strip."""
    report.counts["picture: only the accused is marked"] += 1
    label = report.labels[report.explanation["accused"]]
    if not report.marks:
        raise Untrue("nothing is marked in the picture")
    for mark in report.marks:
        shown = re.split(r"  +|…", mark)[0]
        if not label.startswith(shown) and not shown.startswith(label):
            raise Untrue(f"the picture accuses {mark!r}, the headline {label!r}")


def examine(text: str, said: Explanation | None, system: System, labels: list[str], counts: Counts) -> None:
    """Raises Untrue at the first sentence that does not hold."""
    report = Report(text, said, system, labels, counts)
    report.read()
    if said is not None:
        if not {"headline", "before_it", "footer"} <= report.seen or not {"whatever_else", "from_there"} & report.seen:
            raise Untrue(f"a report without its parts: {sorted(report.seen)}")
        marked(report)
