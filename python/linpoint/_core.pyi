"""The compiled core, seen from Python: used by `linpoint.history`, `formats`, `models`, `lts`, `check`, `verify`, `monitor` only.

Values cross the door as plain JSON: None, bool, int (any size), float, str, list, dict with texts as keys. A map with other
keys is `{"#map": [[key, value], …]}`, as in the native format.
"""

from collections.abc import Callable, Sequence
from typing import Any, NotRequired, Protocol, TypedDict, TypeVar, final, type_check_only

from linpoint._core_monitor import Monitor, Unzstd
from linpoint._core_systems import (
    Explored,
    Lts,
    explore_object,
    explore_specification,
    lts_compare,
    lts_missing_trace,
    lts_read,
    lts_reduce,
    lts_reduce_file,
)

__all__ = [
    "Candidate",
    "Columns",
    "Cut",
    "Explored",
    "Halted",
    "HistoryError",
    "HittingFamily",
    "Lts",
    "ModelError",
    "Monitor",
    "Outcome",
    "ReadError",
    "Shrunk",
    "Stopped",
    "Stuck",
    "Unzstd",
    "Witness",
    "__version__",
    "check_native",
    "check_python",
    "depth_native",
    "depth_python",
    "event_formats",
    "explain_native",
    "explain_python",
    "explore_object",
    "explore_specification",
    "format_named",
    "formats",
    "give_memory_back",
    "guarded",
    "guess_model",
    "lts_compare",
    "lts_missing_trace",
    "lts_read",
    "lts_reduce",
    "lts_reduce_file",
    "methods",
    "model_named",
    "models",
    "read_bytes",
    "read_parquet",
    "read_path",
    "replay",
    "states_native",
    "zst",
]

__version__: str

_T = TypeVar("_T")

class ReadError(ValueError):
    """A file that cannot be read. args: (message, file, line, column)."""

class Stopped(RuntimeError):
    """Work that the budget or Ctrl-C ended. args: (cause,)."""

class HistoryError(ValueError):
    """Operations that do not make a history. args: (message, operation)."""

class ModelError(ValueError):
    """A model that cannot be used here. args: (message, operation or None)."""

@final
class Columns:
    """A history as columns: immutable, shared, cheap to hand around."""

    @staticmethod
    def from_records(records: Sequence[dict[str, Any]]) -> Columns:
        """From dicts in the native JSONL form (keys process, f, value, result, call, return, type, key, …)."""

    @staticmethod
    def from_arrow(frame: Any, reading: Reading) -> Columns:
        """From the rows of anything with `__arrow_c_stream__`. What that raises comes through."""

    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def record(self, index: int) -> dict[str, Any]:
        """Operation `index` in the native JSONL form (unknown fields in `extra`), plus `line` if it came from a file."""

    def process(self, index: int) -> Any: ...
    def processes(self) -> list[Any]:
        """Distinct processes in the order of their first call."""

    def process_codes(self) -> list[int]:
        """For each operation the position of its process in `processes()`."""

    def ranks(self) -> tuple[list[int], list[int | None]]:
        """Ranks of calls and of returns (None: pending) in the total order of events."""

    def first_called(self, count: int) -> list[int]: ...
    def heard_last(self, stuck: int, count: int, scope: Sequence[int] | None) -> list[int]:
        """`stuck` and those called by its return that were last heard of, `count` in all, in the order of their calls."""

    def open_behind(self, op: int) -> list[int]:
        """The operations that are open right behind the return of `op`; not those that failed."""

    def by_call(self, operations: Sequence[int]) -> list[int]: ...
    def whole_times(self) -> bool:
        """Are all times whole numbers of 64 bits?"""

    def statuses(self) -> bytes:
        """One byte per operation: 0 ok, 1 fail, 2 info or pending."""

    def distinct(self, fields: Sequence[str] = ...) -> tuple[list[int], list[int]]:
        """(kind of each operation, one example operation per kind): equal kinds have equal f, key, value and result.

        They are also equal in the fields named: process, call, ret, index, line, extra.
        """

    def subhistory(self, indices: Sequence[int]) -> Columns:
        """The history of these operations only, renumbered in the given order."""

    def annotations(self) -> list[dict[str, Any]]:
        """Lines that are not operations: {"after": events before it, "line": …, "fields": {…}}."""

    @property
    def numbered(self) -> bool:
        """Do times only number the events, as where each line of the source is one?"""

    @property
    def object(self) -> str | None:
        """The kind of object the source names, if it does."""

    def to_jsonl(self) -> bytes: ...
    def to_edn(self) -> bytes: ...
    def to_csv(self) -> bytes: ...
    def to_arrow(self) -> Any:
        """The operations as a stream of Arrow, in a capsule."""

