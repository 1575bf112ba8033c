"""Helper methods on concurrent maps: are they atomic?

Encapsulated extensions, after Zomer, Golan-Gueta, Ramalingam & Sagiv (ESOP 2014). `decide.py` says what is tried in which order.
"""

from linpoint.extend.base import Base
from linpoint.extend.base import finite as finite_base
from linpoint.extend.closure import Answer, composition_closed
from linpoint.extend.confirm import Move
from linpoint.extend.expressions import Refusal
from linpoint.extend.extend import (
    extend,
    extend_file,
    extend_source,
    extension,
    python_files,
    replaceable,
    unreduced,
    walk,
)
from linpoint.extend.result import Extension, summary

__all__ = [
    "Answer",
    "Base",
    "Extension",
    "Move",
    "Refusal",
    "composition_closed",
    "extend",
    "extend_file",
    "extend_source",
    "extension",
    "finite_base",
    "python_files",
    "replaceable",
    "summary",
    "unreduced",
    "walk",
]
