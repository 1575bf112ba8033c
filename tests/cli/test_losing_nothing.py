"""A verdict once known survives: readers that go away, full disks, closed streams, failing renderers, closed folders."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.program import BAD, GOOD, linpoint
from tests.cli.workload import PROGRAM, driven

COMMANDS = {
    "check good.jsonl -m register": 0,
    "check bad.jsonl -m register": 1,
    "check good.jsonl bad.jsonl -m register": 1,
    "check bad.jsonl -m register --json": 1,
    "check missing.jsonl": 2,
    "check --nonsense": 2,
    "convert good.jsonl -": 0,
    "certify saved.json bad.jsonl": 0,
    "explain saved.json": 0,
    "models": 0,
    "formats": 0,
    "--help": 0,
    "--version": 0,
}
PLUMBING = ["| true", "<&- >&- 2>&-", "| head -1", ">&-", "2>&-", "<&-", "2>/dev/full"]
"""The first two for every command, all for one that fails and one that does not."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("histories")
    (place / "good.jsonl").write_text(GOOD)
    (place / "bad.jsonl").write_text(BAD)
    assert (
        linpoint("check", place / "bad.jsonl", "-m", "register", "-q", "--save", place / "saved.json").returncode == 1
    )
    return place


def shell(folder, script):
    """Runs a script of bash in a folder."""
    return subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.parametrize("command", COMMANDS)
