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
again (a random number, the time, a default argument that all objects share), or on a copy, or its `readonly` operations change
the object. The first steps, and some of the later ones, are compared with a replay from the start; a witness is certified by a
replay without any copy. `copies.py` copies objects, `instances.py` looks whether they influence each other.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Hashable, Sequence
from typing import Any, cast

from linpoint._core import Halted
from linpoint.errors import ModelError
from linpoint.history import Operation
from linpoint.history.operation import index_of
from linpoint.history.values import brief, complaint, show, tag
from linpoint.models import calls
from linpoint.models.copies import Copies
from linpoint.models.fingerprint import Unreadable, attributes, fingerprint
from linpoint.models.model import Model, Outcome, alike, fits, is_readonly, mapping
from linpoint.models.outside import Places, class_data, names_of, reach
from linpoint.models.snapshots import Path, Snapshot

STEPS_COMPARED = 32
"""So many first steps are compared with a replay from the start; later as many calls are replayed as steps were taken since."""

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
    _holds: Callable[[Any], Hashable] | None
    """The same, to see whether an object was changed."""
    _to_arguments: Callable[[Operation], Sequence[Any]] | None
    _to_result: Callable[[Any], Any] | None
    _words: Callable[[Any], str] | None

    def __init__(self) -> None:
        self._copies = Copies(self._copier)
        self._fault: ModelError | None = None
        self._known: dict[Hashable, Call] = {}
        self._signatures: dict[str, inspect.Signature | None] = {}
        self._sample: Any = None
        self._shared: tuple[str, ...] = ()
        self._shared_first: tuple[Hashable, ...] | None = None
        self._steps = 0
        self._not_compared = 0
        self._reached: dict[str, Places] = {}

    @property
    def states(self) -> str:
        """How states are kept, in words."""
        if self._copies.why_not is None:
            how = "copy.deepcopy" if self._copies.is_deep else "the given copy="
            return f"copied by {how}, told apart by {'the given state=' if self._state else 'what they hold'}"
        apart = "the given state=" if self._state else "the calls that led to them"
        return f"replayed from the start, since {self._copies.why_not}, told apart by {apart}"

    def states_in(self, method: str) -> str:
        """How states were kept by a method, in words: hitting families have none, they run whole schedules."""
        if method != "hitting":
            return self.states
        return "not kept: schedules were run from the start" + (
            ", or from a copy" if self._copies.why_not is None else ""
        )

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
        held = ", ".join(f"{name}={brief(value)}" for name, value in attributes(thing).items())
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
            if named is None and (meant := alike(f, public, self.synonyms, type(self).__name__)) is not None:
                return meant
            known = ", ".join(public)
            called = repr(f) if named is None else f"{named!r}, which `synonyms` names for {f!r}"
            advice = mapping(f, known) if named is None else ""
            raise ModelError(f"{type(self).__name__} has no method {called}; it has {known or 'none'}{advice}")
        return name

    def _answering(self, op: Operation) -> str:
        return f"{type(self).__name__}.{self._method(op.f)}"

    # What a runner needs that only runs it (`--method hitting`).

    def _fresh(self) -> Any:
        """A new object; ModelError if it cannot be made, or differs from the first."""
        thing = self._new()
        if not self._copies.begins_alike(thing):
            raise self._at_fault(
                f"{type(self).__name__}.__init__ makes an object that differs from the first one: do they share something,"
                " such as a default argument that is changed, or is it random?"
            )
        return thing

    def _new(self) -> Any:
        try:
            return self._make()
        except Halted:
            raise
        except BaseException as error:
            raise ModelError(f"{type(self).__name__} cannot be made: {complaint(error)}") from error

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

    def _agrees_raised(self, op: Operation, error: BaseException) -> bool:
        """Is this exception the recorded result?"""
        answer = self._raised(self._call(op), error)
        return op.pending or fits(answer, op.result)

    @property
    def _copy(self) -> Callable[[Any], Any] | None:
        """Copies an object; None if objects cannot be copied."""
        self._looked_at()
        return None if self._copies.why_not is not None else self._copied

    @property
    def _copy_cost(self) -> int:
        return COPY_COSTS if self._copies.is_deep else 2

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
        arguments = call.make()
        try:
            result = getattr(thing, call.method)(*arguments)
        except Halted:
            raise
        except BaseException as error:
            answer = self._raised(call, error)
        else:
            answer = self._answer(self._answering(call.op), result)
        if self._shared_now(thing) != self._shared_first:
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
        except (Halted, ModelError):
            raise
        except BaseException as error:  # of an iterator that is run to its end, or of a value that holds itself
            raise ModelError(f"{method} returned {brief(result)}, which cannot be read: {complaint(error)}") from error

    def _raised(self, call: Call, error: BaseException) -> Any:
        name = self._answering(call.op)
        if isinstance(error, calls.ENDS):
            what = f"{name} raised {complaint(error)} on {call.op}"
            raise ModelError(f"{what}: that ends a program, and is no answer", index_of(call.op)) from error
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
        answer = self._ran(thing, call)
        path = Path(state.path, call.name, call, answer)
        self._compare(state, path)
        if self._copies.why_not is not None and self._state is None and is_readonly(self, call.op):
            state.put_back(thing)
            return state, answer
        return self._snapshot(thing, path), answer

    def _ran(self, thing: Any, call: Call) -> Any:
        """The answer of a call; one that is declared readonly must leave the object as it is."""
        if not is_readonly(self, call.op):
            return self._run(thing, call)
        held = self._noted(thing)
        answer = self._run(thing, call)
        self._must_be_as_before(call.op, thing, held)
        return answer

    def _noted(self, thing: Any) -> Hashable:
        """What an object holds, as far as it can be read: to be compared with what it holds later."""
        return self._copies.held(thing, loosely=True) if self._holds is None else self._given(self._holds, thing)

    def _must_be_as_before(self, op: Operation, thing: Any, held: Hashable) -> None:
        if self._noted(thing) != held:
            advice = "" if self._holds is not None else "; if that is no state, say with `state=` what is"
            raise self._at_fault(
                f"`readonly` says that {op.f} never changes the object, but {self._answering(op)} did on {op}{advice}"
            )

    def _given(self, state: Callable[[Any], Hashable], thing: Any) -> Hashable:
        try:
            held = state(thing)
            if held is not thing:
                return ("state", tag(held))
        except Exception as error:
            raise ModelError(f"`state` of {type(self).__name__} failed: {complaint(error)}") from error
        raise ModelError(f"`state` of {type(self).__name__} returned the object itself, not what it holds")

    def _snapshot(self, thing: Any, path: Path) -> Snapshot:
        """The state that an object is in."""
        name: Hashable = path
        if self._state is not None:
            name = self._given(self._state, thing)
        elif self._copies.why_not is None:
            try:
                name = self._copies.held(thing)
            except Unreadable as reason:
                if self._copies.is_deep:  # a copy of what cannot be read is not to be trusted
                    self._copies.cannot(reason)
        return Snapshot(name, path, thing, frozen=self._copies.why_not is None)

    def _object_of(self, state: Snapshot) -> Any:
        """An object in this state, to be run."""
        if state.frozen and self._copies.why_not is None:
            copy = self._copied(state.thing, state.name)
            if copy is not None:
                return copy
        thing = state.take()
        return self._replayed(state.path) if thing is None else thing

    def _copied(self, thing: Any, name: Hashable = None) -> Any | None:
        """A copy of an object, None if it cannot be copied; `name` is its fingerprint, where it is known."""
        try:
            return self._copies.of(thing, name if isinstance(name, tuple) and self._state is None else None)
        except ModelError:
            raise
        except Exception as error:
            self._copies.cannot(error)
            return None

    def _replayed(self, path: Path) -> Any:
        """A new object on which these calls were run; each must answer what it answered before."""
        thing = self._fresh()
        for done in path.calls():
            answer = self._run(thing, done.call)
            if tag(answer) != tag(done.answer):
                raise self._differs(done, answer)
        return thing

    # Is the class one that can be a specification?

    def _looked_at(self) -> Any:
        """An object to look at: its methods, and whether it can be copied."""
        if self._sample is None:
            sample = self._new()
            self._shared = class_data(type(sample))
            self._shared_first = self._shared_now(sample)
            self._copies.look_at(sample, self._new())
            if self._shared_now(sample) != self._shared_first:
                raise self._at_fault(
                    f"{type(self).__name__}.__init__ changes an attribute of the class, which all objects share:"
                    " a specification keeps its state in the object"
                )
            self._sample = sample
        return self._sample

    def _look_anew(self) -> None:
        """Takes the attributes of the class as they are now for those at first."""
        self._shared_first = self._shared_now(self._looked_at())

    def _reach(self, method: str) -> Places:
        """What a method can reach outside of the object."""
        if method not in self._reached:
            self._reached[method] = reach(type(self._looked_at()), method)
        return self._reached[method]

    def _compare(self, before: Snapshot, path: Path) -> None:
        """Now and then: does a new object answer the same, and is the state that was copied as it was?"""
        self._steps += 1
        self._not_compared += 1
        if self._steps > STEPS_COMPARED and self._not_compared < STEPS_COMPARED + path.length:
            return
        self._not_compared = 0
        self._replayed(path)
        readable = before.frozen and self._state is None and isinstance(before.name, tuple)
        if readable and self._copies.held(before.thing) != before.name:
            raise self._at_fault(
                f"{self._answering(path.call.op)} on one object changed another one, on {path.call.op}: do they share something,"
                " such as a default argument, or what a copy should have copied?"
            )

    def _differs(self, done: Path, answer: Any) -> ModelError:
        """What is wrong if a call answered otherwise on a new object: the class, or the copy on which it answered before?"""
        op, once, again = done.call.op, show(done.answer), show(answer)
        thing, third = self._fresh(), None
        for one in done.calls():
            third = self._run(thing, one.call)
        if self._copies.why_not is not None or tag(third) != tag(answer):
            return self._answers_differently(op, once, again)
        how = "copy.deepcopy" if self._copies.is_deep else "the given copy="
        return self._at_fault(
            f"{self._answering(op)} answers differently on a copy of the object: {op.invocation} gives {once} on one made by"
            f" {how}, and {again} on a new object after the same calls. Give a `copy=` that copies it; with None it is not copied"
        )

    def _answers_differently(self, op: Operation, once: str, again: str) -> ModelError:
        return self._at_fault(
            f"{self._answering(op)} answers differently when the same calls are run again: {op.invocation} gives {once}, then"
            f" {again}. A specification is deterministic"
        )

    def _at_fault(self, message: str) -> ModelError:
        """Nothing that this class says can be believed, now or later."""
        self._fault = ModelError(message)
        return self._fault

    def _shared_now(self, thing: Any) -> tuple[Hashable, ...]:
        held = [getattr(type(thing), name, None) for name in self._shared]
        return (names_of(type(thing)), *fingerprint(held))
