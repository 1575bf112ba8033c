"""Errors of the core arrive as linpoint's own exceptions, with their facts; faults in a user's model keep their cause."""

import threading
from typing import Any

import pytest

import linpoint


def operation(**changes: Any) -> dict[str, Any]:
    return {"process": 0, "f": "write", "value": 1, "call": 0, "return": 1} | changes


def test_every_exception_has_one_base() -> None:
    for error in (
        linpoint.ReadError,
        linpoint.HistoryError,
        linpoint.ModelError,
        linpoint.UsageError,
        linpoint.InternalError,
    ):
        assert issubclass(error, linpoint.LinpointError)
    assert not issubclass(linpoint.Interrupted, linpoint.LinpointError)
    assert issubclass(linpoint.Interrupted, KeyboardInterrupt)


def test_a_file_that_cannot_be_read_says_where() -> None:
    good = b'{"process":0,"f":"read","call":0,"return":1}\n'
    with pytest.raises(linpoint.ReadError) as caught:
        linpoint.read(good + b'{"process":1,"f":}\n', format="jsonl")
    assert (caught.value.line, caught.value.column) == (2, 18)
    assert str(caught.value).startswith("<bytes>:2:18: ")


def test_operations_that_make_no_history_name_the_operation() -> None:
    with pytest.raises(linpoint.HistoryError) as caught:
        linpoint.History([operation(), operation(call=5, **{"return": 4}, process=1)])
    assert caught.value.operation == 1


def test_an_operation_the_model_does_not_have_is_named() -> None:
    for native in (True, False):
        with pytest.raises(linpoint.ModelError) as caught:
            linpoint.check([operation(), operation(f="fly", process=1)], "register", native=native)
        assert caught.value.operation == 1
        assert "fly" in str(caught.value)


class Broken(linpoint.Model):
    """Fails in the way it is told to."""

    def __init__(self, initial: Any = 0, result: Any = None) -> None:
        self.initial = initial
        self.result = result

    def write(self, state: Any, value: Any) -> Any:
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


def test_a_fault_in_a_step_keeps_its_cause() -> None:
    fault = ZeroDivisionError("oops")
    with pytest.raises(linpoint.ModelError, match="oops") as caught:
        linpoint.check([operation()], Broken(result=fault))
    assert caught.value.__cause__ is fault
    assert caught.value.operation == 0


@pytest.mark.parametrize(
    ("model", "complaint"),
    [
        (Broken(initial=[threading.Lock()]), "hash"),
        (Broken(result=([threading.Lock()], None)), "hash"),
        (Broken(result=7), "pair"),
    ],
)
def test_a_model_that_breaks_the_rules_is_told(model: linpoint.Model, complaint: str) -> None:
    with pytest.raises(linpoint.ModelError, match=complaint):
        linpoint.check([operation()], model)


@pytest.mark.parametrize(
    "options",
    [
        {"method": "magic"},
        {"timeout": "soon"},
        {"memory": "a lot"},
        {"cache": 10},
        {"threads": 0},
        {"model": "regsiter"},
    ],
)
def test_a_call_that_makes_no_sense_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(linpoint.UsageError):
        linpoint.check([operation()], **({"model": "register"} | options))
