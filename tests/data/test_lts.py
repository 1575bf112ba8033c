"""Transition systems of real algorithms with known quotients: `lts/expected.tsv` of the shared data.

They are not in the repository. These tests read them from LINPOINT_DATA or ../shared/data, and are skipped where
neither is there.
"""

from pathlib import Path

import pytest

from linpoint.lts import Answer, read
from tests.conftest import shared_data

DATA = shared_data()
FOLDER = (DATA or Path("no-data")) / "lts"
pytestmark = pytest.mark.skipif(DATA is None, reason="no shared data: set LINPOINT_DATA or put it at ../shared/data")
ROWS = [line.split("\t") for line in (FOLDER / "expected.tsv").read_text("utf-8").splitlines()[1:]] if DATA else []


def test_there_are_rows() -> None:
    assert len(ROWS) >= 19


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_quotients_are_exactly_those_that_two_other_tools_found(row: list[str]) -> None:
    system = read(FOLDER / f"{row[0]}.aut.gz")
    branching, divergence = system.reduce("branching"), system.reduce("divergence")
    found = [system, branching, divergence]
    assert [str(size) for lts in found for size in (lts.states, lts.transitions)] == row[1:]


@pytest.mark.parametrize("name", ["treiber", "msq", "hm_buggy", "ccas", "hwq", "treiber_hp_fu"])
def test_only_the_buggy_list_has_a_trace_that_its_specification_lacks(name: str) -> None:
    system, specification = (read(FOLDER / f"{name}_t2_o2_v2.{side}.aut.gz") for side in ("impl", "spec"))
    found = system.included_in(specification)
    assert found.answer is (Answer.NO if name == "hm_buggy" else Answer.YES)
    if found.trace is not None:
        assert len(found.trace) == 6
        assert sorted(step for step in found.trace if ".ret.rem" in step) == ["t1.ret.rem(1)", "t2.ret.rem(1)"]


def test_the_revised_hazard_pointers_are_told_from_their_specification_by_divergence() -> None:
    system, specification = (read(FOLDER / f"treiber_hp_fu_t2_o2_v2.{side}.aut.gz") for side in ("impl", "spec"))
    found = system.compare(specification, "divergence")
    assert (found.answer, found.in_first) == (Answer.NO, True)
    assert "can take internal steps for ever" in str(found)
