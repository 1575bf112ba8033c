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
from tests.independent import claims, clocks, program, sentences, tamper
from tests.independent.brute import System, search
from tests.independent.claims import Counts, Explanation, Untrue
from tests.independent.generate import Case
from tests.independent.own import OwnObject, OwnSystem

#: One violation in so many also has its certificate tampered with; one witness in so many goes through the command line.
TAMPERED = 8


def system_of(case: Case) -> System:
    return (
        OwnSystem(case.records, case.object)
        if isinstance(case.object, OwnObject)
        else System(case.records, case.object)
    )


def sometimes(case: Case, what: str) -> bool:
    return random.Random(f"{case.seed}/{what}").random() * TAMPERED < 1


def examine(case: Case, folder: Path, counts: Counts, every: int = 1) -> str:
    """The verdict, after everything that was said about it was checked.

    One violation in `every` goes through all outputs; the others through API, text and claims.
    """
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
    shipped = not isinstance(case.object, OwnObject)
    if shipped and sometimes(case, "times"):
        clocks.examine(case.records, case.object.spec, case.seed, verdict, counts)
    if truth.ok:
        witness(system, list(result.order), counts)
        if sometimes(case, "witness"):
            sentences.examine(str(lp.explain(result)), None, system, labels, counts)
            if shipped:
                by_witness(case, system, folder, counts)
        return verdict
    explanation = lp.explain(result)
    said: Explanation = explanation.to_dict()
    claims.examine(said, system, counts)
    sentences.examine(str(explanation), said, system, labels, counts)
    agree("API: check", said, result.stuck_index)
    agree("API: explain", said, explanation.accused)
    counts["output: API and text"] += 1
    if random.Random(f"{case.seed}/outputs").random() * every >= 1:
        return verdict
    if shipped:
        command_line(case, system, labels, said, folder, counts)
    else:
        explanation.save(folder / "own.html")
        as_page((folder / "own.html").read_text(encoding="utf-8"), said, counts)
    return verdict


def agree(what: str, said: Explanation, other: Any) -> None:
    if said["accused"] != other:
        raise Untrue(f"{what} accuses operation {other}, the explanation {said['accused']}")


def witness(system: System, order: list[int], counts: Counts) -> None:
    """LINEARIZABLE: the order is one, with every operation that is ok, and it can be replayed."""
    counts["witness replayed"] += 1
    done = {op.number for op in system.ops if op.status == "ok"}
    if len(set(order)) != len(order) or not done <= set(order) or any(system.ops[n].status == "fail" for n in order):
        raise Untrue(f"a witness that lacks or repeats an operation: {order}")
    if not system.in_time(order) or not system.replay(order):
        raise Untrue(f"a witness that is none: {order}")


def options(case: Case) -> list[str]:
    return ["-m", case.object.spec, "--method", case.method, "--partition" if case.partition else "--no-partition"]


def by_witness(case: Case, system: System, folder: Path, counts: Counts) -> None:
    """The same through the command line; the certificate is accepted, a wrong order in it is not."""
    path, saved = folder / "history.jsonl", folder / "saved.json"
    saved.unlink(missing_ok=True)
    program.write_jsonl(path, case.records)
    said = program.linpoint("check", str(path), *options(case), "--json", "--save", str(saved))
    if said.status != 0:
        raise Untrue(f"check of a linearizable history: status {said.status}, {said.err[:300]}")
    witness(system, json.loads(said.out)["witness"], counts)
    certificate = json.loads(saved.read_text(encoding="utf-8"))
    witness(system, certificate["witness"], counts)
    certified(saved, path, counts)
    tamper.witness(certificate, path, system, folder, counts)


def command_line(
    case: Case, system: System, labels: list[str], said: Explanation, folder: Path, counts: Counts
) -> None:
    """`check --json --save --report`, `explain`, `explain --pytest`, `certify`."""
    path, saved, html = folder / "history.jsonl", folder / "saved.json", folder / "report.html"
    for old in (saved, html):
        old.unlink(missing_ok=True)
    program.write_jsonl(path, case.records)
    printed = program.linpoint(
        "check", str(path), *options(case), "--json", "--save", str(saved), "--report", str(html)
    )
    if printed.status != 1 or not saved.exists() or not html.exists():
        raise Untrue(f"check --json --save --report: status {printed.status}, {printed.err[:300]}")
    certificate = json.loads(saved.read_text(encoding="utf-8"))
    as_json(json.loads(printed.out), case, said, "--json", counts)
    as_json(certificate, case, said, "certificate", counts)
    same_claims(certificate["explanation"], said)
    as_page(html.read_text(encoding="utf-8"), said, counts)
    certified(saved, path, counts)
    again = program.linpoint("explain", str(saved))
    counts["output: explain"] += 1
    sentences.examine(again.out, said, system, labels, counts)
    snippet(saved, case, said, counts)
    if sometimes(case, "tamper"):
        tamper.examine(certificate, path, system, folder, counts)


