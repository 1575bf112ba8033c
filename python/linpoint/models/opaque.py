"""An ordinary class as a specification: what it answers when one thread runs it is what is allowed.

    from_class(collections.deque, synonyms={"append": ["enqueue"], "popleft": ["dequeue"]})

The class was not written to be checked against: its objects change in place, and most cannot be compared. All that can be done
with it is to *run* it (Ozkan, Majumdar and Niksic, PPoPP 2019, check such specifications by running whole schedules). A search
needs more: it comes back to a state, and it must know a state that it has seen. Two ways, and `states` says which was taken:

  copying    a step copies the object (`copy.deepcopy`, or `copy=`), runs the method on the copy, and tells states apart by what
             they hold (`fingerprint.py`). Costs a copy per distinct (state, operation).
  replay     of an object that cannot be copied (it holds a lock, a socket, a generator …) the calls that led to a state are run
             again on a new object, and a state is told apart by those calls: no two orders are ever merged. Costs as many
             calls as the state is long, and a search through many orders. Say `readonly` to keep it short.

A class at fault gets a ModelError that names the method, never a verdict: it answers differently when the same calls are run
again (a random number, the time, a default argument that all objects share), or on a copy. The first steps, and some of the later
ones, are compared with a replay from the start; a witness is certified by a replay without any copy.
"""

from __future__ import annotations

import copy as copying
import inspect
import re
from collections.abc import Callable, Hashable, Sequence
from typing import Any, cast

from linpoint.errors import ModelError
from linpoint.history import Operation
from linpoint.history.operation import index_of
from linpoint.history.values import brief, complaint, show, tag
from linpoint.models import calls
from linpoint.models.fingerprint import Unreadable, fingerprint, markers
from linpoint.models.model import Model, Outcome, fits
from linpoint.models.snapshots import Path, Snapshot

STEPS_COMPARED = 32
"""So many first steps are compared with a replay from the start; later as many calls are replayed as steps were taken since."""

OBJECTS_COMPARED = 64
"""So many first objects must begin like the very first one; later one in so many."""

COPY_COSTS = 30
"""A deep copy takes about as long as so many calls."""

MOST_CALLS = 10_000
"""So many different calls are remembered."""

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")

_NEVER = object()
"""Equal to no answer."""


class Call:
    """An operation, as a call of a method."""

    __slots__ = ("known", "make", "method", "name", "op", "plain")

    def __init__(self, op: Operation, method: str, make: Callable[[], tuple[Any, ...]], known: bool) -> None:
        self.op = op
        self.method = method
        self.make = make
        """Makes the arguments: anew for each call, since a class may keep and change them."""
        self.known = known
        """Are the parameters of the method known, so that the arguments are known to fit?"""
        arguments = make()
        self.plain = calls.is_plain(arguments)
        self.name: Hashable
        """Equal for calls that are the same."""
        try:
            self.name = (method, tag(arguments))
        except TypeError:  # arguments of a user's making, which cannot be compared
            self.name = (method, "operation", index_of(op))


