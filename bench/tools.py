"""How is each checker asked, and how is its answer understood?

Every tool gets files and gives an Answer. Whatever happens to it, a time-out, the end of its memory, a crash,
becomes an Answer too, so that a table can say so. linpoint and the peer report their own check seconds, which
begin when the history is in memory; peak memory is that of the whole process.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench import measure

ANSWERED, OUT_OF_MEMORY = "answered", "out of memory"
ROOT = Path(__file__).resolve().parent.parent  # the folder of the project
LOAD_ALLOWANCE = 30.0  # seconds for starting and loading, beyond the limit of the check itself


@dataclass(frozen=True)
class Limits:
    seconds: float = 60.0
    memory_mib: int = 12 * 1024

    @property
    def too_slow(self) -> str:
        return f"no answer in {self.seconds:g} s"


@dataclass(frozen=True)
class Answer:
    outcome: str  # ANSWERED, OUT_OF_MEMORY, "no answer in 60 s" or what went wrong
    check_seconds: float = 0.0  # summed over the files
    load_seconds: float = 0.0
    certify_seconds: float = 0.0  # what linpoint spends on replaying its own evidence
    wall_seconds: float = 0.0  # the clock around the whole check, where a program reports it
    peak_mib: float = 0.0
    beyond_load_mib: float | None = None  # the peak of the check over the loaded history, where a program measures it
    operations: int = 0
    verdicts: list[str] = field(default_factory=list)
    methods: list[str] = field(default_factory=list)

    @property
    def answered(self) -> bool:
        return self.outcome == ANSWERED


@dataclass(frozen=True)
class Linpoint:
    """The command line of this project, as a user calls it."""

    program: Path
    python: Path

    def check(
        self,
        files: list[Path],
        model: str,
        limits: Limits,
        *,
        partition: bool = True,
        method: str | None = None,
        cache: str | None = None,
    ) -> Answer:
        command = [
            str(self.program),
            "check",
            *map(str, files),
            "--model",
            model,
            "--json",
            "--timeout",
            f"{limits.seconds:g}",
        ]
        command += ["--memory", f"{limits.memory_mib}MiB"]
        command += [] if partition else ["--no-partition"]
        command += ["--method", method] if method else []
        command += ["--cache", cache] if cache else []
        return ask(command, len(files), limits)

    def load_only(self, file: Path, limits: Limits) -> float | None:
        """The peak memory of a process that loads the file and does nothing else."""
        code = "import sys, linpoint; linpoint.read(sys.argv[1])"
        told = measure.run([str(self.python), "-c", code, str(file)], LOAD_ALLOWANCE, limits.memory_mib)
        return told.peak_mib if told.outcome == measure.DONE and told.status == 0 else None

    def script(self, script: Path, arguments: list[str], limits: Limits) -> Answer:
        """A program of ours that prints the same JSON as the command line."""
        return ask([str(self.python), str(script), *arguments], 1, limits)


@dataclass(frozen=True)
class Porcupine:
    """The peer of bench/peers/porcupine."""

    program: Path

    def check(self, files: list[Path], model: str, form: str, limits: Limits, *, partition: bool = True) -> Answer:
        command = [str(self.program), "-model", model, "-format", form, "-timeout", f"{limits.seconds:g}"]
        command += [] if partition else ["-no-partition"]
        # Near its limit the collector of Go works harder rather than fail; without this it would run out earlier.
        env = {"GOMEMLIMIT": f"{limits.memory_mib * 9 // 10}MiB"}
        return ask([*command, *map(str, files)], len(files), limits, env)


def ask(command: list[str], files: int, limits: Limits, env: dict[str, str] | None = None) -> Answer:
    # The tool's own limits come first; the watcher is there for a tool that does not keep to them.
    told = measure.run(command, limits.seconds * files + LOAD_ALLOWANCE, limits.memory_mib, env)
    if told.outcome != measure.DONE:
        return Answer(limits.too_slow if told.outcome == measure.TOO_LONG else OUT_OF_MEMORY, peak_mib=told.peak_mib)
    if told.status == -9:  # ended by the kernel, which does so when the machine has no memory left
        return Answer(OUT_OF_MEMORY, peak_mib=told.peak_mib)
    try:
        lines: list[dict[str, Any]] = [json.loads(line) for line in told.output.splitlines() if line.strip()]
        if len(lines) != files:
            raise ValueError(f"{len(lines)} answers for {files} files")
        return Answer(
            outcome=next((why_unknown(line, limits) for line in lines if line["verdict"] == "unknown"), ANSWERED),
            check_seconds=sum(line["check_seconds"] for line in lines),
            load_seconds=sum(line["load_seconds"] or 0.0 for line in lines),
            certify_seconds=sum(line.get("certify_seconds") or 0.0 for line in lines),
            wall_seconds=sum(line.get("wall_seconds") or 0.0 for line in lines),
            peak_mib=told.peak_mib,
            beyond_load_mib=lines[0].get("beyond_load_mib") if files == 1 else None,
            operations=sum(line["operations"] for line in lines),
            verdicts=[line["verdict"] for line in lines],
            methods=sorted({line["method"] for line in lines if line.get("method")}),
        )
    except (ValueError, KeyError, TypeError) as problem:
        last = told.errors.strip().splitlines()[-1:] or [f"{type(problem).__name__}: {problem}"]
        words = last[0].replace(f"{ROOT}/", "")  # records name no folder of the machine that made them
        return Answer(f"failed (status {told.status}): {words}", peak_mib=told.peak_mib)


def why_unknown(line: dict[str, Any], limits: Limits) -> str:
    cause = json.dumps(line.get("cause") or "time").lower()
    if "memory" in cause:
        return OUT_OF_MEMORY
    return limits.too_slow if "time" in cause else f"unknown: {cause}"
