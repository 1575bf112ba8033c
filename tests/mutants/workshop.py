"""Where mutants are built and tested: a copy of the working tree with a build folder of its own."""

import json
import os
import resource
import subprocess
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.mutant import Mutant

# The crates whose tests see the mistakes of a crate.
WITNESSES = {"base": ["base", "check"], "spec": ["spec", "check"], "check": ["check"]}

# Fewer random histories than usual, and no symbols: seconds for a mutant.
QUICK = {
    "LINPOINT_FUZZ": "1000",
    "PROPTEST_CASES": "100",
    "CARGO_PROFILE_DEV_DEBUG": "0",
    "CARGO_INCREMENTAL": "1",
    "RUST_BACKTRACE": "0",
}

# Fewer still where every hash collides and each look-up meets every key.
COLLIDING = "200"

BYTES = 4 << 30
WALL = 900
STOPPED = "out of time or memory"


@dataclass(frozen=True)
class Program:
    """A test program: `--lib` or `--test NAME` of a crate, perhaps with collisions."""

    crate: str
    target: tuple[str, ...]
    collide: bool

    @property
    def name(self) -> str:
        """`check/agreement (collisions)`."""
        return f"{self.crate}/{self.target[-1].strip('-')}{' (collisions)' if self.collide else ''}"


class Workshop:
    """The copy. A mutant is in it only while it is judged."""

    def __init__(self, root: Path, crate: str) -> None:
        self.tree = root / "target" / "mutants" / crate / "tree"
        self.environment = {**os.environ, **QUICK, "CARGO_TARGET_DIR": str(self.tree.parent / "build")}
        copy(root, self.tree)
        self.programs = list(programs(self.tree, WITNESSES[crate]))
        self.seconds: dict[Program, float] = {}
        self.catches: Counter[tuple[str, Program]] = Counter()

    def baseline(self) -> str | None:
        """Builds and times the tests without a mutant. What they complain about, if they do."""
        for program in self.programs:
            path = self.built(program)
            if path is None:
                return f"{program.name} cannot be built"
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            if complaint := self.complaint(program, path):
                return f"{program.name}: {complaint}"
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            self.seconds[program] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.programs.sort(key=lambda program: (program.collide, self.seconds[program]))
        return None

    def judge(self, mutant: Mutant) -> str:
        """`caught by …`, `unbuildable` or `missed`."""
        path = self.tree / mutant.file
        sound = path.read_text(encoding="utf-8")
        path.write_text(mutant.applied(sound), encoding="utf-8")
        try:
            return self.verdict(mutant.file)
        finally:
            path.write_text(sound, encoding="utf-8")

    def verdict(self, file: str) -> str:
        """The same for what is in the tree now. The programs that caught most mutants of this file come first."""
        for program in sorted(self.programs, key=lambda program: -self.catches[file, program]):
            path = self.built(program)
            if path is None:
                return "unbuildable"
            if complaint := self.complaint(program, path):
                self.catches[file, program] += 1
                return f"caught by {program.name}" + (f", {STOPPED}" if complaint == STOPPED else "")
        return "missed"

    def built(self, program: Program) -> str | None:
        """Where the test program is; None if the compiler refuses."""
        command = ["cargo", "test", "--locked", "--no-run", "--message-format=json", *program.target]
        command += ["--package", f"linpoint-{program.crate}", *(["--features", "collide"] if program.collide else [])]
        done = subprocess.run(
            command, cwd=self.tree, env=self.environment, capture_output=True, text=True, check=False, timeout=WALL
        )
        messages = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        made = [message["executable"] for message in messages if message.get("executable")]
        return made[-1] if done.returncode == 0 else None

    def complaint(self, program: Program, path: str) -> str | None:
        """What a test program says when it fails. It may take three times the CPU time that it takes without a mutant."""
        seconds = 3 * int(self.seconds.get(program, 60)) + 5
        environment = {**self.environment, "LINPOINT_FUZZ": COLLIDING if program.collide else QUICK["LINPOINT_FUZZ"]}

        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        try:
            done = subprocess.run(
                [path, "--quiet"],
                cwd=self.tree / "crates" / program.crate,
                env=environment,
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
                timeout=WALL,
                preexec_fn=limit,
            )
        except subprocess.TimeoutExpired:
            return STOPPED
        if done.returncode < 0:
            return STOPPED
        return None if done.returncode == 0 else (done.stdout + done.stderr)[-4000:] or "it failed"


def programs(tree: Path, crates: list[str]) -> Iterator[Program]:
    """Every test program of these crates; again with collisions where the crate has that feature."""
    for collide in (False, True):
        for crate in crates:
            folder = tree / "crates" / crate
            manifest = tomllib.loads((folder / "Cargo.toml").read_text(encoding="utf-8"))
            if collide and "collide" not in manifest.get("features", {}):
                continue
            yield Program(crate, ("--lib",), collide)
            for path in sorted((folder / "tests").glob("*")):
                if path.suffix == ".rs" or (path / "main.rs").is_file():
                    yield Program(crate, ("--test", path.stem), collide)


def copy(root: Path, tree: Path) -> None:
    """Makes `tree` what the working tree is. What is the same keeps its time, so that cargo does not build it again."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(listing, cwd=root, capture_output=True, text=True, check=True).stdout.split("\0")
    wanted = {name for name in names if name and (root / name).is_file()}
    present = {path.relative_to(tree).as_posix() for path in tree.rglob("*") if path.is_file()}
    for name in present - wanted:
        (tree / name).unlink()
    for name in wanted:
        contents = (root / name).read_bytes()
        target = tree / name
        if name not in present or target.read_bytes() != contents:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(contents)
