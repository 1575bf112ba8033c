"""On what machine, and with which versions, were the figures taken? Never its host name."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from pathlib import Path

from bench.prepare import BENCH
from bench.tools import ROOT, Linpoint


def machine() -> dict[str, str]:
    busy = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return {
        "processor": first_match("/proc/cpuinfo", r"model name\s*:\s*(.+)")
        or platform.processor()
        or platform.machine(),
        "cores": str(os.cpu_count()),
        "memory": f"{total_memory_mib() / 1024:.0f} GiB",
        "system": f"{platform.system()} {platform.machine()}",
        "load at the start": busy,
    }


def total_memory_mib() -> int:
    kib = first_match("/proc/meminfo", r"MemTotal:\s*(\d+)")
    return int(kib) // 1024 if kib else os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20


def versions(linpoint: Linpoint) -> dict[str, str]:
    commit = said("git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD")
    changed = said("git", "--no-optional-locks", "-C", str(ROOT), "status", "--porcelain", "--", ".", ":!bench/results")
    return {
        "linpoint": commit + (" with changes" if changed not in ("", "unknown") else ""),
        "python": said(str(linpoint.python), "--version").removeprefix("Python "),
        "rustc": second_word(said("rustc", "--version")),
        "go": said("go", "env", "GOVERSION").removeprefix("go"),
        "porcupine": first_match(str(BENCH / "peers/porcupine/go.mod"), r"anishathalye/porcupine (\S+)") or "unknown",
    }


def said(*command: str) -> str:
    """What the command prints, or "unknown". Asked from the project's folder, where the versions are pinned."""
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        return done.stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def second_word(text: str) -> str:
    return [*text.split(), "unknown", "unknown"][1]


def first_match(path: str, pattern: str) -> str | None:
    try:
        found = re.search(pattern, Path(path).read_text())
    except OSError:
        return None
    return found[1].strip() if found else None
