"""Do all outputs say the same? Headline, picture, page, `--json`, certificate and pytest snippet of one violation.

`examine` runs one history through the documented API and the command line and raises `Untrue` where two of them differ or where a
sentence does not hold. Own models have no command line: for them it is the API, the text and the page.
"""

import json
import random
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import linpoint as lp
from tests.independent import clocks, program, sentences, tamper
from tests.independent.brute import System, search
from tests.independent.generate import Case
from tests.independent.own import OwnObject, OwnSystem
from tests.independent.sentences import Counts, Untrue

#: One violation in so many also has its certificate tampered with.
TAMPERED = 8


def system_of(case: Case) -> System:
    return (
        OwnSystem(case.records, case.object)
        if isinstance(case.object, OwnObject)
        else System(case.records, case.object)
    )


def examine(case: Case, folder: Path, counts: Counts) -> str:
    """The verdict, after everything that was said about it was checked."""
    system = system_of(case)
    truth = search(system, system.happened)
    history = lp.History(case.records)
    result = lp.check(history, case.object.spec, partition=case.partition, method=case.method, timeout=30)
    verdict = str(result.verdict)
    if verdict == "unknown":
        raise Untrue(f"unknown: {result.cause}")
    if truth.ok != (verdict == "linearizable"):
        raise Untrue(f"{verdict}, but the brute force found {truth.order}")
    labels = [str(op) for op in history]
    if not isinstance(case.object, OwnObject) and random.Random(case.seed + "/times").random() * TAMPERED < 1:
        clocks.examine(case.records, case.object.spec, case.seed, verdict, counts)
    if truth.ok:
        witness(system, list(result.order), counts)
        if random.Random(case.seed + "/witness").random() * TAMPERED < 1:
            sentences.examine(str(result), system, labels, counts)
            if not isinstance(case.object, OwnObject):
                explained_by_witness(case, system, folder, counts)
        return verdict
    report = sentences.examine(str(result), system, labels, counts)
    agree("API", report.accused, result.stuck_index)
    counts["output: API and text"] += 1
    smallest(system, report, result, counts)
    page(case, result, report, folder / "own.html", counts) if isinstance(case.object, OwnObject) else None
    if not isinstance(case.object, OwnObject):
        command_line(case, system, labels, report, folder, counts)
    return verdict


def agree(what: str, accused: int | None, other: Any) -> None:
    if accused is None or accused != other:
        raise Untrue(f"{what} accuses operation {other}, the headline {accused}")


def witness(system: System, order: list[int], counts: Counts) -> None:
    """LINEARIZABLE: the order is one, with every operation that is ok, and it can be replayed."""
    counts["witness replayed"] += 1
    done = {op.number for op in system.ops if op.status == "ok"}
    if len(set(order)) != len(order) or not done <= set(order) or any(system.ops[n].status == "fail" for n in order):
        raise Untrue(f"a witness that lacks or repeats an operation: {order}")
    if not system.in_time(order) or not system.replay(order):
        raise Untrue(f"a witness that is none: {order}")


def explained_by_witness(case: Case, system: System, folder: Path, counts: Counts) -> None:
    """The same through the command line; the certificate is accepted, a wrong order in it is not."""
    path, saved = folder / "history.jsonl", folder / "saved.json"
    saved.unlink(missing_ok=True)
    program.write_jsonl(path, case.records)
    how = ["-m", case.object.spec, "--method", case.method, "--partition" if case.partition else "--no-partition"]
    said = program.linpoint("check", str(path), *how, "--json", "--save", str(saved))
    if said.status != 0:
        raise Untrue(f"check of a linearizable history: status {said.status}, {said.err[:300]}")
    witness(system, json.loads(said.out)["witness"], counts)
    certificate = json.loads(saved.read_text(encoding="utf-8"))
    witness(system, certificate["witness"], counts)
    certified(saved, path, counts)
    tamper.witness(certificate, path, system, folder, counts)


def smallest(system: System, report: sentences.Report, result: lp.Result, counts: Counts) -> None:
    """The counterexample of the API is the one of the text; where it claims to be minimal, nothing can be left out."""
    shrunk = result.shrunk
    if shrunk is None:
        raise Untrue("a violation without a counterexample")
    if sorted(shrunk.operations) != sorted(report.members):
        raise Untrue(f"the text lists {report.members}, the API {list(shrunk.operations)}")
    if shrunk.faithful != report.claims_all:
        raise Untrue(f"the API says faithful={shrunk.faithful}, the text does not agree")
    if not shrunk.minimal:
        return
    counts["minimal"] += 1
    everything = set(system.happened)
    for number in report.members:
        if system.ops[number].status != "ok":
            continue
        rest = [other for other in report.members if other != number]
        if not search(system, rest, everything - set(rest) if report.claims_all else ()).ok:
            raise Untrue(f"minimal, but operation {number} can be left out")


