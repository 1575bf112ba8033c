"""The crates: only one knows PyO3, dependencies go one way, and no method of search knows another."""

import re
import tomllib

from tests.conftest import ROOT

CRATES = ROOT / "crates"
ORDER = ["history", "spec", "check", "python"]
METHODS = {"breadth", "depth", "monitor", "queue_search", "wgl"}
KNOW_METHODS = {"lib", "portfolio", "race"}


def dependencies(crate: str) -> set[str]:
    manifest = tomllib.loads((CRATES / crate / "Cargo.toml").read_text(encoding="utf-8"))
    return {name for table in ("dependencies", "dev-dependencies") for name in manifest.get(table, {})}


def test_every_crate_has_its_place() -> None:
    assert {path.name for path in CRATES.iterdir() if path.is_dir()} == set(ORDER)


def test_only_one_crate_knows_python() -> None:
    assert [crate for crate in ORDER if "pyo3" in dependencies(crate)] == ["python"]


def test_dependencies_go_one_way() -> None:
    for place, crate in enumerate(ORDER):
        own = {name.removeprefix("linpoint-") for name in dependencies(crate) if name.startswith("linpoint-")}
        assert own <= set(ORDER[:place]), crate


def test_no_method_of_search_knows_another() -> None:
    sources = {path.stem: path.read_text(encoding="utf-8") for path in (CRATES / "check" / "src").glob("*.rs")}
    assert set(sources) >= METHODS | KNOW_METHODS
    for name, text in sources.items():
        known = set(re.findall(r"\b(?:crate|super)::(\w+)::", text)) & METHODS
        assert known <= {name} or name in KNOW_METHODS, f"{name}.rs knows {known}"
