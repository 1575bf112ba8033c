"""Which verdict holds where no model was named? The one that every model comes to whose operations these may be.

`add 5, add 6, remove → 6` is a violation of a queue and fine for a stack: the names of the operations do not tell, so
there is no verdict, and the user is asked. Costs one check per model; name the model to avoid this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from linpoint.check.result import Result
from linpoint.errors import AmbiguousModelError
from linpoint.models import Model
from linpoint.verdict import Verdict


def agreed(result: Result, rivals: Sequence[Model], judge: Callable[[Model], Result]) -> Result:
    """The result, if all rivals of its model come to the same verdict; AmbiguousModelError with all verdicts if not."""
    if not rivals or result.verdict is Verdict.UNKNOWN:
        return result
    verdicts = {str(result.model): result.verdict, **{str(model): judge(model).verdict for model in rivals}}
    if set(verdicts.values()) == {result.verdict}:
        return replace(result, guessed=f"{result.guessed}{same_for(rivals)}")
    told = ", ".join(f"{model} ({verdict})" for model, verdict in verdicts.items())
    raise AmbiguousModelError(f"which model? The operations may be those of {told}: name one (--model)", verdicts)


def same_for(rivals: Sequence[Model]) -> str:
    """What is added to the reason for a model where others might be meant and come to the same verdict; nothing without."""
    if not rivals:
        return ""
    names = [", ".join(map(str, rivals[:-1])), str(rivals[-1])] if rivals[1:] else [str(rivals[0])]
    return f"; the verdict is the same for {' and '.join(names)}"
