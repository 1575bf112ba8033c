"""`check --save`, `check --report`, `certify`, `explain`."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.cli.program import BAD, GOOD, linpoint, run
from tests.conftest import ROOT


def prepared(tmp_path, text):
    history = tmp_path / "run.jsonl"
    history.write_text(text)
    return history, tmp_path / "result.json"


def test_a_saved_violation_is_certified_and_explained(tmp_path):
    history, result = prepared(tmp_path, BAD)
    assert linpoint("check", history, "--model", "register", "--save", result).returncode == 1
    proved = linpoint("certify", result, history)
    assert (proved.returncode, proved.stdout) == (
        0,
        "violation (register): no order explains the 1 operation of the counterexample, whatever the rest did\n",
    )
    assert "✗ read() → 2" in linpoint("explain", result).stdout


def test_a_saved_witness_is_certified_and_a_tampered_one_rejected(tmp_path):
    history, result = prepared(tmp_path, GOOD)
    assert linpoint("check", history, "--model", "register", "--save", result).returncode == 0
    assert linpoint("certify", result, history).returncode == 0
    saved = json.loads(result.read_text())
    result.write_text(json.dumps({**saved, "witness": saved["witness"][::-1]}))
    rejected = linpoint("certify", result, history)
    assert rejected.returncode == 1
    assert "rejected" in rejected.stderr
    assert linpoint("explain", result).returncode == 2


def test_the_pasted_test_passes(tmp_path):
    history, result = prepared(tmp_path, BAD)
    linpoint("check", history, "--model", "register", "--save", result)
    pasted = tmp_path / "test_pasted.py"
    pasted.write_text(linpoint("explain", result, "--pytest").stdout)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(pasted)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=120)
    assert "1 passed" in done.stdout, done.stdout


def test_pictures_are_written(tmp_path):
    history, result = prepared(tmp_path, BAD)
    page, picture = tmp_path / "report.html", tmp_path / "small.svg"
    linpoint("check", history, "--model", "register", "--save", result, "--report", page)
    assert page.read_text().startswith("<!doctype html>")
    assert linpoint("explain", result, "--svg", picture).returncode == 0
    assert picture.read_text().startswith("<svg")


def test_json_has_the_counterexample(tmp_path):
    history, _ = prepared(tmp_path, BAD)
    found = json.loads(linpoint("check", history, "--model", "register", "--json").stdout)
    assert found["counterexample"] == [
        {"operation": 1, "process": 1, "f": "read", "value": None, "result": 2, "call": 2, "return": 3}
    ]


def test_a_broken_result_file_is_named_with_its_place(tmp_path):
    history, result = prepared(tmp_path, BAD)
    result.write_text('{"format": \n')
    broken = linpoint("certify", result, history)
    assert broken.returncode == 2
    assert f"{result}:2:1" in broken.stderr


def test_a_kept_derivation_is_not_taken_for_proved(tmp_path):
    history = ROOT / "corpus" / "stack" / "violation" / "one-pulls-the-other.jsonl"
    for method, ends in (
        ("saturate", "; the derivation that it keeps was not tried\n"),
        ("auto", "whatever the rest did\n"),
    ):
        saved = tmp_path / f"{method}.json"
        assert run("check", history, "-m", "stack", "--method", method, "--save", saved, "-q").exit_code == 1
        told = run("certify", saved, history)
        assert (told.exit_code, told.output.endswith(ends)) == (0, True), told.output
