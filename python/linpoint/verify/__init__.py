"""Verifying algorithms: every interleaving of a bounded client, by branching bisimulation and trace refinement."""

from linpoint.verify.entry import verify
from linpoint.verify.runs import Action, Interleaving, Memory, NodeView, Step, ThreadView
from linpoint.verify.verification import PROPERTIES, Counterexample, Verification

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
