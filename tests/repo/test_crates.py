"""The crates: only one knows PyO3, dependencies go one way, and no method of search knows another."""

import re
import tomllib

from tests.conftest import ROOT

CRATES = ROOT / "crates"
ORDER = ["base", "history", "spec", "check", "python"]
CHECK = CRATES / "check" / "src"
SEARCHES = ["breadth_first", "depth_first", "queue", "wgl"]
MONITORS = ["priority_queue", "register", "set", "stack"]
METHODS = [f"search/{name}.rs" for name in SEARCHES] + [f"monitor/{name}.rs" for name in MONITORS]
KNOW_METHODS = {"lib.rs", "portfolio.rs", "search.rs", "search/race.rs", "monitor.rs"}


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


def imported(text: str) -> set[str]:
    """Modules of its own crate that a file names: `crate::search::wgl`, `super::wgl`, `use crate::search::{queue, wgl}`."""
    text = re.sub(r"//.*", "", text)
    named = set(re.findall(r"\b(?:crate|super|self)::((?:\w+::)*\w+)", text))
    for prefix, group in re.findall(r"\b(?:crate|super|self)::((?:\w+::)*)\{([^;]*)\}", text):
        named |= {prefix + name for name in re.findall(r"\w+(?:::\w+)*", group)}
    return {word for path in named for word in path.split("::")}


def test_no_method_knows_another() -> None:
    sources = {path.relative_to(CHECK).as_posix(): path for path in CHECK.rglob("*.rs")}
    methods = {path.removesuffix(".rs").rpartition("/")[2]: path for path in METHODS}
    assert set(sources) >= set(METHODS) | KNOW_METHODS
    for name, path in sources.items():
        own = {method for method, home in methods.items() if name == home or name.startswith(home[:-3] + "/")}
        known = imported(path.read_text(encoding="utf-8")) & set(methods)
        assert known <= own or name in KNOW_METHODS, f"{name} knows {known - own}"


def test_the_search_for_imports_sees_groups_and_folders() -> None:
    assert "wgl" in imported("use crate::search::{queue, wgl::Wgl};")
    assert "wgl" in imported("let a = super::wgl::Wgl::new();")
    assert "wgl" not in imported("// crate::search::wgl")