def command_line(
    case: Case, system: System, labels: list[str], report: sentences.Report, folder: Path, counts: Counts
) -> None:
    """`check --json --save --report`, `explain`, `explain --pytest`, `certify`."""
    path, saved, html = folder / "history.jsonl", folder / "saved.json", folder / "report.html"
    for old in (saved, html):
        old.unlink(missing_ok=True)
    program.write_jsonl(path, case.records)
    how = ["-m", case.object.spec, "--method", case.method, "--partition" if case.partition else "--no-partition"]
    said = program.linpoint("check", str(path), *how, "--json", "--save", str(saved), "--report", str(html))
    if said.status != 1 or not saved.exists() or not html.exists():
        raise Untrue(f"check --json --save --report: status {said.status}, {said.err[:300]}")
    as_json(json.loads(said.out), case, report, "--json", counts)
    as_json(json.loads(saved.read_text(encoding="utf-8")), case, report, "certificate", counts)
    as_page(html.read_text(encoding="utf-8"), report, labels, counts)
    certified(saved, path, counts)
    explained(saved, case, system, labels, report, counts)
    snippet(saved, case, report, counts)
    if random.Random(case.seed + "/tamper").random() * TAMPERED < 1:
        tamper.examine(saved, path, system, folder, counts)


def as_json(said: dict[str, Any], case: Case, report: sentences.Report, what: str, counts: Counts) -> None:
    """The fields that name operations."""
    counts[f"output: {what}"] += 1
    if said["verdict"] != "violation" or said["operations"] != len(case.records):
        raise Untrue(f"{what}: {said['verdict']} of {said['operations']} operations")
    agree(what, report.accused, (said.get("stuck") or {}).get("index"))
    shown = said.get("counterexample") or []
    if sorted(one["operation"] for one in shown) != sorted(report.members):
        raise Untrue(f"{what}: counterexample {[one['operation'] for one in shown]}, the text {report.members}")
    for one in shown:
        record = case.records[one["operation"]]
        for name in ("process", "f", "value", "call", "key"):
            if one.get(name) != record.get(name):
                raise Untrue(
                    f"{what}: operation {one['operation']} has {name} {one.get(name)!r}, not {record.get(name)!r}"
                )
        if record.get("type", "ok") == "ok" and "return" in record and one.get("result") != record.get("result"):
            raise Untrue(f"{what}: operation {one['operation']} has another result")


DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.S)
HEADLINE = re.compile(r'<p class="headline">(.*?)</p>', re.S)
CROSSED = re.compile(r'<g class="op stuck[^"]*" data-op="(\d+)"')


def as_page(text: str, report: sentences.Report, labels: list[str], counts: Counts) -> None:
    """The page: its headline, its data, its picture."""
    counts["output: page"] += 1
    data, head = DATA.search(text), HEADLINE.search(text)
    if not data or not head:
        raise Untrue("a page without headline or data")
    raw = json.loads(data[1])
    numbers = summed(raw["index"])
    agree("the page's data", report.accused, numbers[raw["stuck"]] if raw["stuck"] is not None else None)
    if sorted(numbers[place] for place in raw["figure"]) != sorted(report.members):
        raise Untrue(f"the page's figure shows {raw['figure']}, the text {report.members}")
    said = re.search(r"operation (\d+)", head[1])
    agree("the page's headline", report.accused, int(said[1]) if said else None)
    crossed = {int(number) for number in CROSSED.findall(text)}
    if len(crossed) != 1:
        raise Untrue(f"the page's picture crosses out {sorted(crossed)}")


def summed(column: list[Any]) -> list[int]:
    """Undoes the differences in which the page keeps its columns."""
    total, sums = 0, []
    for step in column:
        total += step
        sums.append(total)
    return sums


def page(case: Case, result: lp.Result, report: sentences.Report, path: Path, counts: Counts) -> None:
    result.save(path)
    as_page(path.read_text(encoding="utf-8"), report, [], counts)


def certified(saved: Path, path: Path, counts: Counts) -> None:
    said = program.linpoint("certify", str(saved), str(path))
    counts["output: certify"] += 1
    if said.status != 0:
        raise Untrue(f"certify refuses what check saved: {said.out}{said.err}")


def explained(
    saved: Path, case: Case, system: System, labels: list[str], report: sentences.Report, counts: Counts
) -> None:
    """`explain` of what was saved says what `check` said."""
    said = program.linpoint("explain", str(saved))
    counts["output: explain"] += 1
    again = sentences.examine(said.out, system, labels, counts)
    agree("explain", report.accused, again.accused)
    if sorted(again.members) != sorted(report.members) or again.claims_all != report.claims_all:
        raise Untrue(f"explain shows {again.members}, check {report.members}")


def snippet(saved: Path, case: Case, report: sentences.Report, counts: Counts) -> None:
    """`explain --pytest` is a test that passes, about these operations, and its result accuses the same one."""
    said = program.linpoint("explain", "--pytest", str(saved))
    counts["output: pytest"] += 1
    results: list[lp.Result] = []

    def check(*given: Any, **named: Any) -> lp.Result:
        results.append(lp.check(*given, **named))
        return results[-1]

    watched = SimpleNamespace(**{name: getattr(lp, name) for name in lp.__all__})
    watched.check = check
    namespace: dict[str, Any] = {}
    exec(compile(said.out.replace("import linpoint as lp", ""), "snippet", "exec"), {"lp": watched}, namespace)
    for name, test in namespace.items():
        if name.startswith("test_"):
            test.__globals__.update(namespace)
            test()
    if len(results) != 1 or len(results[0].history) != len(report.members):
        raise Untrue(f"the snippet has {[len(r.history) for r in results]} operations, the text {len(report.members)}")
    accused = case.records[report.accused if report.accused is not None else 0]
    stuck = results[0].stuck
    if stuck is None or (stuck.f, stuck.process, stuck.call) != (accused["f"], accused["process"], accused["call"]):
        raise Untrue(f"the snippet accuses {stuck}, the headline operation {report.accused}")
