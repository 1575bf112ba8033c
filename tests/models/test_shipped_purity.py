"""The shipped models are pure, so nobody looks twice at what they answer: here somebody does."""

import pytest

import linpoint as lp
from linpoint.history.values import tag
from linpoint.models.purity import is_sealed
from tests.agreement import compare, generate
from tests.agreement.vocabulary import OBJECTS


@pytest.mark.parametrize("name", OBJECTS)
def test_a_shipped_model_answers_the_same_and_changes_nothing(name):
    for seed in range(40):
        tried(*generate.history(name, seed))


def tried(spec, records):
    """From every state that some order of the first operations leads to, every operation twice."""
    model = compare.model(spec)
    states = {tag(model.initial): model.initial}
    for op in lp.History(records):
        if op.type == "fail":
            continue
        for state in list(states.values())[:20]:
            assert is_sealed(state), f"{spec}: {state!r} could be changed in place"
            answer = model.step(state, op)
            assert [tag(after) for after in model.step(state, op)] == [tag(after) for after in answer]
            states |= {tag(after): after for after in answer}
