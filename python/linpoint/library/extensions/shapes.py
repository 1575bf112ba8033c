"""The methods of Tables 1 and 2 of the paper, by shape: the 42 whose bodies are known come down to these.

The origin of each is in `catalog.py`. The paper names real applications in Java; a shape keeps the calls on the map,
their order and what depends on them, and nothing else.
"""

from __future__ import annotations

from typing import Any

from linpoint.extend import extension
from linpoint.library.extensions.bases import ConcurrentMap


class Made:
    """Whatever the application stores."""


class Windows(Made):
    """Tools for one system."""


class Unix(Made):
    """Tools for another."""


DEFAULT = "default language"


@extension(base="map")
def get_or_put_if_absent(made: ConcurrentMap, key: Any) -> Any:
    """T1: look; if there is none, make one, and take what `put_if_absent` says. Linearizable."""
    value = made.get(key)
    if value is None:
        new = Made()
        value = made.put_if_absent(key, new)
        if value is None:
            value = new
    return value


@extension(base="map")
def put_if_absent_first(made: ConcurrentMap, key: Any) -> Any:
    """T2: make one in any case. Linearizable."""
    new = Made()
    old = made.put_if_absent(key, new)
    return new if old is None else old


@extension(base="map")
def android_tools(tools: ConcurrentMap, system: str) -> Any:
    """Figure 8: what is made depends on the key. Linearizable, and the one false alarm of the paper's tool."""
    instance = tools.get(system)
    if instance is None:
        new: Made
        if system == "windows":
            new = Windows()
        elif system == "unix":
            new = Unix()
        else:
            raise NotImplementedError(system)
        instance = tools.put_if_absent(system, new)
        if instance is None:
            instance = new
    return instance


@extension(base="map", pure=("reconcile",))
def add_column_repaired(columns: ConcurrentMap, name: Any, column: Any) -> None:
    """V7 as Cassandra repaired it: `put_if_absent` and `replace` until one of them works. Linearizable."""
    while (old := columns.put_if_absent(name, column)) is not None:
        if columns.replace(name, old, reconcile(old, column)):
            break


@extension(base="map")
def own_after_put_if_absent(made: ConcurrentMap, key: Any) -> Any:
    """V1: what `put_if_absent` returns is dropped."""
    value = made.get(key)
    if value is None:
        value = Made()
        made.put_if_absent(key, value)
    return value


@extension(base="map")
def own_after_put(made: ConcurrentMap, key: Any) -> Any:
    """V2: look, then put, whatever has come in between."""
    value = made.get(key)
    if value is None:
        value = Made()
        made.put(key, value)
    return value


@extension(base="map")
def look_again(made: ConcurrentMap, key: Any) -> Any:
    """V3: look, put if absent, look again: somebody may have taken it away."""
    value = made.get(key)
    if value is None:
        made.put_if_absent(key, Made())
        value = made.get(key)
    return value


@extension(base="map")
def look_again_if_beaten(made: ConcurrentMap, key: Any) -> Any:
    """V3b: look again only if another was faster; its value may be gone by then."""
    value = made.get(key)
    if value is None:
        value = Made()
        if made.put_if_absent(key, value) is not None:
            value = made.get(key)
    return value


@extension(base="map")
def contains_put_get(made: ConcurrentMap, key: Any) -> Any:
    """V4: three looks at what may change between them."""
    if key not in made:
        made.put_if_absent(key, Made())
    return made.get(key)


@extension(base="map")
def renderer_for(renderers: ConcurrentMap, language: Any) -> Any:
    """Figure 7, V4 with one key on each path, though not the same one."""
    if language is None:
        return renderers.get(DEFAULT)
    if language not in renderers:
        renderers.put_if_absent(language, Made())
    return renderers.get(language)


@extension(base="map", pure=("otherwise",))
def contains_then_get(attributes: ConcurrentMap, key: Any) -> Any:
    """V5: look whether, then look what."""
    if key in attributes:
        return attributes.get(key)
    return otherwise(key)


@extension(base="map")
def contains_get_remove(attributes: ConcurrentMap, key: Any) -> Any:
    """V6: what is returned need not be what was removed."""
    value = None
    if key in attributes:
        value = attributes.get(key)
        attributes.remove(key)
    return value


@extension(base="map", pure=("newer",))
def add_column(columns: ConcurrentMap, name: Any, column: Any) -> None:
    """V7: if the column has been taken away meanwhile, this one is lost."""
    old = columns.put_if_absent(name, column)
    if old is not None:
        while newer(column, old):
            if columns.replace(name, old, column):
                break
            old = columns.get(name)


def reconcile(old: Any, new: Any) -> Any:
    """Of two versions of a column, the one that counts."""
    return new if newer(new, old) else old


def newer(new: Any, old: Any) -> bool:
    """Is it at least as new?"""
    return old is None or bool(old <= new)


def otherwise(key: Any) -> str:
    """What there is beside the map."""
    return str(key)
