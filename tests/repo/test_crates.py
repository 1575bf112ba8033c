"""The crates: only one knows PyO3, dependencies go one way, and no method of search knows another."""

import shutil
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.repo.rust_paths import Module, named

CRATES = ROOT / "crates"
ORDER = ["base", "history", "spec", "theory", "solve", "check", "monitor", "replay", "equiv", "explore", "python"]
TESTKIT = "testkit"
"""What the tests of the crates share: a dependency of tests only."""
CHECK = CRATES / "check" / "src"
SEARCHES: set[Module] = {("search", name) for name in ("breadth_first", "crashed", "depth_first", "queue", "wgl")}
MONITORS: set[Module] = {
    ("monitor", name)
    for name in (
        "append_list",
        "grow_only_set",
        "priority_queue",
        "queue",
        "reads_from",
        "register",
        "set",
        "stack",
        "transactions",
    )
}
METHODS: set[Module] = {("monitor",)} | SEARCHES | MONITORS
KNOW_METHODS: set[Module] = {(), ("methods",), ("portfolio",), ("search",), ("search", "race"), ("monitor",)}
# What comes after the methods uses one of them.
KNOW_METHODS |= {("explain", name) for name in ("cut", "needed", "values", "workbench")} | {("explain",), ("resume",)}
# what comes after the methods uses one of them


def dependencies(crate: str, *tables: str) -> set[str]:
    manifest = tomllib.loads((CRATES / crate / "Cargo.toml").read_text(encoding="utf-8"))
    return {name for table in tables or ("dependencies", "dev-dependencies") for name in manifest.get(table, {})}


def test_every_crate_has_its_place() -> None:
    assert {path.name for path in CRATES.iterdir() if path.is_dir()} == {*ORDER, TESTKIT}


def test_only_one_crate_knows_python() -> None:
    assert [crate for crate in ORDER if "pyo3" in dependencies(crate)] == ["python"]


def test_dependencies_go_one_way() -> None:
    for place, crate in enumerate(ORDER):
        own = {name.removeprefix("linpoint-") for name in dependencies(crate) if name.startswith("linpoint-")}
        assert own - {TESTKIT} <= set(ORDER[:place]), crate


def test_the_testkit_is_only_for_tests() -> None:
    for crate in ORDER:
        assert f"linpoint-{TESTKIT}" not in dependencies(crate, "dependencies"), crate


def methods_of(path: Module) -> set[Module]:
    return {path[:end] for end in range(1, len(path) + 1)} & METHODS


def acquaintances(root: Path) -> list[str]:
    """`search::wgl knows monitor`: each file that names a method it is no part of, though it may not."""
    found = []
    for module, paths in named(root):
        known = {method for path in paths for method in methods_of(path)} - methods_of(module)
        if module not in KNOW_METHODS:
            found += [f"{'::'.join(module)} knows {'::'.join(method)}" for method in sorted(known)]
    return found


def test_no_method_knows_another() -> None:
    modules = {module for module, _ in named(CHECK)}
    assert modules >= METHODS | KNOW_METHODS
    assert any(len(module) > 2 for module in modules), "subfolders are looked into"
    assert acquaintances(CHECK) == []


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("search/wgl.rs", "use crate::search::depth_first::Depth;"),
        ("search/wgl.rs", "use crate::search::{breadth_first, cache};"),
        ("search/wgl.rs", "use crate::{ranks, search::{cache::{self, Cache}, breadth_first::{Breadth as Other}}};"),
        ("search/wgl.rs", "fn look() { crate::search::breadth_first::look() }"),
        ("search/wgl.rs", "use crate as root; fn look() { root::search::breadth_first::look() }"),
        ("search/wgl.rs", "use crate::*; fn look() { search::breadth_first::look() }"),
        ("search/wgl.rs", "use super::breadth_first;"),
        ("search/wgl.rs", "use crate::search::race::Planted;"),
        ("search/wgl.rs", "use crate::monitor;"),
        ("search/queue/side.rs", "use super::super::wgl;"),
        ("monitor/intervals/excerpt.rs", "use crate::{ranks, search::wgl};"),
        ("monitor/intervals/excerpt.rs", "use super::super::queue::decide;"),
        ("search/mask.rs", "use crate::monitor::relevant;"),
    ],
)
def test_a_method_that_knows_another_is_noticed(tmp_path: Path, file: str, line: str) -> None:
    root = shutil.copytree(CHECK, tmp_path / "src")
    with (root / "search" / "race.rs").open("a", encoding="utf-8") as race:
        race.write("\npub(crate) use super::breadth_first::Breadth as Planted;\n")
    assert acquaintances(root) == []
    with (root / file).open("a", encoding="utf-8") as source:
        source.write(f"\n{line}\n")
    assert acquaintances(root) != []
