"""The same history with its times written in other ways: are they still compared exactly?

Times of a case become decimals of many digits: some are written as whole numbers, some with an exponent, some with zeros at the
end. Only their order counts, so the verdict stays what it was. A reader that goes through doubles finds ties that are none:
1700000000.123456791 and 1700000000.123456792 are the same double.
"""

import json
import random
from decimal import Decimal, localcontext
from typing import Any

import linpoint as lp
from tests.independent.claims import Counts, Untrue
from tests.independent.generate import Record


def texts(rng: random.Random, records: list[Record]) -> dict[Any, str]:
    """For every time of the history a text; equal times may get texts of different form."""
    times = sorted({record[name] for record in records for name in ("call", "return") if record.get(name) is not None})
    base = Decimal(rng.choice(["0", "1700000000", "1700000000123456789", "-5"]))
    step = Decimal(1).scaleb(-rng.choice([0, 1, 3, 6, 9, 12]))
    with localcontext(prec=60):
        return {time: form(rng, base + step * place) for place, time in enumerate(times)}


def form(rng: random.Random, time: Decimal) -> str:
    """One way to write this number."""
    plain = f"{time:f}"
    choice = rng.random()
    if choice < 0.2 and "." in plain:
        return plain + "0" * rng.randint(1, 3)
    if choice < 0.4 and time:
        digits = time.as_tuple()
        shift = rng.randint(0, 3)
        number = Decimal((digits.sign, digits.digits, 0))
        return f"{number:f}{'0' * shift}e{int(digits.exponent) - shift}"
    return plain


def examine(records: list[Record], model: str, seed: str, expected: str, counts: Counts) -> None:
    """Raises Untrue if the verdict changes with the way in which times are written."""
    rng = random.Random(seed + "/clock")
    written = texts(rng, records)
    lines = []
    for record in records:
        rest = json.dumps({name: value for name, value in record.items() if name not in ("call", "return")})
        times = {name: written[record[name]] for name in ("call", "return") if record.get(name) is not None}
        lines.append(rest[:-1] + "".join(f', "{name}": {text}' for name, text in times.items()) + "}")
    counts["times written otherwise"] += 1
    verdict = str(lp.check(lp.read("\n".join(lines).encode(), format="jsonl"), model, timeout=5).verdict)
    if verdict != expected:
        raise Untrue(f"{expected}, but with times such as {next(iter(written.values()))} {verdict}")
