"""`linpoint convert`, `models`, `formats`, `--version`."""

import gzip

import pytest

import linpoint as lp
from tests.cli.program import GOOD, linpoint, run


@pytest.fixture
def good(tmp_path):
    (tmp_path / "good.jsonl").write_text(GOOD)
    return tmp_path / "good.jsonl"


@pytest.mark.parametrize("name", ["out.edn", "out.jsonl", "out.edn.gz"])
def test_convert_by_name(good, tmp_path, name):
    assert run("convert", good, tmp_path / name).exit_code == 0
    assert lp.read(tmp_path / name).columns.ranks() == lp.read(good).columns.ranks()
    assert lp.check(lp.read(tmp_path / name), "register").ok
    if name.endswith(".gz"):
        assert gzip.decompress((tmp_path / name).read_bytes()).startswith(b"[{:process")


def test_convert_through_pipes():
    done = linpoint("convert", "-", "-", "--to", "edn", input=GOOD)
    assert (done.returncode, done.stderr) == (0, "")
    again = linpoint("convert", "-", "-", "--format", "jepsen", input=done.stdout)
    assert lp.read(again.stdout.encode()).columns.ranks() == lp.read(GOOD.encode()).columns.ranks()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["missing", "out.edn"], "missing: no such file"),
        (["{good}", "out.txt"], "which format"),
        (["{good}", "out.txt", "--to", "violin"], "cannot write 'violin'"),
        (["{good}", "/nowhere/out.edn"], "/nowhere/out.edn: no such file"),
        (["{good}", "out.edn", "--format", "violin"], "good.jsonl:1"),
    ],
)
def test_convert_complains(good, args, words, tmp_path):
    done = linpoint("convert", *(arg.format(good=good) for arg in args), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_models_are_listed():
    text = run("models").stdout
    rows = {line.split()[0] for line in text.splitlines()}
    assert rows >= set(lp.models.SHIPPED)


@pytest.mark.parametrize("name", lp.models.SHIPPED)
def test_a_model_shows_its_operations(name):
    result = run("models", name)
    assert result.exit_code == 0
    for operation, row in lp.models.SHIPPED[name].table.items():
        assert operation in result.stdout
        assert all(synonym in result.stdout for synonym in row.synonyms.split())


def test_a_model_shows_what_looks_like_markup():
    assert "[old, new]" in run("models", "cas-register").stdout


def test_options_of_a_model_are_shown():
    assert "option permits=1: " in run("models", "semaphore").stdout


def test_an_unknown_model():
    done = linpoint("models", "kartoffel")
    assert done.returncode == 2
    assert "there is no model 'kartoffel'" in done.stderr


def test_formats_are_listed():
    text = run("formats").stdout
    assert all(name in text for name in lp.FORMATS)
    assert "convert`: jsonl, edn, csv, parquet." in text


def test_version():
    assert run("--version").stdout == f"linpoint {lp.__version__}\n"


def test_no_command_is_help():
    done = linpoint()
    assert done.returncode == 2
    assert "check" in done.stdout + done.stderr
