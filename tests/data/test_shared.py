"""Real histories with known verdicts: Jepsen on etcd, Porcupine's key-value logs, Knossos, violin.

They are not in the repository. These tests read them from LINPOINT_DATA or ../shared/data, and are skipped where
neither is there.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import linpoint
from tests.conftest import shared_data

DATA = shared_data()
FOLDER = DATA or Path("no-data")
pytestmark = pytest.mark.skipif(DATA is None, reason="no shared data: set LINPOINT_DATA or put it at ../shared/data")
LINPOINT = Path(sys.executable).parent / "linpoint"

GOOD, BAD = linpoint.Verdict.LINEARIZABLE, linpoint.Verdict.VIOLATION
PATIENCE = 60


def expected(table: Path) -> dict[str, str]:
    lines = table.read_text(encoding="utf-8").splitlines() if DATA else []
    return dict(line.split("\t")[:2] for line in lines)


def verdict(path: Path, model: str) -> linpoint.Verdict:
    return linpoint.check(linpoint.read(path), model, timeout=PATIENCE).verdict


def test_jepsen_etcd_in_one_command() -> None:
    """60 logs of a CAS register on etcd with stale reads allowed."""
    labels = expected(FOLDER / "jepsen-etcd" / "expected.tsv")
    assert len(labels) == 60
    files = [str(FOLDER / "jepsen-etcd" / name) for name in labels]
    command = [str(LINPOINT), "check", *files, "--model", "cas-register", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert {Path(answer["file"]).name: answer["verdict"] for answer in answers} == labels
    assert done.returncode == 1


@pytest.mark.parametrize("failed_cas", [False, True])
def test_no_etcd_verdict_depends_on_how_a_failed_cas_is_read(failed_cas: bool) -> None:
    labels = expected(FOLDER / "jepsen-etcd" / "expected.tsv")
    histories = {name: linpoint.read(FOLDER / "jepsen-etcd" / name, failed_cas=failed_cas) for name in labels}
    answers = {name: str(linpoint.check(h, "cas-register", timeout=PATIENCE).verdict) for name, h in histories.items()}
    assert answers == labels


@pytest.mark.parametrize("path", sorted(FOLDER.glob("porcupine-kv/*.txt")), ids=lambda path: path.name)
@pytest.mark.parametrize("partition", [True, False])
def test_porcupine_kv(path: Path, partition: bool) -> None:
    result = linpoint.check(linpoint.read(path), "kv", partition=partition, timeout=PATIENCE)
    assert result.verdict is (GOOD if path.stem.endswith("-ok") else BAD)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("knossos/cas-register/*/*.edn")), ids=lambda path: path.name)
def test_knossos_cas_register(path: Path) -> None:
    assert verdict(path, "cas-register") is (GOOD if path.parent.name == "good" else BAD)


def test_knossos_multi_register() -> None:
    """The file is good as its own comment says: x=0 and y=0 at first.

    The data's README says nil: then it is a violation, since operation 2 reads x=0 and y=0 before anybody wrote 0 to y.
    """
    path = FOLDER / "knossos" / "multi-register" / "good" / "multi-register.edn"
    assert verdict(path, "multi-register:initial=0") is GOOD
    started_at_nil = linpoint.check(linpoint.read(path), "multi-register")
    assert started_at_nil.verdict is BAD
    assert started_at_nil.stuck_index == 2


VIOLIN = expected(FOLDER / "violin" / "expected.tsv")


@pytest.mark.parametrize("folder", ["simple", "small", "unsafe-stack"])
def test_violin(folder: str) -> None:
    """Stacks and queues; the file says which (`# @object atomic-queue`)."""
    labels = {name: label for name, label in VIOLIN.items() if name.startswith(f"{folder}/")}
    assert labels
    answers = {}
    for name in labels:
        history = linpoint.read(FOLDER / "violin" / name)
        answers[name] = str(
            linpoint.check(history, str(history.object).removeprefix("atomic-"), timeout=PATIENCE).verdict
        )
    assert answers == labels


@pytest.mark.parametrize("path", sorted(FOLDER.glob("violin/big/*.log")), ids=lambda path: path.name)
def test_violin_big(path: Path) -> None:
    """10,000 operations of a Michael-Scott queue, linearizable."""
    assert verdict(path, "queue") is GOOD
