"""Ten helper methods on shared dicts, in the style of open-source code. Eight are not atomic: `linpoint extend` says why."""

from collections.abc import Callable
from typing import Any


class Session:
    """Something that is dear to make."""

    def __init__(self, key: str) -> None:
        self.key = key


class Sessions:
    """A get-or-create cache."""

    def __init__(self) -> None:
        self._by_key: dict[str, Session] = {}

    def get_or_create(self, key: str) -> Session:
        if key not in self._by_key:
            self._by_key[key] = Session(key)
        return self._by_key[key]

    def get_or_create_by_exception(self, key: str) -> Session:
        try:
            return self._by_key[key]
        except KeyError:
            session = Session(key)
            self._by_key[key] = session
            return session

    def lazily(self, key: str) -> Session:
        return self._by_key.get(key) or self._by_key.setdefault(key, Session(key))

    def close(self, key: str) -> Session | None:
        if key in self._by_key:
            return self._by_key.pop(key)
        return None


class Words:
    """Counters in a dict."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def count(self, word: str) -> None:
        self._counts[word] = self._counts.get(word, 0) + 1


class References:
    """Reference counts."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def release(self, name: str) -> bool:
        count = self._counts[name]
        if count == 1:
            del self._counts[name]
            return True
        self._counts[name] = count - 1
        return False


_plugins: dict[str, Any] = {}


def register(name: str, plugin: Any) -> None:
    """A registry in which every name is registered once."""
    if name in _plugins:
        raise ValueError(name)
    _plugins[name] = plugin


_aliases: dict[str, str] = {}


def rename(old: str, new: str) -> None:
    """An entry moves to another key."""
    if old in _aliases:
        _aliases[new] = _aliases.pop(old)


_settings: dict[str, Any] = {}


def exchange(name: str, value: Any) -> Any:
    """A new value for the old one."""
    before = _settings.get(name)
    _settings[name] = value
    return before


def memoized(compute: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A memoiser."""
    known: dict[Any, Any] = {}

    def wrapper(argument: Any) -> Any:
        found = known.get(argument)
        if found is None:
            found = known.setdefault(argument, compute(argument))
        return found

    return wrapper
