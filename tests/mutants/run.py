#!/usr/bin/env python3
"""Would a test notice if this line were wrong? A seeded sample of mutants, each built and tested.

    python -m tests.mutants.run --crate check --sample 200 --seed 1        what `make mutants` runs
    python -m tests.mutants.run --crate check --only layer.rs              every mutant of the files whose path contains this

cargo-mutants (Martin Pool) lists the mutants: an operator swapped, a body replaced by a constant, a match arm dropped. They are
drawn uniformly from all of the crate, so no file is favoured. Each is put into a copy of the working tree; then the tests
run, those of the crate first and the quickest of them first, also in the build in which all hashes collide, until one fails:

    caught         a test failed, or needed far more time or memory than it does without the mutant
    unbuildable    the compiler noticed
    missed         every test passed: a line of survivors.toml says why that changes no verdict, sentence or budget, or this fails

Limits are on CPU time, so a busy machine catches no more than an idle one. Results go to tests/mutants/CRATE.json.
Exit status: 0 every survivor has its reason, 1 some have none, 2 the tests fail without a mutant or a tool is missing.
"""

import argparse
import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tests.mutants.mutant import Mutant, listed
from tests.mutants.reasons import load
from tests.mutants.workshop import Workshop

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
TOOL = ROOT / "target" / "tools" / "bin" / "cargo-mutants"


def draw(mutants: list[Mutant], sample: int, seed: int) -> list[Mutant]:
    """The sample: the same for the same sources, seed and version of cargo-mutants; a smaller one begins a larger one."""
    ordered = sorted(mutants, key=lambda mutant: (mutant.file, mutant.line, mutant.name))
    random.Random(seed).shuffle(ordered)
    return ordered[:sample]


def commit() -> str:
    """The commit at hand, and whether the tree differs from it."""
    said = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--abbrev=12"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return said.stdout.strip()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--crate", default="check", choices=["base", "check", "spec"])
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only files whose path contains this; nothing is recorded")
    parser.add_argument("--again", action="store_true", help="only what the recorded run missed; nothing is recorded")
    return parser.parse_args()


def main() -> int:
    asked = arguments()
    mutants = listed(TOOL, ROOT, asked.crate)
    chosen = draw([mutant for mutant in mutants if asked.only in mutant.file], asked.sample, asked.seed)
    record = HERE / f"{asked.crate}.json"
    if asked.again:
        missed = {tuple(key) for key in json.loads(record.read_text(encoding="utf-8"))["missed"]}
        chosen = [mutant for mutant in mutants if mutant.key in missed]
    workshop = Workshop(ROOT, asked.crate)
    if complaint := workshop.baseline():
        print(f"the tests fail without any mutant:\n{complaint}", file=sys.stderr)
        return 2
    for program in workshop.programs:
        print(f"{workshop.seconds[program]:6.1f} s  {program.name}")
    reasons = load(HERE / "survivors.toml")
    answers: list[tuple[Mutant, str]] = []
    known, progress = commit(), workshop.tree.parent / "record.json"
    for number, mutant in enumerate(chosen, 1):
        answer = workshop.judge(mutant)
        answers.append((mutant, answer))
        print(f"{number:4}/{len(chosen)} {answer:12} {mutant.name}", flush=True)
        progress.write_text(report(asked, known, len(mutants), answers), encoding="utf-8")
    if not asked.only and not asked.again:
        record.write_text(progress.read_text(encoding="utf-8"), encoding="utf-8")
    count = Counter(kind(answer) for _, answer in answers)
    print(f"\n{dict(count)}")
    missed_now = [mutant for mutant, answer in answers if answer == "missed"]
    bare = [mutant for mutant in missed_now if mutant.key not in reasons]
    for mutant in bare:
        print(f"\nno test notices, and survivors.toml has no reason:\n{mutant.diff}")
    return 1 if bare else 0


def kind(answer: str) -> str:
    """caught, unbuildable or missed; `caught by …` tells more."""
    return answer.partition(" ")[0]


def report(asked: argparse.Namespace, known: str, total: int, answers: list[tuple[Mutant, str]]) -> str:
    """What is recorded, as JSON."""
    count = Counter(kind(answer) for _, answer in answers)
    found: dict[str, Any] = {
        "commit": known,
        "crate": asked.crate,
        "mutants": total,
        "seed": asked.seed,
        "sample": len(answers),
        "caught": count["caught"],
        "of these out of time or memory": sum("out of time" in answer for _, answer in answers),
        "unbuildable": count["unbuildable"],
        "missed": sorted(mutant.key for mutant, answer in answers if answer == "missed"),
        "caught by": dict(Counter(answer.partition(" by ")[2] for _, answer in answers if kind(answer) == "caught")),
    }
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(main())
