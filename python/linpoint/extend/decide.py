"""Which reductions apply, and what do they decide? From a group of methods to a verdict on each, with the theorem it rests on.

The order of trying (Zomer, Golan-Gueta, Ramalingam & Sagiv, ESOP 2014):

1. A method that makes at most one base operation on every path is atomic, because that operation is.
2. *Transactions*: the environment sees and overwrites every cell that the call looks at, at most once between two of
   its operations. For one key of a map whose `put` gives the old value this is Corollary 4 as it stands (the key is a
   generic register, Lemma 2; every extension is replaceable, Lemma 3; Lemma 4 merges the environment's operations). A
   dict has no such operation; then the swap is virtual: it enlarges the histories, so "verified" stays true. The same
   argument holds for several keys at once. Each method is verified alone.
3. What fails there is a candidate. If the swap is real, it is confirmed at once; if not, the driver of Theorem 1 with
   real operations decides: first with base operations only, which is enough if every extension is replaceable
   (Corollary 1), then with calls of all methods of the group.
4. A counter and a finite object of yours go to Theorem 1 straight away, or by Corollary 1 if `replaceable` holds.

No violation is told that `confirm` did not confirm. What no driver decides is UNKNOWN, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from linpoint.extend.closure import composition_closed, replaceable
from linpoint.extend.confirm import Violation, confirm
from linpoint.extend.explore import Driver, Found, explore, tell
from linpoint.extend.moment import Group
from linpoint.extend.program import Call, Program, successors
from linpoint.extend.sorts import beyond_counting
from linpoint.verdict import Verdict

MOST_CANDIDATES: Final = 12
"""So many violations of one driver are tried to be confirmed."""

LITTLE: Final = 300
"""Steps to look for a violation that tells more than the one that is known."""

TRANSACTIONS: Final = Driver(True)
OPERATIONS: Final = Driver(False)
THEOREM_1: Final = Driver(False, True)
METHODS_ONLY: Final = Driver(False, True, False)


@dataclass
class Decision:
    """What is known of one method."""

    verdict: Verdict
    reduction: str
    """The theorem that it rests on."""
    states: int = 0
    cause: str = ""
    """Why it is unknown."""
    violation: Violation | None = None
    checked: list[str] = field(default_factory=list)
    """What was checked on the way, for `--why`."""
    endless: int = 0
    """A line of a loop that, run alone, need not end."""
    alone: bool = True
    """Was it judged without the other methods of its group?"""


def decide(group: Group, program: Program, stop: Callable[[], bool] = lambda: False) -> Decision:
    """Is the method linearizable, together with the others of its group?"""
    if most_operations(program) <= 1:
        checked = ["every path makes at most one base operation, and a base operation is atomic"]
        return Decision(Verdict.LINEARIZABLE, "one base operation", 0, checked=checked)
    decision = _Decider(group, program, stop).decision()
    if decision.endless:
        decision.checked.append(f"run alone it need not end: the loop at line {decision.endless}")
        if decision.verdict is not Verdict.VIOLATION:
            decision.verdict = Verdict.UNKNOWN
            decision.cause = (
                f"run alone it does not come to an end (the loop at line {decision.endless}), so it is no specification"
            )
    return decision


class _Decider:
    def __init__(self, group: Group, program: Program, stop: Callable[[], bool]) -> None:
        self.group, self.program, self.stop = group, program, stop
        self.states = 0
        self.endless = 0
        self.checked: list[str] = []

    def decision(self) -> Decision:
        base = self.group.base
        if base.whole_numbers or base.states:
            return self._by_operations()
        found = self._explore(TRANSACTIONS, 1 if not base.swaps else MOST_CANDIDATES)
        if found.reason:
            return self._unknown("Theorem 1", found.reason)
        one = found.cells <= 1
        if found.verified:
            return self._verified_by_transactions(one, found)
        self._note(f"an environment that swaps whole cells finds a candidate for a violation ({found.states} states)")
        if base.swaps and one:
            violation = self._confirmed(TRANSACTIONS, found)
            if violation is not None:
                self._note("confirmed: the same steps with base operations are a history that `linpoint check` refutes")
                return self._violation(violation)
        return self._by_operations()

    def _verified_by_transactions(self, one: bool, found: Found) -> Decision:
        base = self.group.base
        if not one:
            name = "Theorem 1, several keys"
            self._note(
                f"up to {found.cells} keys on one path: the environment overwrites all of them at once, and sees them"
            )
        elif base.swaps:
            name = "Corollary 4"
            self._note(
                "one key on every path: its cell is a generic register (Lemma 2), so every extension is replaceable (Lemma 3)"
            )
            self._note(
                "the environment reads or swaps (Corollary 3), at most once between two internal operations (Lemma 4)"
            )
            self._note("the linearization point lies in the method's own thread (Lemma 5)")
        else:
            name = "Corollary 4, virtual swap"
            self._note(
                f"one key on every path; a {base.name} cannot swap, so its environment gets one: it can do more than any thread"
            )
            self._note("at most one swap between two internal operations (Lemma 4)")
        self._note("values are only compared, passed on and returned: what holds for the symbols holds for all values")
        return Decision(Verdict.LINEARIZABLE, name, self.states, checked=self.checked, endless=self.endless)

    def _by_operations(self) -> Decision:
        """The driver of Theorem 1, with the operations that there are."""
        base = self.group.base
        if base.whole_numbers and (why := beyond_counting(self.program)):
            return self._unknown("Theorem 1", why)
        closure = composition_closed(base) if base.states else None
        if closure is not None:
            self._note(closure.words)
        alone = self._explore(OPERATIONS, MOST_CANDIDATES)
        if alone.violations:
            violation = self._confirmed(OPERATIONS, alone)
            if violation is not None:
                self._note("confirmed with base operations of one other thread: `linpoint check` refutes the history")
                return self._violation(violation)
        replaced = replaceable(self.group, self.program) if not alone.reason else None
        if replaced is not None:
            self._note(replaced.words)
        if alone.verified and replaced is not None and replaced.holds:
            return self._verified("Corollary 1", alone)
        full = self._explore(THEOREM_1, MOST_CANDIDATES)
        if full.violations:
            violation = self._confirmed(THEOREM_1, full)
            if violation is not None:
                if alone.verified and violation.by_extension:
                    self._note(
                        f"with base operations alone there is no violation ({alone.states} states): it takes two extension calls"
                    )
                return self._violation(violation)
            return self._unknown(
                "Theorem 1", "a violation needs values or functions that may not exist; none could be confirmed"
            )
        if full.reason:
            return self._unknown("Theorem 1", full.reason)
        if full.cut:
            return self._unknown(
                "Theorem 1", "neither proved nor refuted: other calls may be about more keys than are looked at"
            )
        return self._verified("Theorem 1", full)

    def _verified(self, name: str, found: Found) -> Decision:
        self._note(
            f"one interrupted call, and an environment of atomic operations, as many as it likes: {found.states} states"
        )
        alone = name != "Theorem 1"
        own = explore(self.group, self.program, Driver(False, not alone, True, True), 1, self.stop)
        where = "one of its own steps" if own.verified else "in another thread: at an operation of the environment"
        self._note(f"its linearization point is {where}")
        return Decision(
            Verdict.LINEARIZABLE, name, self.states, checked=self.checked, endless=self.endless, alone=alone
        )

    def _violation(self, violation: Violation) -> Decision:
        """A violation in which others only call the methods tells more than one in which they operate on the object itself."""
        if not violation.by_extension or violation.direct:
            most = LITTLE * (1 if len(self.group.programs) == 1 else 4)
            found = explore(self.group, self.program, METHODS_ONLY, 2, self.stop, most)
            stronger = self._confirmed(METHODS_ONLY, found)
            if stronger is not None:
                violation = stronger
                self._note("calls of the methods alone break it, without any other operation")
            elif found.verified:
                self._note(
                    f"calls of the methods alone do not break it ({found.states} states): it takes another operation on it"
                )
        return Decision(
            Verdict.VIOLATION, "Theorem 1", self.states, violation=violation, checked=self.checked, endless=self.endless
        )

    def _unknown(self, name: str, cause: str) -> Decision:
        return Decision(Verdict.UNKNOWN, name, self.states, cause, checked=self.checked, endless=self.endless)

    def _explore(self, driver: Driver, wanted: int) -> Found:
        found = explore(self.group, self.program, driver, wanted, self.stop)
        self.states += found.states
        self.endless = self.endless or found.endless
        return found

    def _confirmed(self, driver: Driver, found: Found) -> Violation | None:
        for trail in found.violations:
            violation = confirm(tell(self.group, self.program, driver, trail), self.group, self.program)
            if violation is not None:
                return violation
        return None

    def _note(self, words: str) -> None:
        self.checked.append(words)


def saved(group: Group, program: Program, stop: Callable[[], bool] = lambda: False) -> Found:
    """What the driver of Theorem 1 would have had to look at without any further reduction."""
    return explore(group, program, THEOREM_1, 1, stop)


def most_operations(program: Program) -> int:
    """The most base operations on one path; 2 stands for several, a loop with one in it included."""
    best = [0] * len(program.code)
    for _ in range(len(program.code) + 1):
        changed = False
        for place in range(len(program.code) - 1, -1, -1):
            step = program.code[place]
            after = max((best[target] for target in successors(step) if target >= 0), default=0)
            found = min(2, after + isinstance(step, Call))
            if found > best[place]:
                best[place], changed = found, True
        if not changed:
            break
    return best[0] if best else 0