@type_check_only
class Reading(TypedDict):
    """How a history is to be read."""

    format: str | None
    independent: bool
    failed_cas: bool
    sort_by_time: bool
    rename_crashed: bool
    map: Sequence[tuple[str, str]]
    """Foreign names of fields and of types, each with its name here."""
    timeout: float | None
    memory: int

def read_parquet(source: str | bytes, reading: Reading) -> Columns | None:
    """Reads a Parquet file, given by its path or its bytes. None if its table is not plain, or broken: that is for pyarrow."""

def read_path(path: str, reading: Reading) -> Columns:
    """Reads a file. Stopped when time or memory are used up, or after Ctrl-C."""

def read_bytes(data: bytes, name: str, reading: Reading) -> Columns:
    """The same of the content of a file."""

def zst(data: bytes) -> bytes:
    """The data packed as a zstd file."""

def give_memory_back() -> bool:
    """From now on large blocks go back to the system when they are freed, in the whole process; False if it cannot be had."""

def methods() -> list[tuple[str, str]]:
    """(name, one line of help) of every method."""

def event_formats() -> list[str]:
    """Names of the formats that a monitor reads."""

def formats() -> list[tuple[str, str]]:
    """(name, description) of every format."""

def format_named(name: str) -> str | None:
    """The name of the format that this name means; None if there is none."""

@type_check_only
class ModelInfo(TypedDict):
    name: str
    aliases: NotRequired[list[str]]
    summary: str
    operations: list[tuple[str, str, str, str]]
    options: list[tuple[str, str, str]]

def models() -> list[ModelInfo]: ...
def model_named(name: str) -> str:
    """The name of the model that a name or an alias means, however it is spelt; ModelError with a suggestion."""

def guess_model(columns: Columns) -> tuple[str, str, list[str]]:
    """(model, why, other models that it may be just as well); ModelError when nothing fits."""

@final
class Candidate:
    """An order of operations, by index, and the state it leads to, in words."""

    def __new__(cls, order: Sequence[int], state: str, start: int = 0) -> Candidate: ...
    def __eq__(self, other: object, /) -> bool: ...
    @property
    def order(self) -> tuple[int, ...]: ...
    @property
    def state(self) -> str: ...
    @property
    def start(self) -> int:
        """For an order that begins at a cut: which of its configurations it begins in."""

@final
class Witness:
    """Evidence: an order that explains everything."""

    def __new__(cls, order: Sequence[int]) -> Witness: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __len__(self) -> int: ...
    def among(self, operations: Sequence[int]) -> tuple[int, ...]: ...
    @property
    def order(self) -> tuple[int, ...]: ...

@final
class Stuck:
    """Evidence: the return that no order explains, or that was not explained yet, and how far it goes until then."""

    def __new__(
        cls,
        operation: int | None,
        candidates: Sequence[Candidate] = ...,
        frontier: Sequence[int] = ...,
        explained: int = 0,
        conflict: Sequence[int] = ...,
    ) -> Stuck: ...
    def __eq__(self, other: object, /) -> bool: ...
    @property
    def operation(self) -> int | None: ...
    @property
    def candidates(self) -> list[Candidate]:
        """Orders that explain all returns before it, each with the state it ends in; a handful of all there are."""

    @property
    def frontier(self) -> tuple[int, ...]:
        """The operations open at that return."""

    @property
    def explained(self) -> int:
        """How many returns are explained."""

    @property
    def conflict(self) -> tuple[int, ...]:
        """Operations that a monitor found to contradict each other; empty if a search found the violation."""

    @property
    def derivation(self) -> list[tuple[str, int | None, int | None, str, str, tuple[int, ...], tuple[int, ...]]]:
        """How the contradiction follows, if saturation found it: the fields of `linpoint.check.Deduction`."""

