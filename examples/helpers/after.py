"""The helper methods of before.py, repaired: one operation does what two did."""

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
        session = self._by_key.get(key)
        if session is None:
            session = self._by_key.setdefault(key, Session(key))
        return session

    def get_or_create_by_exception(self, key: str) -> Session:
        try:
            return self._by_key[key]
        except KeyError:
            return self._by_key.setdefault(key, Session(key))

    def close(self, key: str) -> Session | None:
        return self._by_key.pop(key, None)


_plugins: dict[str, Any] = {}


def register(name: str, plugin: Any) -> None:
    """A registry in which every name is registered once."""
    if _plugins.setdefault(name, plugin) is not plugin:
        raise ValueError(name)
