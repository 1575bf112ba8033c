"""Your own model: a class with `initial` and one method per operation, (state, value) -> (next state, result)."""

from pathlib import Path

import linpoint as lp


class Account(lp.Model):
    """A bank account that must not be overdrawn."""

    initial = 0

    def deposit(self, balance, amount):
        return balance + amount, None

    def withdraw(self, balance, amount):
        return (balance - amount, True) if amount <= balance else (balance, False)

    def balance(self, balance, _):
        return balance, balance

    def partition(self, op):
        return op.key  # every account is an object of its own


history = lp.read(Path(__file__).parent / "histories" / "accounts.jsonl")
result = lp.check(history, Account())
print(lp.explain(result))

# Ann had 50 and withdrew 30 twice.
assert result.verdict is lp.Verdict.VIOLATION
assert result.stuck.f == "withdraw"


class Lottery(lp.Model):
    """Several outcomes: a draw takes any ticket that is left. Return a list of (next state, result) pairs."""

    initial = frozenset({"red", "green", "blue"})

    def draw(self, tickets, _):
        return [(tickets - {ticket}, ticket) for ticket in tickets]


draws = lp.History(
    [
        {"process": 0, "f": "draw", "result": "green", "call": 0, "return": 2},
        {"process": 1, "f": "draw", "call": 1},  # crashed: nobody knows what it drew
        {"process": 2, "f": "draw", "result": "red", "call": 3, "return": 4},
    ]
)
assert lp.check(draws, Lottery()).verdict is lp.Verdict.LINEARIZABLE


class Even(lp.Model):
    """The low-level form: one method, step(state, op) -> the next states that are legal for op."""

    initial = 0

    def step(self, state, op):
        if op.f == "add":
            return [state + op.value]
        even = state % 2 == 0
        return [state] if op.pending or op.result == even else []


parity = lp.History(
    [
        {"process": 0, "f": "add", "value": 3, "call": 0, "return": 1},
        {"process": 1, "f": "even?", "result": True, "call": 2, "return": 3},
    ]
)
assert lp.check(parity, Even()).verdict is lp.Verdict.VIOLATION