@final
class Outcome:
    """The answer to a check."""

    @property
    def verdict(self) -> str: ...
    @property
    def cause(self) -> str | None:
        """When the verdict is unknown: time, memory, work, interrupted, `gave up: …`, `depth: …` or `declined: …`."""

    @property
    def evidence(self) -> Witness | Stuck: ...
    @property
    def part(self) -> str | None: ...
    @property
    def parts(self) -> int: ...
    @property
    def method(self) -> str: ...
    @property
    def why_method(self) -> str: ...
    @property
    def configurations(self) -> int: ...
    @property
    def depth(self) -> int | None:
        """The depth of the hitting family in which the witness was found."""

    @property
    def schedules(self) -> int | None: ...
    @property
    def family(self) -> list[int] | None:
        """How many schedules the family of each depth has."""

    @property
    def proof(self) -> tuple[str, str] | None:
        """A proof of a violation as the texts of two files, DIMACS and DRAT, if it was asked for."""

    @property
    def seconds(self) -> float: ...

@final
class Cut:
    """A moment right behind a return, and the configurations that can be reached there."""

    @property
    def after(self) -> int: ...
    @property
    def returned(self) -> int: ...
    @property
    def reachable(self) -> list[Candidate]: ...
    @property
    def early(self) -> list[tuple[int, ...]]:
        """For each configuration the operations that were still open and have taken effect; not those that only look."""

@final
class Shrunk:
    """Few operations that show a violation, by index, and what is known of them."""

    @property
    def accused(self) -> int: ...
    @property
    def operations(self) -> tuple[int, ...]: ...
    @property
    def support(self) -> tuple[int, ...]:
        """Those of them that the contradiction could do without: they show where the others come from."""

    @property
    def claim(self) -> str:
        """`whatever else happened` or `after a cut`."""

    @property
    def part(self) -> str | None:
        """The keys of the part that they are of, in words; None if the history is in one piece."""

    @property
    def cut(self) -> Cut | None: ...
    @property
    def candidates(self) -> list[Candidate]:
        """Orders of all of them but the accused one."""

    @property
    def minimal(self) -> bool: ...

class Halted(BaseException):
    """Ends user code, or a search that asks it, when a budget is used up. args: (cause,); without: the time is up."""

@type_check_only
class Adapter(Protocol):
    """A specification written in Python; operations are kinds (see `Columns.distinct`)."""

    @property
    def bytes(self) -> int:
        """What the states weigh that `initial` and `step` gave so far."""

    def initial(self) -> object: ...
    def carried(self, state: object) -> object:
        """The object behind a state; `adopt` of another adapter takes it. Asked by monitors only."""

    def adopt(self, state: object) -> object: ...
    def step(self, state: object, kind: int) -> Sequence[object]: ...
    def read_only(self, kind: int) -> bool: ...
    def group(self, kind: int) -> int:
        """Operations of different groups are independent; groups are numbered from 0 without gaps."""

    def group_label(self, group: int) -> str: ...
    def describe(self, kind: int) -> str: ...
    @property
    def examples(self) -> Sequence[Any]:
        """An operation of each kind; None where all of them failed."""

    @property
    def unhashable(self) -> bool:
        """Are there states that cannot be hashed? Then a few schedules are run before any search."""

    def opaque(self) -> Any:
        """An `Opaque` model if the specification is a class that can be run as it is; None otherwise."""

    def show(self, state: object) -> str: ...

