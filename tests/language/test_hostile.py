"""A hostile file gets a clear error from the command line: exit status 2, one line that names the place, and no traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

OBJECT = "from linpoint.language import Int, Object\n\n\nclass A(Object):\n    n: Int = 0\n\n    def f(self):\n"

FILES = {
    "syntax": b"class A(:\n",
    "null": b"class A: pass\x00\n",
    "encoding": b"# coding: klingon\nclass A: pass\n",
    "not-utf8": b"class A:\n    x = '\xff'\n",
    "digits": OBJECT.encode() + b"        return " + b"9" * 6000 + b"\n",
    "brackets": OBJECT.encode() + b"        return " + b"(" * 5000 + b"\n",
    "minus": OBJECT.encode() + b"        return " + b"-" * 20000 + b"1\n",
    "long-sum": OBJECT.encode() + b"        return 1" + b" + 1" * 50000 + b"\n",
    "nested": OBJECT.encode()
    + b"".join(b" " * (8 + n) + b"if self.n == 1:\n" for n in range(300))
    + b" " * 400
    + b"pass\n",
    "many-statements": OBJECT.encode() + b"        self.n = 1\n" * 20000,
    "huge": b"# " + b"x" * (1 << 21),
    "escape": OBJECT.encode() + b"        return '\\x1b[2J' + self.n\n",
    "bidi": OBJECT.encode() + "        return \u202eself\n".encode(),
    "tabs": b"class A:\n\tx = 1\n        y = 2\n",
    "empty": b"",
    "star-power": OBJECT.encode() + b"        return 9 ** 9 ** 9 ** 9\n",
    "shift": OBJECT.encode() + b"        return 1 << 99999999999\n",
    "product": OBJECT.encode() + b"        return " + b" * ".join([b"118"] * 80) + b"\n",
}


def run(*arguments: str, place: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "linpoint", "verify", *arguments],
        cwd=place,
        env=os.environ | {"NO_COLOR": "1", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_hostile_files_are_refused(tmp_path: Path) -> None:
    names = []
    for name, content in FILES.items():
        (tmp_path / f"{name}.py").write_bytes(content)
        names.append(f"{name}.py:A")
    (tmp_path / "folder.py").mkdir()
    done = run(*names, "none.py:A", "folder.py:A", "--spec", "stack", place=tmp_path)
    said = done.stdout + done.stderr
    assert done.returncode == 2
    assert "Traceback" not in said
    assert "\x1b" not in said
    assert "\u202e" not in said
    for name in (*FILES, "none", "folder"):
        lines = [line for line in said.splitlines() if f"{name}.py" in line]
        assert lines, (name, said)
        assert all(len(line) < 400 for line in lines)


@pytest.mark.parametrize("target", ["treiber.py", "a.py:", "nothing", "a.py:b.c", ":A", "\x1b[2J", "-"])
def test_odd_targets_are_refused(target: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(OBJECT + "        return 1\n")
    done = run("--spec", "stack", "--", target, place=tmp_path)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stdout + done.stderr
