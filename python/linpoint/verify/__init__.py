"""Verifying algorithms: every interleaving of a bounded client, by branching bisimulation and trace refinement."""

from typing import TYPE_CHECKING

from linpoint.later import later
from linpoint.verify.entry import verify

if TYPE_CHECKING:
    from linpoint.verify.runs import Action, Interleaving, Memory, NodeView, Step, ThreadView
    from linpoint.verify.verification import PROPERTIES, Counterexample, Verification
else:
    __getattr__ = later(
        __name__,
        {
            "linpoint.verify.runs": ("Action", "Interleaving", "Memory", "NodeView", "Step", "ThreadView"),
            "linpoint.verify.verification": ("PROPERTIES", "Counterexample", "Verification"),
        },
    )

__all__ = [
    "PROPERTIES",
    "Action",
    "Counterexample",
    "Interleaving",
    "Memory",
    "NodeView",
    "Step",
    "ThreadView",
    "Verification",
    "verify",
]
