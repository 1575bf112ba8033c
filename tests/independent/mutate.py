"""Does a damaged file ever crash the reader, hang it, or lose an event without a word?

`python -m tests.independent.mutate --files 50000 --seed 0` spoils sound files of every format (corpus/, examples/, and generated
ones) and reads and judges each in this process with a small budget. A failing file is printed as JSON with the command that
replays it. What is demanded:

- no exception but the documented ones, no InternalError, and an answer within `CPU` seconds of processor time;
- where one event's line was spoiled: the file is refused, or all events, values and results are still there;
- a refusal of a spoiled line names a line;
- (one in `SLOW` files) the command line agrees: exit status, one JSON object, no traceback; and what was read survives
  `lp.write` and `lp.read`.
"""

import argparse
import base64
import collections
import json
import multiprocessing
import random
import re
import signal
import sys
import traceback
from pathlib import Path
from typing import Any

import linpoint as lp
from tests.independent import damage, files, program

CPU = 5.0  # seconds of processor time for one file
SLOW = 20  # one in so many goes through the command line too

Counts = collections.Counter[str]


class Fault(Exception):
    """The program did what it must not do."""


def substance(history: lp.History) -> tuple[int, ...]:
    """How much was read: what may not become less unnoticed."""
    ops = list(history)
    return (
        len(ops) + len(history.annotations),
        sum(op.ret is not None for op in ops),
        sum(op.value is not None for op in ops),
        sum(op.result is not None for op in ops),
        sum(op.key is not None for op in ops),
        sum(op.ok for op in ops),
    )


#: Places of what may not become less. (When an operation returned that is pending anyway does not matter.)
WHOLE = (0, 2, 3, 4, 5)


def read(data: bytes, format_: str | None) -> lp.History | lp.LinpointError:
    try:
        return lp.read(data, format=format_)
    except lp.InternalError as error:
        raise Fault(f"InternalError: {error}") from error
    except lp.LinpointError as error:
        return error


def judge(history: lp.History, model: str) -> str:
    """The verdict or the kind of refusal."""
    try:
        result = lp.check(history, model, timeout=0.3, memory="64MiB")
        return str(result.verdict)
    except lp.InternalError as error:
        raise Fault(f"InternalError: {error}") from error
    except lp.LinpointError as error:
        return type(error).__name__


def examine(source: files.Source, spoiled: damage.Spoiled, seed: str, folder: Path, counts: Counts) -> None:
    """Raises Fault where a demand is not met."""
    rng = random.Random(seed + "/how")
    named = source.format if rng.random() < 0.5 else None
    before = read(source.data, source.format)
    if isinstance(before, lp.LinpointError):
        raise Fault(f"a sound file was refused: {before}")
    after = read(spoiled.data, named)
    if isinstance(after, lp.LinpointError):
        counts["refused"] += 1
        if (
            spoiled.line is not None
            and not re.search(r"\bline \d|:\d+:\d+", str(after))
            and getattr(after, "line", None) is None
        ):
            if not str(after).startswith("cannot tell the format"):
                raise Fault(f"line {spoiled.line} was spoiled, the refusal names no line: {after}")
            counts["refused for its format"] += 1
    else:
        counts["read"] += 1
        account(spoiled, substance(before), substance(after), source.format, counts)
        verdict = judge(after, source.model)
        counts[verdict] += 1
    if rng.random() * SLOW < 1:
        by_command(spoiled, source, named, after, folder, counts)


def account(
    spoiled: damage.Spoiled, before: tuple[int, ...], after: tuple[int, ...], format_: str, counts: Counts
) -> None:
    """Is everything still there that was not taken away?"""
    lost = f"{spoiled.damage}: operations, returns, values, results, keys, oks were {before}, are {after}"
    if spoiled.promise == damage.SAME:
        counts["accounted for"] += 1
        if any(after[place] < before[place] for place in WHOLE):
            raise Fault(f"silently lost: {lost}")
    elif spoiled.promise == damage.FEWER:
        counts["accounted for"] += 1
        if (sum(after[:2]) != sum(before[:2]) - 1 and format_ != "jsonl") or (
            format_ == "jsonl" and after[0] != before[0] - 1
        ):
            raise Fault(f"one line was taken away: {lost}")
    elif spoiled.promise == damage.MORE:
        counts["accounted for"] += 1
        if sum(after[:2]) < sum(before[:2]) + 1:
            raise Fault(f"one line was doubled: {lost}")


