"""Which suites are there? Each module answers one question; `run(bench)` gives its tables."""

from __future__ import annotations

from collections.abc import Callable

from bench.prepare import Bench
from bench.report import Table
from bench.suites import (
    etcd,
    fig4,
    frontier,
    juc,
    kv,
    monitors,
    python_model,
    register,
    run_class,
    sets,
    table1,
    violin,
)

SUITES: dict[str, Callable[[Bench], list[Table]]] = {
    "etcd": etcd.run,
    "kv": kv.run,
    "set": sets.run,
    "register": register.run,
    "python-model": python_model.run,
    "run-class": run_class.run,
    "table1": table1.run,
    "monitors": monitors.run,
    "juc": juc.run,
    "fig4": fig4.run,
    "frontier": frontier.run,
    "fig12": violin.fig12,
    "fig13": violin.fig13,
    "fig14": violin.fig14,
}
