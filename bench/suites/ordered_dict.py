"""What does running an ordinary class cost? Schedules of twelve operations on `collections.OrderedDict`.

    python bench/suites/ordered_dict.py replay|copy

Ten assignments overlap, one follows, and the size at the end is wrong: no schedule is a witness, so all of the families up to
depth 6 are run to their last call. Prints one line of JSON. Seconds are those of the processor: what a call costs does not
depend on who else is running.
"""

import json
import sys
import time
from collections import OrderedDict

import linpoint as lp

DEPTH = 6
CALLS_TIMED = 200_000


def history() -> lp.History:
    """The twelve operations."""
    puts = [{"process": i, "f": "put", "value": [i % 5, i], "call": i, "return": 100 + i} for i in range(10)]
    last = {"process": 0, "f": "put", "value": [7, 7], "call": 200, "return": 201}
    return lp.History([*puts, last, {"process": 0, "f": "size", "result": 99, "call": 202, "return": 203}])


def call_alone() -> float:
    """Seconds for one of the calls, in a loop of Python's own."""
    thing: OrderedDict[int, int] = OrderedDict()
    begun = time.process_time()
    for i in range(CALLS_TIMED):
        thing.__setitem__(3, i)
    return (time.process_time() - begun) / CALLS_TIMED


def main() -> None:
    """Runs the families, and the calls alone."""
    copy = OrderedDict.copy if sys.argv[1] == "copy" else None
    names = {"__setitem__": ["put"], "__len__": ["size"]}
    model = lp.models.from_class(OrderedDict, copy=copy, synonyms=names, arguments=lambda op: op.value or ())
    recorded = history()
    begun = time.process_time()
    result = lp.check(recorded, model, method="hitting", depth=DEPTH)
    seconds = time.process_time() - begun
    line = {
        "verdict": str(result.verdict),
        "schedules": result.statistics.schedules,
        "operations": len(recorded),
        "calls": result.configurations,
        "seconds": seconds,
        "call_alone": call_alone(),
    }
    print(json.dumps(line))


if __name__ == "__main__":
    main()
