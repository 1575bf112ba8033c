"""What happened: `Operation` and `History`."""

from linpoint.history.history import History
from linpoint.history.operation import Operation, Time
from linpoint.history.values import FrozenDict

__all__ = ["FrozenDict", "History", "Operation", "Time"]
