"""`--model`: a shipped model by its name, or a file of the user's, which is run on purpose and under the clock."""

from __future__ import annotations

from linpoint.budget import Budget
from linpoint.check import Stopped, model_from_file
from linpoint.cli.attention import attention
from linpoint.cli.outcome import HANDOVER
from linpoint.errors import Unfinished
from linpoint.models import Model, names_a_file, parse
from linpoint.text import printable
from linpoint.verdict import Cause


def model_named(words: str, budget: Budget) -> Model:
    """The model that the words mean. A file has what is left of the budget, and answers to Ctrl-C, from its first line on."""
    if not names_a_file(words):
        return parse(words)
    try:
        with attention.step(budget.left(), HANDOVER):
            return model_from_file(words, budget)
    except Stopped as stopped:
        late = stopped.cause == "time"
    except KeyboardInterrupt:
        late = attention.stopped() != "interrupted"
    if late:
        raise Unfinished(Cause.TIME, f"running {printable(words)}")
    raise KeyboardInterrupt


def own_model(words: str | None, budget: Budget) -> Model | None:
    """The same, where a shipped model needs no name: None without words."""
    return None if words is None else model_named(words, budget)
