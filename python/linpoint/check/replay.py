"""Is the witness of a shipped model right? The call into `crates/replay`, which shares nothing with the search.

Where one run cannot tell (pending operations with several outcomes), and for models in Python, `certify.py` decides.
"""

from __future__ import annotations

from linpoint import _core
from linpoint._core import Witness
from linpoint.budget import Budget
from linpoint.check.certify import Contradiction
from linpoint.check.own import Stopped
from linpoint.check.result import Result
from linpoint.errors import InternalError
from linpoint.history.door import door
from linpoint.models import Shipped, is_native


def replay(result: Result, budget: Budget, threads: int) -> bool:
    """True: the result is linearizable, and its witness right. False: this replay cannot tell.

    Raises InternalError if the witness is wrong, and `Stopped` if the budget ended first.
    """
    witness, model = result.evidence, result.model
    if not (isinstance(witness, Witness) and isinstance(model, Shipped) and is_native(model)):
        return False
    with door():
        judgement, operation, why = _core.replay(
            result.history.columns,
            model.name,
            model.options,
            witness,
            timeout=budget.left(),
            memory=budget.memory,
            threads=threads,
        )
    if judgement == "stopped":
        raise Stopped(why)
    if judgement == "wrong":
        if operation is None or operation >= len(result.history):
            raise InternalError(why)
        raise Contradiction(f"{why}: {result.history[operation]}", operation)
    return judgement == "right"
