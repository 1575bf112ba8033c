"""Is a stream of calls and returns linearizable so far? Judged while it runs.

`monitor.py` is what a program calls, `violation.py` what it is told, `inputs.py` where a log comes from, `checkpoint.py` how it
goes on after it was killed.
"""

from linpoint.monitor.monitor import Counts, Monitor
from linpoint.monitor.violation import Violation

__all__ = ["Counts", "Monitor", "Violation"]
