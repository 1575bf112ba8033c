"""Public names: exported once, documented, and the façade does nothing but re-export. Also: who may touch the core."""

import ast
import inspect
import re

import linpoint
from linpoint import _core
from tests.conftest import ROOT

PACKAGE = ROOT / "python" / "linpoint"
MAY_USE_CORE = {"history", "formats", "lts", "models", "check", "verify", "monitor"}


def test_the_facade_only_re_exports() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    docstring, *rest = tree.body
    assert isinstance(docstring, ast.Expr)
    later = [node for node in rest if isinstance(node, ast.If)]
    assert [ast.unparse(node.test) for node in later] == ["_typing.TYPE_CHECKING"]
    rest += [*later[0].body, *later[0].orelse]
    allowed = ast.Import | ast.ImportFrom | ast.Assign | ast.AnnAssign | ast.If
    assert all(isinstance(node, allowed) for node in rest)


def test_every_public_name_is_there_once_and_sorted_out() -> None:
    names = linpoint.__all__
    assert len(names) == len(set(names))
    assert [name for name in names if not hasattr(linpoint, name)] == []
    assert dir(linpoint) == sorted(names), "also what is not loaded yet"
    public = {name for name in vars(linpoint) if not name.startswith("_")}
    rooms = {path.stem for path in PACKAGE.iterdir()}
    assert public - rooms <= set(names), "a name that is neither private, a room, nor in __all__"


def test_every_public_name_has_a_docstring() -> None:
    things = {name: getattr(linpoint, name) for name in linpoint.__all__ if not name.startswith("_")}
    described = [name for name, thing in things.items() if callable(thing) or inspect.ismodule(thing)]
    assert len(described) > 5
    assert [name for name in described if not inspect.getdoc(things[name])] == []


def test_every_public_name_is_in_the_reference() -> None:
    reference = (ROOT / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    assert [name for name in linpoint.__all__ if f"`{name}" not in reference and f"`lp.{name}" not in reference] == []


def imports() -> list[tuple[str, str]]:
    """(room, imported name) for every import in the package."""
    found = []
    for path in PACKAGE.rglob("*.py"):
        room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                found += [(room, f"{node.module}.{alias.name}") for alias in node.names]
            elif isinstance(node, ast.Import):
                found += [(room, alias.name) for alias in node.names]
    return found


def test_only_some_rooms_touch_the_core() -> None:
    """import-linter cannot see a compiled module, so this contract lives here. The façade may ask for the version."""
    users = {room for room, name in imports() if name.startswith("linpoint._core")}
    assert "check" in users
    assert users - {"__init__"} <= MAY_USE_CORE


def test_no_room_imports_the_facade() -> None:
    """Below the command line nobody does: the façade imports them."""
    names = {name for room, name in imports() if room not in ("__init__", "__main__", "cli")}
    facade = {name for name in names if name.startswith("linpoint.") and name.count(".") == 1}
    assert facade - {"linpoint._core"} <= {f"linpoint.{path.stem}" for path in PACKAGE.iterdir()}
    assert "linpoint" not in names


def test_the_stub_and_the_core_have_the_same_names() -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.glob("_core*.pyi")]
    stub = {node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)}
    core = {name for name, thing in vars(_core).items() if callable(thing) and not isinstance(thing, type)}
    assert core == stub


def test_a_result_has_what_the_reference_says() -> None:
    text = (ROOT / "docs" / "reference" / "verdicts.md").read_text(encoding="utf-8")
    table = text.partition("## Evidence in Python")[2]
    names = [name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)]
    result = linpoint.check([{"process": 0, "f": "read", "result": None, "call": 0, "return": 1}], "register")
    assert len(names) > 15
    assert [name for name in names if not hasattr(result, name)] == []