def test_finding_15_no_plumbing_changes_the_exit_status(folder, command):
    plumbing = PLUMBING if command in ("check good.jsonl -m register", "check missing.jsonl") else PLUMBING[:2]
    lines = [f"{PROGRAM} {command} {pipes}\necho ${{PIPESTATUS[0]}} >> statuses" for pipes in plumbing]
    (folder / "statuses").unlink(missing_ok=True)
    done = subprocess.run(
        ["bash"], input="\n".join(lines), text=True, cwd=folder, capture_output=True, check=False, timeout=120
    )
    assert (folder / "statuses").read_text().split() == [str(COMMANDS[command])] * len(plumbing)
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_finding_15_a_full_disk_is_said_and_leaves_the_status(folder, command):
    done = subprocess.run(
        f"{PROGRAM} {command} > /dev/full",
        shell=True,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    prints = COMMANDS[command] != 2
    assert ("linpoint: standard output: no space left on device\n" in done.stderr) is prints
    # of a converted history nothing but the history was wanted
    assert done.returncode == (2 if command.startswith("convert") else COMMANDS[command])


def test_finding_15_standard_input_that_is_closed_is_no_traceback(folder):
    done = subprocess.run(
        f"{PROGRAM} check - <&-", shell=True, cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert done.stderr.startswith("linpoint: <stdin>: ")


def test_finding_17_a_file_name_that_is_not_utf_8(folder):
    strange = os.fsencode(folder) + b"/caf\xe9.jsonl"
    Path(os.fsdecode(strange)).write_text(BAD)
    for args in ([], ["--json"], [str(folder / "bad.jsonl")]):
        done = subprocess.run(
            [PROGRAM, "check", strange, "-m", "register", *args], capture_output=True, check=False, timeout=60
        )
        assert (done.returncode, done.stderr) == (1, b"")
    found = subprocess.run(
        [PROGRAM, "check", strange, "-m", "register", "--json"], capture_output=True, check=False, timeout=60
    )
    assert os.fsencode(json.loads(found.stdout)["file"]) == strange
    listed = subprocess.run(
        [PROGRAM, "check", strange, folder / "bad.jsonl"], capture_output=True, check=False, timeout=60
    )
    assert rb"caf\udce9.jsonl" in listed.stdout


REFUSED = {
    "{folder}/no/folder.json": "no such file or directory",
    "{folder}": "is a directory",
    "{folder}/dir.json": "is a directory",
    "{folder}/bad.jsonl/x.json": "not a directory",
    "{folder}/plain": ": a result is saved as .html, .svg or .json",
    "{folder}/plain.txt": ": a result is saved as .html, .svg or .json",
    "{folder}/history.json": "is the file that is read",
    "{folder}/link.json": "is the file that is read",
    "{folder}/" + "x" * 300 + ".json": "file name too long",
}


@pytest.mark.parametrize("option", ["--save", "--report"])
@pytest.mark.parametrize("path", REFUSED)
def test_finding_17_paths_are_tried_before_the_search(folder, path, option):
    (folder / "dir.json").mkdir(exist_ok=True)
    (folder / "history.json").write_text(BAD)
    if not (folder / "link.json").is_symlink():
        (folder / "link.json").symlink_to("history.json")
    before = sorted(folder.iterdir())
    given = path.format(folder=folder)
    done = linpoint("check", folder / "history.json", "-m", "register", "--format", "jsonl", option, given)
    assert (done.returncode, done.stdout) == (2, "")
    assert REFUSED[path] in done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(folder.iterdir()) == before
    assert (folder / "history.json").read_text() == BAD


def test_a_path_that_is_refused_is_refused_in_json_too(folder):
    done = linpoint("check", folder / "bad.jsonl", "--json", "--save", folder / "no" / "x.json")
    assert done.returncode == 2
    assert set(json.loads(done.stdout)) == {"file", "error"}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_finding_17_a_folder_that_may_not_be_written(folder, tmp_path):
    (tmp_path / "closed").mkdir(mode=0o500)
    done = linpoint("check", folder / "bad.jsonl", "--save", tmp_path / "closed" / "x.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert "permission denied" in done.stderr


def test_convert_explain_and_svg_try_their_paths_too(folder):
    for args in (
        ["convert", folder / "good.jsonl", folder / "no" / "x.edn"],
        ["convert", folder / "good.jsonl", folder / "good.jsonl"],
        ["explain", folder / "saved.json", "--svg", folder / "no" / "x.svg"],
        ["explain", folder / "saved.json", "--svg", folder / "saved.json"],
    ):
        done = linpoint(*args)
        assert (done.returncode, done.stdout) == (2, ""), args
    assert (folder / "good.jsonl").read_text() == GOOD


def test_a_file_is_replaced_whole_and_a_link_stays_one(folder, tmp_path):
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "real.json").chmod(0o640)
    (tmp_path / "link.json").symlink_to("real.json")
    (tmp_path / "dangling.json").symlink_to("new.json")
    for name in ("link.json", "dangling.json"):
        assert (
            linpoint("check", folder / "bad.jsonl", "-m", "register", "-q", "--save", tmp_path / name).returncode == 1
        )
        assert (tmp_path / name).is_symlink()
    assert json.loads((tmp_path / "real.json").read_text())["verdict"] == "violation"
    assert json.loads((tmp_path / "new.json").read_text())["verdict"] == "violation"
    assert (tmp_path / "real.json").stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dangling.json", "link.json", "new.json", "real.json"]


def test_standard_output_is_a_file_like_any_other(folder, tmp_path):
    for option, start in (("--save", '{\n "format"'), ("--report", "<!doctype html>")):
        out = tmp_path / "out"
        command = f"{PROGRAM} check bad.jsonl -m register {option} /dev/stdout > {out}"
        assert shell(folder, command).returncode == 1
        assert out.read_text().startswith("VIOLATION (register)")
        assert start in out.read_text()


def test_a_writer_that_fails_leaves_the_old_file(folder, tmp_path):
    old = tmp_path / "old.json"
    old.write_text("old")
    done = driven(
        "linpoint.files", "os.replace", "fail", "check", folder / "bad.jsonl", "-m", "register", "--save", old
    )
    assert done.returncode == 1
    assert "VIOLATION" in done.stdout
    assert f"{old} was not written: " in done.stderr
    assert old.read_text() == "old"
    assert list(tmp_path.iterdir()) == [old]


RENDERERS = {
    "linpoint.cli.check report": ["not drawn: RuntimeError: planted"],
    "linpoint.cli.table _trouble": [],
    "linpoint.cli.outcome explain": ["no counterexample: RuntimeError: planted"],
    "linpoint.explain.explain narrative": ["no counterexample: RuntimeError: planted"],
    "linpoint.explain.report _timeline": ["planted"],
    "linpoint.explain.explain footer": ["not drawn: RuntimeError: planted"],
    "linpoint.explain.save rendered": ["was not written: RuntimeError: planted"],
    "linpoint.cli.keep write_file": ["was not written: RuntimeError: planted"],
    "linpoint.explain.save page": ["page.html was not written: RuntimeError: planted"],
    "linpoint.explain.save certificate": ["saved.json was not written: RuntimeError: planted"],
    "linpoint.check.result Result.headline": [],
}


@pytest.mark.parametrize("where", RENDERERS)
def test_finding_17_a_renderer_that_fails_loses_no_verdict(folder, tmp_path, where):
    module, name = where.split()
    files = ["--save", tmp_path / "saved.json", "--report", tmp_path / "page.html"]
    done = driven(module, name, "fail", "check", folder / "bad.jsonl", "-m", "register", *files)
    assert done.returncode == 1
    assert done.stdout.startswith("VIOLATION (")
    assert "Traceback" not in done.stderr
    for words in RENDERERS[where]:
        assert words in done.stdout + done.stderr


@pytest.mark.parametrize(
    "where",
    ["linpoint.cli.outcome explain", "linpoint.check.result Result.to_dict", "linpoint.explain.certificate said_of"],
)
def test_a_renderer_that_fails_leaves_json_json(folder, where):
    module, name = where.split()
    done = driven(module, name, "fail", "check", folder / "bad.jsonl", "-m", "register", "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["verdict"]) == (1, "violation")
    assert any("RuntimeError: planted" in note for note in found["notes"])


def test_several_files_survive_a_row_that_fails(folder):
    files = [folder / "good.jsonl", folder / "bad.jsonl"]
    done = driven("linpoint.cli.table", "_trouble", "fail", "check", *files, "-m", "register")
    assert done.returncode == 1
    assert "2 files: 1 linearizable, 1 violation" in done.stdout
    assert "Traceback" not in done.stderr


def test_the_console_script_is_the_one_that_is_tested():
    assert Path(PROGRAM).exists()
    assert "linpoint_program" in Path(PROGRAM).read_text()
    assert sys.executable.startswith(str(Path(PROGRAM).parent))


def test_half_a_proof_is_told_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "steps.drat").symlink_to("/dev/full")
    (tmp_path / "bad.jsonl").write_text(BAD)
    command = ["check", "bad.jsonl", "-m", "register", "--method", "solve", "--proof", "steps.cnf", "-q"]
    done = linpoint(*command, cwd=tmp_path)
    assert done.returncode == 1
    assert "steps.drat was not written" in done.stderr
    premises = tmp_path / "steps.cnf"
    assert not premises.exists() or not premises.read_bytes()
