"""Record a history from your own threads: note the time before the call and after the return. That is all.

The counter below reads, waits and writes, so that two threads lose an update. The barrier makes sure that they meet.
"""

import threading
import time

import linpoint as lp


class Recorder:
    """Calls a method and writes down what happened. Lists are thread-safe enough: append is atomic."""

    def __init__(self):
        self.operations = []

    def call(self, process, f, function, value=None):
        record = {"process": process, "f": f, "value": value, "call": time.monotonic_ns()}
        record["result"] = function() if value is None else function(value)
        record["return"] = time.monotonic_ns()
        self.operations.append(record)


class Counter:
    """Not thread-safe."""

    def __init__(self):
        self.number = 0
        self.meet = threading.Barrier(2)

    def fetch_add(self, amount):
        before = self.number
        self.meet.wait()
        self.number = before + amount
        return before


recorder, counter = Recorder(), Counter()
threads = [threading.Thread(target=recorder.call, args=(i, "fetch_add", counter.fetch_add, 1)) for i in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()

result = lp.check(lp.History(recorder.operations), "counter")
print(lp.explain(result))

# Both threads got 0; a counter would have given one of them 1.
assert result.verdict is lp.Verdict.VIOLATION
