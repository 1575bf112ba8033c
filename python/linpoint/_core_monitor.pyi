"""What the compiled core says of monitors. There is no such module: `_core.pyi` takes the name from here."""

from typing import Any, Protocol, final, type_check_only

from linpoint._core import Adapter, Columns

@type_check_only
class OwnModel(Protocol):
    """A user's model, as a monitor asks it."""

    def split(self) -> str:
        """`by key`, `whole` or `asked`."""

    def refusal(self, f: str) -> str | None:
        """Why the model does not have this operation."""

    def keys(self, record: dict[str, Any]) -> list[Any] | None:
        """The parts that an operation is about; None: all."""

    def window(self, columns: Columns) -> tuple[Adapter, list[str]]:
        """What steps through these operations, and the fields that tell them apart."""

    def begins_anew(self) -> bool:
        """Were operations taken for one another that the model tells apart?"""

@final
class Monitor:
    """A stream of calls and returns, judged while it runs."""

    def __new__(
        cls,
        model: str | OwnModel,
        options: dict[str, Any],
        *,
        goes_on: bool,
        restarts: bool,
        strict: bool,
        format: str | None,
        independent: bool,
        failed_cas: bool,
        map: list[tuple[str, str]],
        rename_crashed: bool,
        memory: int,
        timeout: float | None,
        batch: int,
        by_time: tuple[int, int] | None,
    ) -> Monitor: ...
    def call(self, process: Any, f: Any, value: Any, key: Any | None) -> int: ...
    def ret(self, token: int, result: Any) -> None: ...
    def fail(self, token: int) -> None: ...
    def info(self, token: int) -> None: ...
    def push(self, bytes: bytes) -> None: ...
    def judge_if_ripe(self) -> None: ...
    def finish(self) -> None: ...
    def drop_partial(self) -> bool: ...
    def begun(self) -> int: ...
    def save(self) -> str: ...
    def restore(self, text: str) -> None: ...
    def judge(self) -> None: ...
    def alarms(self) -> list[dict[str, Any]]: ...
    def standing(self) -> tuple[str, int | None, str | None]: ...
    def lost(self) -> tuple[int, str] | None: ...
    def complaints(self) -> list[tuple[int, str]]: ...
    def counts(self) -> dict[str, int]: ...

@final
class Unzstd:
    """A stream that zstd has packed, as it is unpacked."""

    def __new__(cls) -> Unzstd: ...
    def step(self, packed: bytes, most: int) -> tuple[bytes, int]:
        """Up to `most` bytes that these unpack to, and how many were read."""

    def is_complete(self) -> bool:
        """Would it be complete if nothing more came?"""