def as_json(shown: dict[str, Any], case: Case, said: Explanation, what: str, counts: Counts) -> None:
    """The fields that name operations."""
    counts[f"output: {what}"] += 1
    if shown["verdict"] != "violation" or shown["operations"] != len(case.records):
        raise Untrue(f"{what}: {shown['verdict']} of {shown['operations']} operations")
    agree(what, said, (shown.get("stuck") or {}).get("index"))
    listed = shown.get("counterexample") or []
    if sorted(one["operation"] for one in listed) != sorted(said["operations"]):
        raise Untrue(f"{what}: counterexample {[one['operation'] for one in listed]}, explanation {said['operations']}")
    for one in listed:
        record = case.records[one["operation"]]
        for name in ("process", "f", "value", "call", "key"):
            if one.get(name) != record.get(name):
                raise Untrue(
                    f"{what}: operation {one['operation']} has {name} {one.get(name)!r}, not {record.get(name)!r}"
                )
        if record.get("type", "ok") == "ok" and "return" in record and one.get("result") != record.get("result"):
            raise Untrue(f"{what}: operation {one['operation']} has another result")


#: What is saved is what was said, but for the lines that a file has and the seconds that a second check took.
TOLD = ("accused", "claim", "operations", "minimal", "sequential", "cut")


def same_claims(saved: Explanation, said: Explanation) -> None:
    for name in TOLD:
        if json.dumps(saved[name]) != json.dumps(said[name]):
            raise Untrue(f"the certificate's {name} is {saved[name]}, the explanation's {said[name]}")


DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.S)
HEADLINE = re.compile(r'<p class="headline">(.*?)</p>', re.S)
CROSSED = re.compile(r'<g class="op stuck[^"]*" data-op="(\d+)"')


def as_page(text: str, said: Explanation, counts: Counts) -> None:
    """The page: its headline, its data, its picture."""
    counts["output: page"] += 1
    data, head = DATA.search(text), HEADLINE.search(text)
    if not data or not head:
        raise Untrue("a page without headline or data")
    raw = json.loads(data[1])
    numbers = summed(raw["index"])
    agree("the page's data", said, numbers[raw["stuck"]] if raw["stuck"] is not None else None)
    if not set(said["operations"]) <= {numbers[place] for place in raw["figure"] if place is not None}:
        raise Untrue(f"the page's figure shows {raw['figure']}, the explanation {said['operations']}")
    named = re.search(r"operation (\d+)", head[1])
    agree("the page's headline", said, int(named[1]) if named else None)
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


def certified(saved: Path, path: Path, counts: Counts) -> None:
    said = program.linpoint("certify", str(saved), str(path))
    counts["output: certify"] += 1
    if said.status != 0:
        raise Untrue(f"certify refuses what check saved: {said.out}{said.err}")


def snippet(saved: Path, case: Case, said: Explanation, counts: Counts) -> None:
    """`explain --pytest` is a test that passes, about these operations, and its result accuses the same one."""
    printed = program.linpoint("explain", "--pytest", str(saved))
    counts[f"output: pytest, {said['claim']}"] += 1
    results: list[lp.Result] = []

    def check(*given: Any, **named: Any) -> lp.Result:
        results.append(lp.check(*given, **named))
        return results[-1]

    watched = SimpleNamespace(**{name: getattr(lp, name) for name in lp.__all__})
    watched.check = check
    namespace: dict[str, Any] = {"lp": watched}
    exec(compile(printed.out.replace("import linpoint as lp", ""), "snippet", "exec"), namespace)
    for name in [name for name in namespace if name.startswith("test_")]:
        namespace[name]()
    if len(results) != 1:
        raise Untrue(f"the snippet checks {len(results)} histories")
    accused, stuck = case.records[said["accused"]], results[0].stuck
    if stuck is None or (stuck.f, stuck.process, stuck.call) != (accused["f"], accused["process"], accused["call"]):
        raise Untrue(f"the snippet accuses {stuck}, the explanation operation {said['accused']}")
