"""Is it allowed? `check` answers with a `Result`."""

from linpoint._core import Candidate, Shrunk, Stuck, Witness
from linpoint.check.certify import certify_violation, certify_witness, part_of_operation
from linpoint.check.check import check
from linpoint.check.confirm import Confirmed, Evidence, Refuted, confirm
from linpoint.check.found import Statistics
from linpoint.check.methods import METHODS, Progress
from linpoint.check.orders import Orders
from linpoint.check.own import Stopped, under_the_clock
from linpoint.check.result import Result, place, reason, span
from linpoint.check.shrink import shrink

__all__ = [
    "METHODS",
    "Candidate",
    "Confirmed",
    "Evidence",
    "Orders",
    "Progress",
    "Refuted",
    "Result",
    "Shrunk",
    "Statistics",
    "Stopped",
    "Stuck",
    "Witness",
    "certify_violation",
    "certify_witness",
    "check",
    "confirm",
    "part_of_operation",
    "place",
    "reason",
    "shrink",
    "span",
    "under_the_clock",
]