class Opaque(Model):
    """A specification that can only be run; `from_class` makes it."""

    _opaque = True
    _make: Callable[[], Any]
    _copier: Callable[[Any], Any] | None
    _state: Callable[[Any], Hashable] | None
    _to_arguments: Callable[[Operation], Sequence[Any]] | None
    _to_result: Callable[[Any], Any] | None
    _words: Callable[[Any], str] | None

    def __init__(self) -> None:
        self._why_replay: str | None = None if self._copier is not None else "copy is None"
        self._fault: ModelError | None = None
        self._first: tuple[Hashable, ...] | None = None
        self._known: dict[Hashable, Call] = {}
        self._signatures: dict[str, inspect.Signature | None] = {}
        self._sample: Any = None
        self._shared: tuple[str, ...] = ()
        self._shared_first: tuple[Hashable, ...] | None = None
        self._steps = 0
        self._not_compared = 0
        self._made_so_far = 0

    @property
    def states(self) -> str:
        """How states are kept, in words."""
        if self._why_replay is None:
            how = "copy.deepcopy" if self._copier is copying.deepcopy else "the given copy="
            return f"copied by {how}, told apart by {'the given state=' if self._state else 'what they hold'}"
        apart = "the given state=" if self._state else "the calls that led to them"
        return f"replayed from the start, since {self._why_replay}, told apart by {apart}"

    def states_in(self, method: str) -> str:
        """How states were kept by a method, in words: hitting families have none, they run whole schedules."""
        if method != "hitting":
            return self.states
        return "not kept: schedules were run from the start" + (", or from a copy" if self._why_replay is None else "")

    # What a model is: see `Model`.

    @property
    def initial(self) -> Snapshot:
        """A new object."""
        self._looked_at()
        return self._snapshot(self._fresh(), Path())

    def step(self, state: Snapshot, op: Operation) -> list[Snapshot]:
        """Runs the method on the object of a state, or on a copy of it."""
        call = self._call(op)
        after, answer = self._after(state, call)
        return [after] if op.pending or fits(answer, op.result) else []

    def partition(self, op: Operation) -> Hashable:
        """A history with keys is split: each key is an object of its own."""
        return cast("Hashable", op.key)

    def describe(self, state: Snapshot) -> str:
        """The object in words: its own `str`, or its attributes if it has none."""
        thing = state.thing
        if thing is None:
            thing = self._replayed(state.path)
            state.put_back(thing)
        if self._words is not None:
            return self._words(thing)
        kind: Any = type(thing)
        if kind.__str__ is not object.__str__ or kind.__repr__ is not object.__repr__:
            return str(thing)
        held = ", ".join(f"{name}={brief(value)}" for name, value in _attributes(thing).items())
        return _ADDRESS.sub("", f"{type(thing).__name__}({held})")

    def replaying(self) -> Opaque:
        """The same specification without any copy or fingerprint: to certify what was found with them."""
        name, body = type(self).__name__, {"_copier": None, "_state": None}
        return cast("Opaque", type(name, (type(self),), body)())

    def _outcomes(self, state: Snapshot, op: Operation) -> list[Outcome]:
        return [self._after(state, self._call(op))]

    def _method(self, f: str) -> str:
        name = f.replace("-", "_").replace(" ", "_")
        named = next((own for own, others in self.synonyms.items() if f in others), None)
        if named is not None:
            name = named
        thing = self._looked_at()
        if (named is None and name.startswith("_")) or not callable(getattr(thing, name, None)):
            public = [
                one for one in dir(type(thing)) if not one.startswith("_") and callable(getattr(type(thing), one))
            ]
            known = ", ".join(public) or "none"
            raise ModelError(f"{type(self).__name__} has no method {f!r}; it has {known}")
        return name

    def _answering(self, op: Operation) -> str:
        return f"{type(self).__name__}.{self._method(op.f)}"

    # What a runner needs that only runs it (`--method hitting`).

    def _fresh(self) -> Any:
        """A new object; ModelError if it cannot be made, or differs from the first."""
        try:
            thing = self._make()
        except ModelError:
            raise
        except Exception as error:
            raise ModelError(f"{type(self).__name__} cannot be made: {complaint(error)}") from error
        self._must_begin_alike(thing)
        return thing

    def _invocation(self, op: Operation) -> tuple[str, tuple[Any, ...]]:
        """The method and its arguments."""
        call = self._call(op)
        return call.method, call.make()

    def _arguments(self, op: Operation) -> Callable[[], tuple[Any, ...]] | None:
        """Makes the arguments, if they must be made anew for each call."""
        call = self._call(op)
        return None if call.plain else call.make

    def _expected(self, op: Operation) -> Any:
        """What a plain answer is compared with."""
        return op.result if self._to_result is None else _NEVER

    def _agrees(self, op: Operation, result: Any) -> bool:
        """Is this result of the method the recorded one?"""
        return op.pending or fits(self._answer(self._answering(op), result), op.result)

    def _agrees_raised(self, op: Operation, error: Exception) -> bool:
        """Is this exception the recorded result?"""
        return op.pending or fits(self._raised(self._call(op), error), op.result)

    @property
    def _copy(self) -> Callable[[Any], Any] | None:
        """Copies an object; None if objects cannot be copied."""
        self._looked_at()
        return None if self._why_replay is not None else self._copied

    @property
    def _copy_cost(self) -> int:
        return COPY_COSTS if self._copier is copying.deepcopy else 2

    # Calls.

    def _call(self, op: Operation) -> Call:
        """The call that an operation is; remembered, unless `arguments=` may look at any field of it."""
        if self._to_arguments is not None:
            return self._new_call(op)
        key = (op.f, tag(op.value), op.type, tag(op.result))
        call = self._known.get(key)
        if call is None:
            if len(self._known) >= MOST_CALLS:
                self._known.clear()
            call = self._known[key] = self._new_call(op)
        return call

    def _new_call(self, op: Operation) -> Call:
        method = self._method(op.f)
        if method not in self._signatures:
            self._signatures[method] = calls.signature_of(getattr(self._looked_at(), method))
        signature = self._signatures[method]
        name = f"{type(self).__name__}.{method}"
        make = self._maker(op, signature)
        try:
            call = Call(op, method, make, signature is not None)
        except Exception as error:
            raise ModelError(f"`arguments` of {name} failed on {op}: {complaint(error)}") from error
        calls.must_fit(name, call.make(), signature)
        return call

    def _maker(self, op: Operation, signature: inspect.Signature | None) -> Callable[[], tuple[Any, ...]]:
        if self._to_arguments is not None:
            to_arguments = self._to_arguments
            return lambda: tuple(to_arguments(op))
        arguments = calls.spread(op.value, signature)
        return (lambda: arguments) if calls.is_plain(arguments) else (lambda: calls.thawed(arguments))

    def _run(self, thing: Any, call: Call) -> Any:
        """Calls the method; its answer. Looks wrong, is right: everything that a class raises is an answer of it."""
        method = getattr(thing, call.method)
        arguments = call.make()
        try:
            result = method(*arguments)
        except ModelError:
            raise
        except Exception as error:
            answer = self._raised(call, error)
        else:
            answer = self._answer(self._answering(call.op), result)
        if self._shared and self._shared_now(thing) != self._shared_first:
            raise self._at_fault(
                f"{self._answering(call.op)} changes an attribute of the class, which all objects share, on {call.op}:"
                " a specification keeps its state in the object"
            )
        return answer

    def _answer(self, method: str, result: Any) -> Any:
        if self._to_result is not None:
            try:
                result = self._to_result(result)
            except Exception as error:
                raise ModelError(f"`result` of {method} failed on {brief(result)}: {complaint(error)}") from error
        try:
            return calls.settled(result, method)
        except ModelError:
            raise
        except Exception as error:  # of an iterator that is run to its end, or of a value that holds itself
            raise ModelError(f"{method} returned {brief(result)}, which cannot be read: {complaint(error)}") from error

    def _raised(self, call: Call, error: Exception) -> Any:
        name = self._answering(call.op)
        if isinstance(error, (MemoryError, RecursionError)):
            raise ModelError(f"{name} failed on {call.op}: {complaint(error)}", index_of(call.op)) from error
        if calls.is_misfit(error, call.op, call.known, call.plain):
            advice = 'if this is the answer, record {"raised": "TypeError"}; if not, see `arguments=` of from_class'
            raise ModelError(f"{name} cannot be called so on {call.op}: {complaint(error)}; {advice}") from error
        return calls.raised(error)

    # States.

    def _after(self, state: Snapshot, call: Call) -> tuple[Snapshot, Any]:
        """What a call answers in a state, and the state after it."""
        if self._fault is not None:
            raise self._fault
        thing = self._object_of(state)
        answer = self._run(thing, call)
        path = Path(state.path, call.name, call, answer)
        self._compare(state, path)
        if self._why_replay is not None and self._state is None and self._is_read(call.op):
            state.put_back(thing)
            return state, answer
        return self._snapshot(thing, path), answer

    def _is_read(self, op: Operation) -> bool:
        declared = self.readonly
        return declared(op) if callable(declared) else op.f in declared

    def _snapshot(self, thing: Any, path: Path) -> Snapshot:
        """The state that an object is in."""
        name: Hashable = path
        if self._state is not None:
            try:
                name = ("state", tag(self._state(thing)))
            except Exception as error:
                raise ModelError(f"`state` of {type(self).__name__} failed: {complaint(error)}") from error
        elif self._why_replay is None:
            try:
                name = fingerprint(thing)
            except Unreadable as reason:
                if self._copier is copying.deepcopy:  # a copy of what cannot be read is not to be trusted
                    self._why_replay = f"it holds {reason}"
        return Snapshot(name, path, thing, frozen=self._why_replay is None)

    def _object_of(self, state: Snapshot) -> Any:
        """An object in this state, to be run."""
        if state.frozen and self._why_replay is None:
            try:
                return self._copied(state.thing, state.name)
            except ModelError:
                raise
            except Exception as error:
                self._why_replay = f"it cannot be copied: {complaint(error)}"
        thing = state.take()
        return self._replayed(state.path) if thing is None else thing

    def _copied(self, thing: Any, name: Hashable = None) -> Any:
        """A copy of an object; `name` is its fingerprint, where it is known."""
        if self._copier is not copying.deepcopy:
            assert self._copier is not None  # noqa: S101 (asked only where copies can be made)
            return self._copier(thing)
        tokens = name if isinstance(name, tuple) and self._state is None else fingerprint(thing)
        return copying.deepcopy(thing, {id(marker): marker for marker in markers(tokens)})

    def _replayed(self, path: Path) -> Any:
        """A new object on which these calls were run; each must answer what it answered before."""
        thing = self._fresh()
        for done in path.calls():
            answer = self._run(thing, done.call)
            if tag(answer) != tag(done.answer):
                raise self._answers_differently(done, answer)
        return thing

    # Is the class one that can be a specification?

    def _looked_at(self) -> Any:
        """An object to look at: its methods, and whether it can be copied."""
        if self._sample is None:
            self._sample = sample = self._fresh()
            self._shared = _class_data(type(sample))
            self._shared_first = self._shared_now(sample) if self._shared else None
            if self._why_replay is None:
                self._try_to_copy(sample)
        return self._sample

    def _try_to_copy(self, thing: Any) -> None:
        try:
            copy = self._copied(thing)
            if self._copier is copying.deepcopy and fingerprint(copy) != fingerprint(thing):
                self._why_replay = "a copy does not hold what the object holds"
        except Unreadable as reason:
            if self._copier is copying.deepcopy:
                self._why_replay = f"it holds {reason}"
        except Exception as error:
            self._why_replay = f"it cannot be copied: {complaint(error)}"

    def _must_begin_alike(self, thing: Any) -> None:
        self._made_so_far += 1
        if self._made_so_far > OBJECTS_COMPARED and self._made_so_far % OBJECTS_COMPARED:
            return
        try:
            now = fingerprint(thing)
        except Unreadable:
            return
        if self._first is None:
            self._first = now
        elif now != self._first:
            raise self._at_fault(
                f"{type(self).__name__}.__init__ makes an object that differs from the first one: do they share something,"
                " such as a default argument that is changed, or is it random?"
            )

    def _compare(self, before: Snapshot, path: Path) -> None:
        """Now and then: does a new object answer the same, and is the state that was copied as it was?"""
        self._steps += 1
        self._not_compared += 1
        if self._steps > STEPS_COMPARED and self._not_compared < STEPS_COMPARED + path.length:
            return
        self._not_compared = 0
        self._replayed(path)
        readable = before.frozen and self._state is None and isinstance(before.name, tuple)
        if readable and fingerprint(before.thing) != before.name:
            raise self._at_fault(
                f"{self._answering(path.call.op)} on one object changed another one, on {path.call.op}: do they share something,"
                " such as a default argument, or what a copy should have copied?"
            )

    def _answers_differently(self, done: Path, answer: Any) -> ModelError:
        once, again = show(done.answer), show(answer)
        return self._at_fault(
            f"{self._answering(done.call.op)} answers differently when the same calls are run again: {done.call.op.invocation}"
            f" gives {once}, then {again}. A specification is deterministic, and a copy of it answers as it does"
        )

    def _at_fault(self, message: str) -> ModelError:
        """Nothing that this class says can be believed, now or later."""
        self._fault = ModelError(message)
        return self._fault

    def _shared_now(self, thing: Any) -> tuple[Hashable, ...]:
        return fingerprint([getattr(type(thing), name, None) for name in self._shared])


def _attributes(thing: Any) -> dict[str, Any]:
    """The attributes of an object, in a `__dict__` or in slots."""
    found = dict(getattr(thing, "__dict__", {}))
    for base in type(thing).__mro__:
        slots = vars(base).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(thing, name):
                found[name] = getattr(thing, name)
    return found


def _class_data(cls: type) -> tuple[str, ...]:
    """The attributes of a class that are data: what changes in them is shared by all objects."""
    names = {name for base in cls.__mro__ for name in vars(base) if not name.startswith(("__", "_abc_"))}
    readable = []
    for name in sorted(names):
        value = getattr(cls, name, None)
        if callable(value) or hasattr(type(value), "__get__"):
            continue
        try:
            fingerprint(value)
        except Unreadable:
            continue
        readable.append(name)
    return tuple(readable)
