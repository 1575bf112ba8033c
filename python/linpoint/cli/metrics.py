"""How much a monitor has seen, in the text that Prometheus reads: one number per line, each behind its type."""

from __future__ import annotations

import resource
from dataclasses import asdict

from linpoint.cli.known import Known
from linpoint.verdict import Verdict

ONLY_GROW = ("violations", "events", "operations", "restarts", "lines", "skipped", "peak_bytes")
"""These are counters; all others go up and down."""


def metrics(known: Known, violations: int) -> str:
    """The counts, and the verdict of what was judged: since which event it is a violation, or unknown, and why."""
    verdict, since, _ = known.standing
    numbers: dict[str, int] = {"violations": violations, **asdict(known.counts), "unknown": verdict is Verdict.UNKNOWN}
    numbers["peak_bytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    lines = [line for name, number in numbers.items() for line in _told(name, "", number)]
    if verdict is Verdict.VIOLATION and since is not None:
        lines += _told("violation_event", "", since)
    if known.lost is not None:
        since, cause = known.lost
        lines += _told("unknown_since", f'{{cause="{cause}"}}', since)
    return "".join(f"{line}\n" for line in lines)


def _told(name: str, label: str, number: int) -> list[str]:
    kind = "counter" if name in ONLY_GROW else "gauge"
    return [f"# TYPE linpoint_{name} {kind}", f"linpoint_{name}{label} {number:d}"]
