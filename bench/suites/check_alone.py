"""What does the check alone cost, in seconds and in memory, once the history is loaded?

    python bench/suites/check_alone.py MODEL FILE SECONDS [MIB]

prints one line of JSON like `linpoint check --json`, but neither witness nor counterexample: shrinking a violation
is not the question here. Nor is the evidence re-checked in Python, which for a million operations takes seconds.

"Looks wrong, is right": the peak of the process says little, because loading has a peak of its own. Of a queue of a
million operations loading needs 263 MiB at its peak and leaves 86; the check takes that to 211, which a peak over
the peak of loading would call nothing. So once the history is loaded, free memory is given back to the system
and the peak is set back to what is left (Linux only; elsewhere beyond_load_mib is null).
"""

import ctypes
import json
import re
import sys
import time
from pathlib import Path

import linpoint as lp


def main() -> None:
    model, path, seconds = sys.argv[1:4]
    memory = f"{sys.argv[4]}MiB" if sys.argv[4:] else None
    begin = time.perf_counter()
    history = lp.read(path)
    loaded = time.perf_counter()
    before = forget_peak()
    called = time.perf_counter()
    result = lp.check(history, model, timeout=float(seconds), memory=memory, certify=False)
    done = time.perf_counter()
    line = {
        "file": path,
        "model": model,
        "operations": len(history),
        "verdict": result.verdict.name.lower(),
        "cause": result.why,
        "method": result.method,
        "load_seconds": loaded - begin,
        "check_seconds": result.seconds,
        "wall_seconds": done - called,
        "beyond_load_mib": None if before is None else memory_mib("VmHWM") - before,
    }
    print(json.dumps(line))


def forget_peak() -> float | None:
    """MiB in use now, which from here on is the peak, too."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")
        return memory_mib("VmRSS")
    except (AttributeError, OSError):  # not Linux, or a C library that gives nothing back
        return None


def memory_mib(field: str) -> float:
    [kib] = re.findall(rf"^{field}:\s*(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)
    return int(kib) / 1024


if __name__ == "__main__":
    main()
