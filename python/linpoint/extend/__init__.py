"""Helper methods on concurrent maps: are they atomic? Encapsulated extensions, after Zomer, Golan-Gueta, Ramalingam & Sagiv (ESOP 2014)."""

from linpoint.extend.base import Base
from linpoint.extend.base import finite as finite_base
from linpoint.extend.closure import composition_closed
from linpoint.extend.confirm import Move
from linpoint.extend.expressions import Refusal
from linpoint.extend.extend import extend, extend_file, extend_source, extension, python_files, unreduced, walk
from linpoint.extend.result import Extension, summary

__all__ = [
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
    "summary",
    "unreduced",
    "walk",
]
