"""What has to be there before anything can be measured?

The programs (linpoint as installed in .venv, the Go peers built into bench/.cache/bin, the Rust program that writes
long histories), the real histories ($LINPOINT_DATA, or ../shared/data beside the project) and the synthetic ones
(bench/.cache, made once). Whatever is missing is said in words.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from bench import measure
from bench.generate import known_digests
from bench.tools import ROOT, Limits, Linpoint, Porcupine

BENCH = ROOT / "bench"
CACHE = BENCH / ".cache"
JAVA_SEED = 2019
DATA = Path(os.environ.get("LINPOINT_DATA") or ROOT.parent / "shared" / "data").resolve()


class Missing(Exception):
    """Something a suite needs is not there; the suite is skipped, visibly, or the run ends."""


@dataclass
class Bench:
    """All that a suite may ask for."""

    linpoint: Linpoint
    porcupine: Porcupine | None
    limits: Limits
    repeat: int
    quick: bool

    def generated(self, *names: str, program: str = "generate.py") -> list[Path]:
        folder = CACHE / "histories"
        lacking = [name for name in names if not (folder / f"{name}.jsonl").exists()]
        if lacking:
            note(f"generating {', '.join(lacking)}")
            subprocess.run(
                [sys.executable, str(BENCH / program), str(folder), *lacking],
                stdout=subprocess.DEVNULL,
                check=True,
            )
        return [folder / f"{name}.jsonl" for name in names]

    def long_history(self, subject: str, operations: int, label: str) -> Path:
        """A history that Python would be too slow to make; bench/programs/src/bin/long_history.rs says which there are."""
        target = CACHE / "histories" / f"long_{subject}_n{operations}_{label}.jsonl"
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            partial = target.with_suffix(".partial")
            program = build_program("long_history")
            subprocess.run([str(program), subject, str(operations), label, str(partial)], check=True)
            refuse_other_bytes(target.name, partial)
            partial.replace(target)
        return target

    def sort_seconds(self, operations: int) -> float:
        """What it takes to sort the call and return times of a long history."""
        program = build_program("long_history")
        told = subprocess.run([str(program), "floor", str(operations)], capture_output=True, text=True, check=True)
        return float(told.stdout)

    def recorded(self, kind: str, seed: int, ops: int) -> Path:
        """A history of real threads on a real set; recorded once, then kept."""
        target = CACHE / "recorded" / f"{kind}_n{4 * ops}_s{seed}.jsonl"
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            program = build("recorder")
            partial = target.with_suffix(".partial")
            subprocess.run([str(program), "-set", kind, "-seed", str(seed), "-ops", str(ops), str(partial)], check=True)
            partial.replace(target)
        return target

    def java(self, kind: str, count: int) -> Path:
        """The folder with so many histories per class of java.util.concurrent, of several threads or of one; recorded once."""
        target = CACHE / "juc" / f"{kind}-{count}"
        if not target.exists():
            note(f"recording java.util.concurrent, {kind}")
            partial = target.with_name(f"{target.name}.partial")
            command = ["java", "-cp", str(build_java()), "Recorder", str(partial), str(count), str(JAVA_SEED)]
            subprocess.run([*command, "sequential"] if kind == "sequential" else command, check=True)
            partial.replace(target)
        return target

    def data(self, *parts: str) -> Path:
        path = DATA.joinpath(*parts)
        if not path.exists():
            raise Missing(
                f"the real histories ({parts[0]}) are not there; LINPOINT_DATA names the folder that has them"
            )
        return path

    def warm(self) -> None:
        measure.warm(self.limits.memory_mib)


def find_linpoint(program: Path) -> Linpoint:
    python = program.parent / "python"
    if not program.exists():
        raise Missing(
            f"{shown(program)} is not there: install linpoint into .venv first (make build), or name it with --linpoint"
        )
    return Linpoint(program, python if python.exists() else Path(sys.executable))


def build(peer: str) -> Path:
    """Builds one Go program of bench/peers. Go itself does nothing when nothing has changed."""
    if shutil.which("go") is None:
        raise Missing(f"the Go toolchain is not installed, so the program {peer} cannot be built")
    target = CACHE / "bin" / peer
    done = subprocess.run(
        ["go", "build", "-buildvcs=false", "-o", str(target), "."],
        cwd=BENCH / "peers" / peer,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Missing(f"go build of {peer} failed:\n{done.stderr.strip()}")
    return target


def build_program(name: str) -> Path:
    """Builds one Rust program of bench/programs. Cargo itself does nothing when nothing has changed."""
    if shutil.which("cargo") is None:
        raise Missing(f"Rust (cargo) is not installed, so the program {name} cannot be built")
    target = ROOT / "target"
    command = ["cargo", "build", "--release", "--locked", "--package", "linpoint-bench", "--bin", name]
    done = subprocess.run(
        [*command, "--target-dir", str(target)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Missing(f"cargo build of {name} failed:\n{done.stderr.strip()}")
    return target / "release" / name


def build_java() -> Path:
    """Compiles the recorder of bench/juc."""
    if shutil.which("javac") is None or shutil.which("java") is None:
        raise Missing("a JDK (java, javac), 17 or newer, is not installed, so java.util.concurrent cannot be recorded")
    target = CACHE / "juc" / "classes"
    sources = sorted(map(str, (BENCH / "juc").glob("*.java")))
    done = subprocess.run(["javac", "-d", str(target), *sources], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Missing(f"javac of bench/juc failed:\n{done.stderr.strip()}")
    return target


def java_version() -> str:
    """Which Java is recorded: `openjdk version "17.0.9"`."""
    told = subprocess.run(["java", "-version"], capture_output=True, text=True, check=True)
    return (told.stderr or told.stdout).splitlines()[0]


def refuse_other_bytes(name: str, file: Path) -> None:
    """Two people who run the benchmarks check the same bytes, as far as generated.md5 has the digest."""
    if known := known_digests().get(name):
        with file.open("rb") as opened:
            digest = hashlib.file_digest(opened, "md5").hexdigest()
        if digest != known:
            raise SystemExit(f"{name} came out with other bytes ({digest}) than generated.md5 records")


def shown(path: Path) -> str:
    """A path as the tables show it: never the folders of this machine."""
    try:
        return str(path.resolve().relative_to(ROOT))
    except ValueError:
        return path.name


def without_folders(text: str) -> str:
    """The text, with the folders of this machine replaced: an error message may name them, a record must not."""
    for folder, name in ((DATA, "DATA"), (ROOT, "."), (Path.home(), "~")):
        text = text.replace(str(folder), name)
    return text


def note(text: str) -> None:
    print(f"· {text}", file=sys.stderr, flush=True)
