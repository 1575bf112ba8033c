"""A key-value store of texts, as in Porcupine's test data. A state maps keys to texts, where they are not `initial`."""

from __future__ import annotations

from typing import Any, ClassVar

from linpoint.errors import ModelError
from linpoint.history import FrozenDict, Operation
from linpoint.history.operation import index_of
from linpoint.history.values import show
from linpoint.models.model import ANY, Outcome
from linpoint.models.shipped import Op, Shipped, compared, with_default


class KV(Shipped):
    """Texts by key: get, put, append."""

    name = "kv"
    table: ClassVar[dict[str, Op]] = {
        "get": Op("read", takes="key", gives=compared, reads=True),
        "put": Op("set write", takes="key text"),
        "append": Op(takes="key text"),
    }

    def __init__(self, initial: str = "") -> None:
        super().__init__(initial=initial)
        if not isinstance(initial, str):
            raise ModelError(f"initial is a text, not {show(initial)}")
        self._default = initial
        self.initial = FrozenDict()

    def get(self, texts: FrozenDict, key: Any) -> Outcome:
        """The text held; `initial` if there is none."""
        return texts, texts.get(key, self._default)

    def put(self, texts: FrozenDict, value: tuple[Any, str]) -> Outcome:
        """Hold this text."""
        return with_default(texts, *value, self._default), ANY

    def append(self, texts: FrozenDict, value: tuple[Any, str]) -> Outcome:
        """Hold the old text followed by this one."""
        key, more = value
        return with_default(texts, key, texts.get(key, self._default) + more, self._default), ANY

    def understand(self, op: Operation) -> tuple[str, Any, Any]:
        """As for every model; a get that answered null found `initial`, and only texts are put."""
        name, value, expected = super().understand(op)
        if name != "get" and not isinstance(value[1], str):
            raise ModelError(
                f"{op.f} needs a text, but has {show(value[1])}", index_of(op) if index_of(op) >= 0 else None
            )
        return name, value, self._default if name == "get" and expected is None else expected
