"""linpoint: does this concurrent object behave as if each operation took effect at one instant?

    import linpoint as lp

    history = lp.read("run.edn")                                  # the format is sniffed
    result = lp.check(history, lp.models.CasRegister(), timeout=30, memory="2GiB")
    result.verdict                                                # Verdict.VIOLATION
    print(lp.explain(result))                                     # why, and a timeline

Your own specification is plain Python: see `linpoint.Model`.
"""

import typing as _typing

from linpoint import models
from linpoint._core import __version__
from linpoint.budget import Budget
from linpoint.check import (
    METHODS,
    Candidate,
    Result,
    Statistics,
    Stuck,
    Witness,
    check,
    depth,
    hitting_family,
    strongly_hits,
)
from linpoint.errors import (
    AmbiguousModelError,
    Blocked,
    Fault,
    HistoryError,
    InternalError,
    Interrupted,
    LanguageError,
    LinpointError,
    ModelError,
    ReadError,
    Unfinished,
    UsageError,
)
from linpoint.explain import Claim, Cut, Explanation, explain
from linpoint.extend import extend, extension
from linpoint.formats import FORMATS, read, write
from linpoint.history import FrozenDict, History, Operation
from linpoint.later import later
from linpoint.models import ALL, ANY, Model, Several
from linpoint.verdict import Cause, Verdict
from linpoint.verify import verify

if _typing.TYPE_CHECKING:
    from linpoint import lts
    from linpoint.extend import Extension, finite_base
    from linpoint.monitor import Counts, Monitor, Violation
    from linpoint.verify import Counterexample, Interleaving, Verification
else:
    __getattr__ = later(
        __name__,
        {
            "linpoint.extend": ("Extension", "finite_base"),
            "linpoint.lts": ("lts",),
            "linpoint.monitor": ("Counts", "Monitor", "Violation"),
            "linpoint.verify": ("Counterexample", "Interleaving", "Verification"),
        },
    )

__all__ = [
    "ALL",
    "ANY",
    "FORMATS",
    "METHODS",
    "AmbiguousModelError",
    "Blocked",
    "Budget",
    "Candidate",
    "Cause",
    "Claim",
    "Counterexample",
    "Counts",
    "Cut",
    "Explanation",
    "Extension",
    "Fault",
    "FrozenDict",
    "History",
    "HistoryError",
    "Interleaving",
    "InternalError",
    "Interrupted",
    "LanguageError",
    "LinpointError",
    "Model",
    "ModelError",
    "Monitor",
    "Operation",
    "ReadError",
    "Result",
    "Several",
    "Statistics",
    "Stuck",
    "Unfinished",
    "UsageError",
    "Verdict",
    "Verification",
    "Violation",
    "Witness",
    "__version__",
    "check",
    "depth",
    "explain",
    "extend",
    "extension",
    "finite_base",
    "hitting_family",
    "lts",
    "models",
    "read",
    "strongly_hits",
    "verify",
    "write",
]

__dir__ = __all__.copy  # also what is not loaded yet
