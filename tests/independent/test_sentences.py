"""A slice of `python -m tests.independent.run`: all that is said about some two hundred violations is true.

The counts make sure that it was said: a report that no longer had an order, a cut or a page would otherwise pass unnoticed.
"""

import json

from tests.independent import own, run
from tests.independent.shelf import SYNONYMS

VIOLATIONS = 220

#: How often each kind of output, claim and sentence must have been checked, at least.
DEMANDED = {
    "output: API and text": 200,
    "output: --json": 100,
    "output: certificate": 100,
    "output: certify": 100,
    "output: explain": 100,
    "output: page": 100,
    "output: pytest, whatever else happened": 100,
    "claim: whatever else happened": 150,
    "added back: every subset": 150,
    "orders that get stuck": 200,
    "what it would answer": 200,
    "minimal": 100,
    "picture: only the accused is marked": 300,
    "sentence: headline": 300,
    "sentence: whatever_else": 300,
    "sentence: before_it": 300,
    "sentence: linearizable": 20,
    "witness replayed": 200,
    "times written otherwise": 20,
    "tampering: leave_out": 5,
    "tampering: alter": 5,
    "tampering: witness, false": 10,
}


def test_everything_that_is_said_is_true() -> None:
    counts, faults = run.run(VIOLATIONS, seed=0)
    assert not faults, "\n".join(json.dumps(fault) for fault in faults[:5])
    lacking = {name: (counts[name], least) for name, least in DEMANDED.items() if counts[name] < least}
    assert not lacking, f"checked too seldom (seen, demanded): {lacking}"
    assert counts["too wide for the brute force"] < counts["histories"] // 20


def test_every_model_has_its_violations() -> None:
    """The generators reach every shipped model and every own one, by part and all together."""
    shipped = {run.case_of(f"1.{number}", None).object.name for number in range(400)}
    assert shipped == {*SYNONYMS, *own.KINDS}
