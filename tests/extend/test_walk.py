"""A package is walked: which methods are found, what is said of each, with which exit status and in which form."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from linpoint.cli import program
from linpoint.extend import extend_source, walk
from linpoint.language.source import parse_source
from linpoint.verdict import Verdict

GOOD = """
class A:
    def __init__(self):
        self._d = {}
    def m(self, k):
        v = self._d.get(k)
        if v is None:
            v = self._d.setdefault(k, 1)
        return v
"""
BAD = "_d = {}\n\n\ndef f(k):\n    if k not in _d:\n        _d[k] = 1\n    return _d[k]\n"
LOCKED = """class L:
    d = {}
    def m(self, k):
        with self.lock:
            if k not in self.d:
                self.d[k] = 1
"""
ATOMIC = "_e = {}\n\n\ndef g(k):\n    return _e.setdefault(k, 1)\n"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    (tmp_path / "inner").mkdir()
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "inner" / "bad.py").write_text(BAD)
    (tmp_path / "atomic.py").write_text(ATOMIC)
    (tmp_path / "note.txt").write_text("no Python")
    return tmp_path


def run(*args: str) -> tuple[int, str]:
    done = CliRunner().invoke(program(["extend", "check"]), ["extend", *args])
    return done.exit_code, done.stdout


def test_what_takes_several_steps_is_found(package: Path) -> None:
    found = {result.name: result for result in walk([package])}
    assert {name: result.verdict for name, result in found.items()} == {
        "A.m": Verdict.LINEARIZABLE,
        "f": Verdict.VIOLATION,
    }
    assert found["f"].line == 4
    assert found["f"].file.endswith("bad.py")


def test_a_file_that_is_no_python_is_told(package: Path) -> None:
    (package / "broken.py").write_text("def f(:\n")
    told: list[str] = []
    assert len(list(walk([package], trouble=lambda file, words: told.append(words)))) == 2
    assert len(told) == 1
    assert "broken.py:1" in told[0]


def test_exit_status(package: Path) -> None:
    status, said = run(str(package))
    assert status == 1
    assert "1 verified, 1 refuted" in said
    assert run(str(package / "good.py"))[0] == 0
    (package / "inner" / "bad.py").write_text(LOCKED)
    status, said = run(str(package))
    assert status == 3
    assert "with self.lock" in said
    assert run(str(package / "absent.py"))[0] == 2


def test_json_has_the_promised_fields(package: Path) -> None:
    _, said = run(str(package), "--json")
    objects = [json.loads(line) for line in said.splitlines()]
    assert [each["verdict"] for each in objects] == ["linearizable", "violation"]
    promised = {"name", "file", "line", "base", "verdict", "reduction", "states", "seconds", "cause", "interleaving"}
    assert all(promised <= set(each) for each in objects)
    assert objects[1]["interleaving"][0] == {"thread": 1, "line": 4, "does": "f('a')", "result": ""}
    assert objects[0]["interleaving"] == []


def test_the_history_of_a_violation_can_be_checked_again(package: Path) -> None:
    _, said = run(str(package / "inner" / "bad.py"), "--json")
    lines = json.loads(said)["history"]
    assert all(json.loads(line)["f"] for line in lines)


def test_sarif_names_rule_file_and_line(package: Path) -> None:
    out = package / "out.sarif"
    (package / "locked.py").write_text(LOCKED)
    run(str(package), "--sarif", str(out))
    log = json.loads(out.read_text())
    assert log["version"] == "2.1.0"
    (ran,) = log["runs"]
    rules = {rule["id"] for rule in ran["tool"]["driver"]["rules"]}
    by_rule = {result["ruleId"]: result for result in ran["results"]}
    assert set(by_rule) == {"not-atomic", "not-covered"} == rules
    place = by_rule["not-atomic"]["locations"][0]["physicalLocation"]
    assert place["region"]["startLine"] == 4
    assert place["artifactLocation"]["uri"].endswith("inner/bad.py")
    assert by_rule["not-atomic"]["level"] == "warning"
    assert by_rule["not-covered"]["level"] == "note"
    assert by_rule["not-covered"]["locations"][0]["physicalLocation"]["region"]["startLine"] == 4
    assert {step["physicalLocation"]["region"]["startLine"] for step in by_rule["not-atomic"]["relatedLocations"]} >= {
        4,
        5,
    }


def test_why_says_what_was_saved(package: Path) -> None:
    _, said = run(str(package / "good.py"), "--why")
    assert "without these reductions the driver of Theorem 1 has" in said
    assert "Lemma 4" in said


def test_bad_usage() -> None:
    assert run()[0] == 2
    assert run("--library", "x.py")[0] == 2


def test_a_dict_that_overrides_its_operations_is_not_taken_for_one() -> None:
    text = "class D(dict):\n    def m(self, k):\n        if k in self:\n            return self[k]\n"
    (found,) = extend_source(parse_source(text))
    assert found.verdict is Verdict.VIOLATION
    assert extend_source(parse_source(text + "    def __getitem__(self, k):\n        return 1\n")) == []


REPAIRS = [
    ("if k not in _d:\n        _d[k] = v\n    return _d[k]", "setdefault(key, value)"),
    ("_d.setdefault(k, v)\n    return _d.get(k)", "go on with what it returns"),
    ("if k in _d:\n        return _d.pop(k)", "pop(key, default)"),
    ("_d[k] = _d.get(k, 0) + 1", "hold one lock from the first look"),
    ("if k in _d:\n        return _d[k]", "look once"),
    ("x = _d.get(k)\n    _d[k] = v\n    return x", "cannot write and look in one step"),
    ("if k in _d:\n        _d[v] = _d.pop(k)", "several keys"),
]


@pytest.mark.parametrize(("body", "words"), REPAIRS, ids=[words for _, words in REPAIRS])
def test_repairs(body: str, words: str) -> None:
    (found,) = extend_source(parse_source(f"_d = {{}}\n\n\ndef f(k, v):\n    {body}\n"))
    assert found.verdict is Verdict.VIOLATION
    assert words in found.repair


def test_any_number_of_arguments() -> None:
    """A call that is told names what it is given: what is not looked at is left out, and what is looked at is not covered."""
    body = "    if k not in _d:\n        _d[k] = object()\n    return _d[k]\n"
    (left_alone,) = extend_source(parse_source(f"_d = {{}}\n\n\ndef f(k, *rest, **more):\n{body}"))
    assert left_alone.verdict is Verdict.VIOLATION
    assert "f('a')" in str(left_alone)
    (looked_at,) = extend_source(parse_source(f"_d = {{}}\n\n\ndef f(*k):\n{body}"))
    assert looked_at.verdict is Verdict.UNKNOWN
    assert "any number of arguments" in str(looked_at)
