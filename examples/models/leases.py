"""A lease service: a resource has one owner at a time, and only the owner may renew or release.

    linpoint check examples/histories/leases.jsonl --model examples/models/leases.py:Leases

Whoever calls is the owner, so the model looks at `op.process`. Each resource (`key`) is judged apart.
"""

import linpoint as lp


class Leases(lp.Model):
    initial = None  # nobody owns it

    def step(self, owner, op):
        match op.f:
            case "acquire":
                free = owner is None
                return [op.process if free else owner] if op.pending or op.result is free else []
            case "renew":
                return [owner] if op.pending or op.result is (owner == op.process) else []
            case "release":
                mine = owner == op.process
                return [None if mine else owner] if op.pending or op.result is mine else []
            case "owner":
                return [owner] if op.pending or op.result == owner else []
        raise ValueError(f"what is {op.f}?")

    def partition(self, op):
        return op.key

    def describe(self, owner):
        return "nobody" if owner is None else f"owned by {owner}"
