"""Models of the user's own (`--model FILE.py:Class`) in every command. Files run on purpose only, and under the clock."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import pytest

from tests.cli.program import linpoint, run
from tests.conftest import ROOT

EXAMPLES = ROOT / "examples"
OWN = [("bank", "Bank"), ("leases", "Leases")]


def place(name, cls):
    return f"{EXAMPLES / 'models' / name}.py:{cls}"


@pytest.mark.parametrize(("name", "cls"), OWN)
def test_from_check_to_a_pasted_test(name, cls, tmp_path):
    history, result, page = EXAMPLES / "histories" / f"{name}.jsonl", tmp_path / "result.json", tmp_path / "page.html"
    checked = linpoint("check", history, "--model", place(name, cls), "--save", result, "--report", page)
    assert (checked.returncode, checked.stdout.partition(":")[0]) == (1, f"VIOLATION ({cls})")
    assert page.read_text().startswith("<!doctype html>")
    proved = linpoint("certify", result, history, "--model", place(name, cls))
    assert (proved.returncode, proved.stdout.partition(":")[0]) == (0, f"violation ({cls})")
    assert linpoint("explain", result).stdout == checked.stdout
    pasted = tmp_path / "test_pasted.py"
    pasted.write_text(linpoint("explain", result, "--pytest", "--model", place(name, cls)).stdout)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(pasted)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=120)
    assert "1 passed" in done.stdout, done.stdout


def test_a_pasted_test_finds_the_model_from_any_folder(tmp_path, monkeypatch):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "leases.py").write_text((EXAMPLES / "models" / "leases.py").read_text())
    monkeypatch.chdir(tmp_path)
    history = EXAMPLES / "histories" / "leases.jsonl"
    assert run("check", history, "--model", "own/leases.py:Leases", "--save", "result.json").exit_code == 1
    told = run("explain", "result.json", "--pytest", "--model", "own/leases.py:Leases")
    (tmp_path / "test_pasted.py").write_text(told.stdout)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path / "test_pasted.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path / "own", timeout=120)
    assert "1 passed" in done.stdout, done.stdout


def test_a_saved_witness_is_replayed_on_the_model_given_again(tmp_path):
    good, result = tmp_path / "good.jsonl", tmp_path / "result.json"
    good.write_text('{"process":0,"f":"read","result":[7,8],"call":0,"return":1}\n')
    model = place("bank", "Bank") + ":balances=[7,8]"
    assert run("check", good, "-m", model, "--save", result).exit_code == 0
    assert run("certify", result, good, "-m", model).exit_code == 0
    other = run("certify", result, good, "-m", place("bank", "Bank"))  # with other balances the read is impossible
    assert (other.exit_code, "rejected" in other.stderr) == (1, True)


@pytest.mark.parametrize("field", ["own_model", "model", "parts"])
def test_a_tampered_result_is_rejected(field, tmp_path):
    history, result = EXAMPLES / "histories" / "leases.jsonl", tmp_path / "result.json"
    run("check", history, "--model", place("leases", "Leases"), "--save", result)
    saved = json.loads(result.read_text())
    result.write_text(json.dumps({**saved, field: 9 if field == "parts" else "Tenants"}))
    assert run("certify", result, history, "--model", place("leases", "Leases")).exit_code == 1


def test_no_saved_result_runs_code(tmp_path):
    model, history, result = tmp_path / "own.py", tmp_path / "run.jsonl", tmp_path / "result.json"
    model.write_text(
        "import linpoint as lp, pathlib\n"
        f"pathlib.Path({str(tmp_path / 'ran')!r}).touch()\n"
        "class Zero(lp.Model):\n"
        "    initial = 0\n"
        "    def read(self, state, _): return state, state\n"
    )
    history.write_text('{"process":0,"f":"read","result":1,"call":0,"return":1}\n')
    assert linpoint("check", history, "--model", f"{model}:Zero", "--save", result).returncode == 1
    (tmp_path / "ran").unlink()
    assert linpoint("explain", result, cwd=tmp_path).returncode == 0
    for command in (["certify", result, history], ["explain", result, "--pytest"]):
        done = linpoint(*command, cwd=tmp_path)
        assert (done.returncode, "name it, --model FILE.py:Zero" in done.stderr) == (2, True)
    text = result.read_text()
    result.write_text(text.replace('"Zero"', json.dumps(f"{model}:Zero")))
    assert linpoint("certify", result, history, cwd=tmp_path).returncode == 2
    assert not (tmp_path / "ran").exists()
    assert linpoint("certify", result, history, "--model", "register").returncode == 1


def test_a_model_for_a_result_of_a_shipped_one_is_refused(tmp_path):
    history, result = EXAMPLES / "histories" / "stale-read.jsonl", tmp_path / "result.json"
    run("check", history, "--model", "cas-register", "--save", result)
    done = run("certify", result, history, "--model", place("bank", "Bank"))
    assert (done.exit_code, "--model is for one of your own" in done.stderr) == (2, True)


WRONG = {
    "class Own(lp.Model):\n    initial = 0\n    def write(self, state, value): return value.upper(), None\n": (
        "run.jsonl: operation 1, line 3: Own failed on write(2) in state 'A': AttributeError: 'int' object has no attribute"
    ),
    "class Own(lp.Model):\n    initial = 0\n    def write(self, state): return state, None\n": (
        "but 3 were given; every operation takes (self, state, value)"
    ),
    "class Own(lp.Model):\n    initial = 0\n": "operation 0, line 2: Own has no operation 'write'; it has none",
    "x = 1 / 0\nclass Own(lp.Model): pass\n": "own.py:2: ZeroDivisionError: division by zero",
    "class Own(lp.Model:\n": "own.py:2: SyntaxError",
    "import sys\nsys.exit(0)\n": "own.py:3: SystemExit: 0",
    "Own = 7\n": "own.py:Own is 7: name a class",
    "class Other(lp.Model): pass\n": "own.py has no Own; its models are Other",
    "class Own(lp.Model):\n    def __init__(self, size): pass\n": "cannot be made with no options: TypeError",
}


@pytest.mark.parametrize("text", WRONG, ids=lambda text: text.splitlines()[0][:30])
def test_what_is_wrong_with_a_model_is_said_with_its_line(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)  # so that the folder goes again
    history = tmp_path / "run.jsonl"
    history.write_text(
        '\n{"process":0,"f":"write","value":"a","call":0,"return":1}\n{"process":0,"f":"write","value":2,"call":2,"return":3}\n'
    )
    (tmp_path / "own.py").write_text("import linpoint as lp\n" + text)
    done = run("check", "run.jsonl", "--model", "own.py:Own")
    assert (done.exit_code, done.stdout) == (2, "")
    assert WRONG[text] in done.stderr
    assert "Traceback" not in done.stderr


ENDLESS = {
    "while True: pass\n": "the import",
    "import time\ntime.sleep(60)\n": "waiting",
    "class Own(lp.Model):\n    def __init__(self):\n        while True: pass\n": "making it",
}


@pytest.mark.parametrize("text", ENDLESS, ids=ENDLESS.get)
def test_a_file_that_does_not_end_is_ended(text, tmp_path):
    (tmp_path / "own.py").write_text("import linpoint as lp\n" + text)
    (tmp_path / "run.jsonl").write_text('{"process":0,"f":"read","result":0,"call":0,"return":1}\n')
    done = linpoint("check", "run.jsonl", "--model", "own.py:Own", "--timeout", "300ms", "--json", cwd=tmp_path)
    assert (done.returncode, "out of time while running own.py:Own" in done.stderr) == (3, True), done.stderr
    assert "out of time" in json.loads(done.stdout)["error"]


def test_ctrl_c_ends_a_file_that_does_not_end(tmp_path):
    ready = tmp_path / "ready"
    (tmp_path / "own.py").write_text(f"open({str(ready)!r}, 'w').close()\nwhile True: pass\n")
    (tmp_path / "run.jsonl").write_text('{"process":0,"f":"read","result":0,"call":0,"return":1}\n')
    command = [sys.executable, "-m", "linpoint", "check", "run.jsonl", "--model", "own.py:Own"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as running:
        while not ready.exists():
            time.sleep(0.01)
        running.send_signal(2)
        assert "interrupted" in running.communicate(timeout=60)[1]
    assert running.returncode == 3


def test_a_class_that_is_no_model_and_a_function_do_as_well(tmp_path):
    (tmp_path / "own.py").write_text(
        "import helper\n"
        "class Box:\n    def __init__(self): self.held = 0\n    def write(self, value): self.held = value\n"
        "    def read(self): return self.held\n"
        "def box(): return Box()\n"
    )
    (tmp_path / "helper.py").write_text("")
    (tmp_path / "run.jsonl").write_text('{"process":0,"f":"read","result":1,"call":0,"return":1}\n')
    for name in ("Box", "box"):
        done = linpoint("check", "run.jsonl", "--model", f"own.py:{name}", cwd=tmp_path)
        assert (done.returncode, done.stdout.startswith("VIOLATION (Box)")) == (1, True), done.stderr