@type_check_only
class Opaque(Protocol):
    """A class run by one thread. Operations are those of `Adapter.examples`; each is asked about once."""

    _copy: Callable[[Any], Any] | None
    """Copies an object, or returns None where it cannot be copied; None if no object can."""
    _copy_cost: int
    """To how many calls a copy comes, roughly."""

    def _fresh(self) -> Any: ...
    def _invocation(self, op: Any) -> tuple[str, tuple[Any, ...]]: ...
    def _arguments(self, op: Any) -> Callable[[], tuple[Any, ...]] | None:
        """Gives new arguments before every call, where a call may keep and change them."""

    def _expected(self, op: Any) -> Any: ...
    def _agrees(self, op: Any, result: Any) -> bool:
        """Asked where result and expectation are not both None, bool, int or str. Of no pending operation."""

    def _agrees_raised(self, op: Any, error: BaseException) -> bool: ...
    def _noted(self, thing: Any) -> Any:
        """What an object holds, to be compared with what it holds after an operation that is declared readonly."""

    def _must_be_as_before(self, op: Any, thing: Any, held: Any) -> None:
        """Raises a ModelError if it holds something else."""

    def _answering(self, op: Any) -> str: ...

_Progress = Callable[[float, int], object]
"""Called about ten times a second with (share of the history explained so far, configurations)."""

def guarded(work: Callable[[], _T], timeout: float | None) -> tuple[str, None] | tuple[None, _T]:
    """Calls user code in a thread of its own: ("time" or "interrupted", None) if it did not end, or (None, what it returned)."""

@type_check_only
class CheckRequest(TypedDict):
    """What a check is to do, and how far it may go."""

    method: str
    partition: bool
    cache: int | None
    """The size of the LRU cache of wgl; None: unbounded."""
    depth: int | None
    """The deepest families of hitting."""
    proof: bool
    """Shall solve write a proof of a violation?"""
    timeout: float | None
    memory: int
    threads: int
    progress: _Progress | None
    keep: Callable[[Outcome], object]
    """Gets the answer, before Ctrl-C or anything else can be raised."""

def check_native(columns: Columns, model: str, options: dict[str, Any], request: CheckRequest) -> None:
    """Gives the answer to `keep`. Raises KeyboardInterrupt behind it if Ctrl-C came and the answer does not tell so."""

def check_python(columns: Columns, adapter: Adapter, fields: Sequence[str], request: CheckRequest) -> None:
    """The same with a model in Python. Raises what the model raised."""

@type_check_only
class ExplainRequest(TypedDict):
    """Which violation is to be explained, and how far that may go."""

    accused: int
    conflict: Sequence[int]
    work: int
    """Configurations to visit."""
    timeout: float | None
    memory: int

def explain_native(columns: Columns, model: str, options: dict[str, Any], request: ExplainRequest) -> Shrunk | None:
    """The few operations that a violation comes down to; None if nothing small was found."""

def explain_python(columns: Columns, adapter: Adapter, fields: Sequence[str], request: ExplainRequest) -> Shrunk | None:
    """The same with a model in Python. Raises what the model raised."""

def replay(
    columns: Columns,
    model: str,
    options: dict[str, Any],
    witness: Witness,
    *,
    timeout: float | None,
    memory: int,
    threads: int,
) -> tuple[str, int | None, str]:
    """(`right`, `wrong`, `cannot tell` or `stopped`; the operation that is wrong; why, or the cause of the stop)."""

def states_native(
    columns: Columns, model: str, options: dict[str, Any], accused: int, orders: Sequence[Sequence[int]]
) -> tuple[int, str | None, list[list[str] | None]]:
    """The number of parts, the label of the accused operation's, and the states that each order of it leads to, in words.

    None of them if the model refuses the order; None instead of a list if they are too many to tell.
    """

@final
class HittingFamily:
    """A strong d-hitting family in the making."""

    def __new__(cls, columns: Columns, depth: int) -> HittingFamily: ...
    def more(self, count: int, *, timeout: float | None, memory: int) -> list[list[int]]:
        """The next distinct schedules, as indices of operations, up to `count`; none when it is over. Raises Stopped."""

def depth_native(
    columns: Columns, model: str, options: dict[str, Any], *, timeout: float | None, memory: int
) -> int | None:
    """The linearizability depth; None if the history is not linearizable. Raises Stopped."""

def depth_python(
    columns: Columns, adapter: Adapter, fields: Sequence[str], *, timeout: float | None, memory: int
) -> int | None: ...
