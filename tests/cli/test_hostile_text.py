"""Text from outside, in every place where text can come in: nothing of it steers the terminal or passes for a line of ours."""

import io
import json
import os
import re
from contextlib import redirect_stderr, redirect_stdout

import pytest

from linpoint.cli.app import run
from tests.cli.program import hard, on_a_terminal

HOSTILE = "x\x1b]0;owned\x07\x1b[6n\x9b6n\x7f\x85\u202e\u2066\u200f\u061c\u200b\ufeff\u2028\u3164[bold red]\n\rFORGED"
NAME = HOSTILE.replace("/", "")


def write(**changes):
    return {"process": 0, "f": "write", "value": 1, "result": None, "call": 0, "return": 1, **changes}


def read(**changes):
    return {"process": 1, "f": "read", "value": None, "result": 2, "call": 2, "return": 3, **changes}


def text(*records):
    """JSONL in which everything is as raw as JSON allows."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


HISTORIES = {
    "value": text(write(value=HOSTILE), read(result="other")),
    "result": text(write(), read(result=HOSTILE)),
    "inside": text(write(value=[HOSTILE, {HOSTILE: HOSTILE}]), read(result={HOSTILE: 1})),
    "key": text(write(key=HOSTILE), read(key=HOSTILE)),
    "two keys": text(write(key=HOSTILE), read(key=HOSTILE), read(key="other", result=None)),
    "process": text(write(process=HOSTILE), read(process=HOSTILE)),
    "f": text(write(f=HOSTILE), read()),
    "extra name": text(write(**{HOSTILE: 1}), read()),
    "extra value": text(write(note=HOSTILE), read(note=HOSTILE)),
    "type": text(write(type=HOSTILE)),
    "time": text(write(call=HOSTILE)),
    "no JSON": HOSTILE + "\n",
    "broken JSON": '{"process": 0, "f": "write' + HOSTILE + "\n",
    "good": text(write(value=HOSTILE, key=HOSTILE), read(result=HOSTILE, key=HOSTILE)),
    "annotation": text({"nemesis": HOSTILE, HOSTILE: 1}, write(), read()),
}


def assert_printable(said):
    wrong = sorted({c for c in said if not c.isprintable() and c != "\n"})
    assert wrong == [], said
    assert not any(line.startswith("FORGED") for line in said.split("\n")), said


def program(*args):
    """Runs the program in this process (many starts would take long); its exit status and standard output."""
    with redirect_stdout(io.StringIO()) as stdout, redirect_stderr(io.StringIO()) as stderr:
        status = run([os.fsdecode(arg) for arg in args])
    assert_printable(stdout.getvalue())
    assert_printable(stderr.getvalue())
    return status, stdout.getvalue()


@pytest.mark.parametrize("place", HISTORIES)
def test_finding_19_what_a_history_holds(tmp_path, place):
    path, saved = tmp_path / "h.jsonl", tmp_path / "saved.json"
    path.write_text(HISTORIES[place], encoding="utf-8")
    plain = program(
        "check", path, "-m", "register", "--save", saved, "--report", tmp_path / "p.html", "--explain-method"
    )
    assert plain[0] in (0, 1, 2)
    _, found = program("check", path, "-m", "register", "--json")
    assert found.isascii()
    assert set(json.loads(found)) >= {"file"}
    program("check", path, path)
    program("check", path)  # guessed, or not
    program("check", path, "-m", "queue")
    if saved.exists():
        program("certify", saved, path)
        program("explain", saved)
        program("explain", saved, "--pytest")
        program("explain", saved, "--svg", tmp_path / "p.svg")
        for file in (tmp_path / "p.html", saved):
            assert_printable(file.read_text(encoding="utf-8").replace("\t", ""))


def test_finding_19_names_of_files(tmp_path):
    path, saved = tmp_path / f"{NAME}.jsonl", tmp_path / f"{NAME}.json"
    path.write_text(HISTORIES["result"], encoding="utf-8")
    for name in (path, os.fsencode(tmp_path) + b"/\xff\x9b\xe9.jsonl"):
        with open(name, "w", encoding="utf-8") as file:
            file.write(HISTORIES["result"])
        assert program("check", name, "-m", "register")[0] == 1
        assert program("check", name, name, "-m", "register")[0] == 1
        assert program("check", name, "-m", "register", "--json")[1].isascii()
        with open(name, "a") as file:
            file.write("rubbish\n")
        assert program("check", name, "-m", "register")[0] == 2
        assert program("check", name, name, "-m", "register")[0] == 2
        assert program("convert", name, "-")[0] == 2
    path.write_text(HISTORIES["result"], encoding="utf-8")
    for wrong in (tmp_path / NAME / "missing", tmp_path / NAME):
        program("check", wrong)
        program("check", wrong, wrong, "--json")
        program("convert", wrong, "-")
        program("certify", wrong, path)
        program("explain", wrong)
        program("check", path, "--save", wrong)
        program("check", path, "--report", f"{wrong}.html")
        program("convert", path, f"{wrong}.edn")
    assert program("check", path, "-m", "register", "-q", "--save", saved)[0] == 1
    program("certify", saved, path)
    program("explain", saved)
    program("check", path, "--save", path)
    saved.write_text("{" + HOSTILE)
    program("certify", saved, path)
    program("explain", saved)


def test_finding_19_options(tmp_path):
    path = tmp_path / "h.jsonl"
    path.write_text(HISTORIES["result"], encoding="utf-8")
    for option in ("--model", "--format", "--method", "--timeout", "--memory", "--cache", "--save", "--report"):
        assert program("check", path, option, HOSTILE)[0] == 2
    for name in (HOSTILE, f"--{HOSTILE}", f"-{HOSTILE}"):
        assert program(name)[0] == 2
        assert program("check", path, name, "--json")[0] in (1, 2)
    for model in (f"register:{HOSTILE}", f"register:{HOSTILE}=1", f"register:initial={json.dumps(HOSTILE)}"):
        program("check", path, "-m", model)
        program("check", path, path, "-m", model)
        program("check", path, "-m", model, "--json")
        program("models", model)
    program("models", HOSTILE)
    program("convert", path, "-", "--to", HOSTILE)
    program("convert", path, HOSTILE)


def test_finding_19_what_a_saved_result_holds(tmp_path):
    path, saved = tmp_path / "h.jsonl", tmp_path / "saved.json"
    path.write_text(HISTORIES["result"], encoding="utf-8")
    program("check", path, "-m", "register", "-q", "--save", saved)
    good = json.loads(saved.read_text())
    for entry in good:
        for value in (HOSTILE, [HOSTILE], {HOSTILE: HOSTILE}, [{"operation": 1, HOSTILE: HOSTILE}]):
            saved.write_text(json.dumps({**good, entry: value}, ensure_ascii=False), encoding="utf-8")
            program("certify", saved, path)
            program("explain", saved)
    records = good["counterexample"]
    for entry in ("process", "f", "value", "result", "key", "call", "type", HOSTILE):
        changed = [{**record, entry: HOSTILE} for record in records]
        saved.write_text(json.dumps({**good, "counterexample": changed}, ensure_ascii=False), encoding="utf-8")
        program("certify", saved, path)
        program("explain", saved)
        program("explain", saved, "--pytest")


def test_finding_19_transition_systems(tmp_path):
    label = HOSTILE.replace("\n", "").replace("\r", "").replace('"', "")
    path, other = tmp_path / f"{NAME}.aut", tmp_path / "other.aut"
    path.write_text(f'des (0, 2, 3)\n(0, "{label}", 1)\n(1, "tau", 2)\n', encoding="utf-8")
    other.write_text('des (0, 1, 2)\n(0, "b", 1)\n', encoding="utf-8")
    for more in ([], ["--json"]):
        program("lts", "info", path, *more)
        program("lts", "reduce", path, *more)
        program("lts", "compare", path, other, *more)
        program("lts", "compare", other, path, "--preorder", "trace", *more)
        program("lts", "info", tmp_path / HOSTILE, path, *more)
        program("lts", "reduce", path, "--equivalence", HOSTILE, *more)
        program("lts", "reduce", path, "--output", tmp_path / HOSTILE, *more)
    path.write_text(HOSTILE, encoding="utf-8")
    program("lts", "info", path)
    program("lts", "info", path, "--json")


STYLING = re.compile(r"\x1b\[[0-9;]*m|\x1b\[\?25[lh]|\x1b\[[0-9]*[AK]|\x1b\[2K|\r")


@pytest.mark.filterwarnings("ignore:.*forkpty.*:DeprecationWarning")
@pytest.mark.parametrize(
    "args", [["check", "{0}"], ["check", "{0}", "{0}"], ["check", "{0}", "--json"], ["convert", "{0}", "-"]]
)
def test_finding_19_on_a_terminal_only_our_own_styling(tmp_path, args):
    path = tmp_path / f"{NAME}.jsonl"
    path.write_text(HISTORIES["value"], encoding="utf-8")
    said, _ = on_a_terminal(*(arg.format(path) for arg in args))
    assert_printable(STYLING.sub("", said))
    assert "\x1b[6n" not in said


@pytest.mark.filterwarnings("ignore:.*forkpty.*:DeprecationWarning")
def test_finding_19_the_progress_bar(tmp_path):
    path = tmp_path / f"{NAME}.jsonl"
    path.write_text(hard())
    said, status = on_a_terminal("check", path, "-m", "stack", "--timeout", "2.5s")
    assert status == 3
    assert "% explained" in said
    assert_printable(STYLING.sub("", said))
