"""Is it allowed? `check` answers with a `Result`."""

from typing import TYPE_CHECKING

from linpoint._core import Candidate, Shrunk, Stuck, Witness, __version__
from linpoint._core import Cut as FoundCut
from linpoint.check.certify import certify_violation, certify_witness, part_of_operation, past_of_operation
from linpoint.check.check import check
from linpoint.check.confirm import Confirmed, Evidence, Refuted, Trial, confirm, in_real_time
from linpoint.check.found import Deduction, Statistics
from linpoint.check.hitting import depth, hitting_family, strongly_hits
from linpoint.check.methods import METHODS, Progress
from linpoint.check.orders import Orders, OutOfWork
from linpoint.check.own import Stopped, model_from_file, under_the_clock
from linpoint.check.result import Result, place, reason, span
from linpoint.check.rivals import same_for
from linpoint.check.shrink import Replayed, replayed, shrink
from linpoint.check.window import Window, window
from linpoint.later import later

if TYPE_CHECKING:
    from linpoint.check.premises import ProofError
    from linpoint.check.proof import Proof, certify_proof, model_of
else:
    __getattr__ = later(
        __name__,
        {"linpoint.check.premises": ("ProofError",), "linpoint.check.proof": ("Proof", "certify_proof", "model_of")},
    )

__all__ = [
    "METHODS",
    "Candidate",
    "Confirmed",
    "Deduction",
    "Evidence",
    "FoundCut",
    "Orders",
    "OutOfWork",
    "Progress",
    "Proof",
    "ProofError",
    "Refuted",
    "Replayed",
    "Result",
    "Shrunk",
    "Statistics",
    "Stopped",
    "Stuck",
    "Trial",
    "Window",
    "Witness",
    "__version__",
    "certify_proof",
    "certify_violation",
    "certify_witness",
    "check",
    "confirm",
    "depth",
    "hitting_family",
    "in_real_time",
    "model_from_file",
    "model_of",
    "part_of_operation",
    "past_of_operation",
    "place",
    "reason",
    "replayed",
    "same_for",
    "shrink",
    "span",
    "strongly_hits",
    "under_the_clock",
    "window",
]