def by_command(
    spoiled: damage.Spoiled,
    source: files.Source,
    named: str | None,
    after: lp.History | lp.LinpointError,
    folder: Path,
    counts: Counts,
) -> None:
    """The same file through the command line; and written and read again."""
    path = folder / "spoiled.data"
    path.write_bytes(spoiled.data)
    words = [
        "check",
        str(path),
        "-m",
        source.model,
        "--json",
        "--timeout",
        "0.3",
        *(["--format", named] if named else []),
    ]
    said = program.linpoint(*words)
    counts["through the command line"] += 1
    if said.status not in (0, 1, 2, 3) or "Traceback" in said.err + said.out:
        raise Fault(f"exit status {said.status}: {said.err[-500:]}")
    if isinstance(after, lp.LinpointError):
        if said.status != 2:
            raise Fault(f"refused by lp.read, but exit status {said.status}: {said.out[-300:]}")
        if str(path) not in said.err + said.out:
            raise Fault(f"a refusal without the file's name: {said.err[-300:]}")
        return
    if said.out:
        json.loads(said.out, parse_constant=no_json)
    again = folder / "again.jsonl"
    try:
        lp.write(after, again)
    except lp.LinpointError as error:
        raise Fault(f"was read, but cannot be written: {error}") from error
    if substance(lp.read(again)) != substance(after):
        raise Fault("written and read again, it is another history")
    counts["written and read again"] += 1


def no_json(name: str) -> Any:
    raise Fault(f"{name} is not JSON")


def file_of(seed: str, recorded: list[files.Source]) -> tuple[files.Source, damage.Spoiled]:
    rng = random.Random(seed)
    source = rng.choice(recorded) if rng.random() < 0.35 else files.generated(rng)
    return source, damage.spoil(source, rng)


def too_long(*_: object) -> None:
    raise Fault(f"no answer within {CPU} seconds of processor time")


def one(seed: str, recorded: list[files.Source], folder: Path, counts: Counts) -> dict[str, Any] | None:
    """One file; what is wrong with it, or None."""
    source, spoiled = file_of(seed, recorded)
    counts[f"damage: {spoiled.damage}"] += 1
    counts[f"format: {source.format}"] += 1
    signal.signal(signal.SIGPROF, too_long)
    signal.setitimer(signal.ITIMER_PROF, CPU)
    try:
        examine(source, spoiled, seed, folder, counts)
    except Fault as fault:
        return report(seed, source, spoiled, str(fault))
    except BaseException as error:  # whatever else comes out is a fault as well, PanicException included
        if isinstance(error, KeyboardInterrupt):
            raise
        return report(seed, source, spoiled, "".join(traceback.format_exception(error))[-800:])
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return None


def report(seed: str, source: files.Source, spoiled: damage.Spoiled, fault: str) -> dict[str, Any]:
    return {
        "fault": fault,
        "damage": spoiled.damage,
        "line": spoiled.line,
        "format": source.format,
        "model": source.model,
        "source": source.name,
        "file": base64.b64encode(spoiled.data[:3000]).decode(),
        "replay": f".venv/bin/python -m tests.independent.mutate --replay {seed}",
    }


def work(job: tuple[str, int, int]) -> tuple[Counts, list[dict[str, Any]]]:
    seed, first, last = job
    counts: Counts = collections.Counter()
    faults = []
    recorded = files.recorded()
    with program.workshop() as folder:
        for number in range(first, last):
            counts["files"] += 1
            found = one(f"{seed}.{number}", recorded, folder, counts)
            if found:
                faults.append(found)
    return counts, faults


def run(count: int, seed: int, workers: int = 1) -> tuple[Counts, list[dict[str, Any]]]:
    """All files; what was done and what went wrong."""
    size = max(1, min(500, count // max(1, workers)))
    jobs = [(str(seed), first, min(first + size, count)) for first in range(0, count, size)]
    counts: Counts = collections.Counter()
    faults: list[dict[str, Any]] = []
    pool = multiprocessing.get_context("spawn").Pool(workers) if workers > 1 else None
    for some, wrong in pool.imap_unordered(work, jobs) if pool else map(work, jobs):
        counts += some
        faults += wrong
        for fault in wrong:
            print(json.dumps(fault), flush=True)
    if pool:
        pool.terminate()
    return counts, faults


def replay(seed: str) -> None:
    source, spoiled = file_of(seed, files.recorded())
    sys.stdout.buffer.write(spoiled.data[:5000] + b"\n")
    print(source.name, source.format, source.model, spoiled.damage, "line", spoiled.line)
    with program.workshop() as folder:
        print(json.dumps(one(seed, files.recorded(), folder, collections.Counter()), indent=1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--replay", help="one seed, as a failing run prints it")
    asked = parser.parse_args()
    if asked.replay:
        replay(asked.replay)
        return
    counts, faults = run(asked.files, asked.seed, asked.workers)
    for name, count in sorted(counts.items()):
        print(f"{count:>9}  {name}")
    print(f"{len(faults):>9}  faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
