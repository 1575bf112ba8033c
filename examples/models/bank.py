"""A bank: transfers between accounts must never create or lose money, and nobody sees a transfer half done.

    linpoint check examples/histories/bank.jsonl --model examples/models/bank.py:Bank

The state is a tuple of balances, in the order of the accounts. `--model examples/models/bank.py:Bank:balances=[10,10,10]` is a
bank with three accounts.
"""

import linpoint as lp


class Bank(lp.Model):
    def __init__(self, balances=(100, 100)):
        self.initial = tuple(balances)

    def transfer(self, balances, order):
        """`[from, to, amount]`; false if there is not enough money."""
        source, target, amount = order
        if balances[source] < amount:
            return balances, False
        after = list(balances)
        after[source] -= amount
        after[target] += amount
        return tuple(after), True

    def read(self, balances, _):
        """All balances at one instant."""
        return balances, balances
