"""What need not be loaded yet? Names of a package that are looked up when somebody asks for them (PEP 562).

`import linpoint` and a small check take a tenth of a second, most of it for loading code; half of that code answers other
questions. A package says which of its names come later:

    if not TYPE_CHECKING:
        __getattr__ = later(__name__, {"linpoint.monitor": ("Counts", "Monitor")})

A function that has the name of its own package cannot come later: whoever imports the package binds the name to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def later(package: str, modules: Mapping[str, tuple[str, ...]]) -> Callable[[str], Any]:
    """The `__getattr__` of a package: each name is taken from the module that has it, and may be that module itself."""
    places = {name: module for module, names in modules.items() for name in names}

    def load(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(places[name])
        return module if places[name] == f"{package}.{name}" else getattr(module, name)

    return load
