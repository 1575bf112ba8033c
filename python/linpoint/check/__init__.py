"""Is it allowed? `check` answers with a `Result`."""

from linpoint.check.certify import certify_violation, certify_witness
from linpoint.check.check import check
from linpoint.check.methods import METHODS, Progress
from linpoint.check.result import Candidate, Counterexample, Result, explain_results_with, place, reason, span

__all__ = [
    "METHODS",
    "Candidate",
    "Counterexample",
    "Progress",
    "Result",
    "certify_violation",
    "certify_witness",
    "check",
    "explain_results_with",
    "place",
    "reason",
    "span",
]
