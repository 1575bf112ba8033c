"""What does a model written in Python cost? The CAS register as a user would write it, and the native one beside it.

    python bench/suites/python_register.py python|native FILE SECONDS

prints one line of JSON like `linpoint check --json`. check_seconds is what the result itself reports;
wall_seconds is the clock around the call, certificate and all, so that no cost can hide.
"""

import json
import sys
import time

import linpoint as lp


class Register(lp.Model):
    initial = None

    def read(self, state, _):
        return state, state

    def write(self, _state, value):
        return value, None

    def cas(self, state, pair):
        return (pair[1], True) if state == pair[0] else (state, False)

    def readonly(self, op):
        return op.f == "read" or (op.f == "cas" and op.result is False)


def main() -> None:
    kind, path, seconds = sys.argv[1:]
    begin = time.perf_counter()
    history = lp.read(path)
    loaded = time.perf_counter()
    model = Register() if kind == "python" else lp.models.CasRegister()
    result = lp.check(history, model, timeout=float(seconds))
    done = time.perf_counter()
    line = {
        "file": path,
        "model": kind,
        "operations": len(history),
        "verdict": result.verdict.name.lower(),
        "load_seconds": loaded - begin,
        "check_seconds": result.seconds,
        "wall_seconds": done - loaded,
    }
    print(json.dumps(line))


if __name__ == "__main__":
    main()
