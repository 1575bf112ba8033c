"""Helper methods on concurrent maps: are they atomic?

Encapsulated extensions, after Zomer, Golan-Gueta, Ramalingam & Sagiv (ESOP 2014). `decide.py` says what is tried in which order.
"""

from typing import TYPE_CHECKING

from linpoint.extend.entry import extend, extension
from linpoint.later import later

if TYPE_CHECKING:
    from linpoint.extend.base import Base, finite_base
    from linpoint.extend.closure import Answer, composition_closed
    from linpoint.extend.confirm import Move
    from linpoint.extend.expressions import Refusal
    from linpoint.extend.judge import extend_file, extend_source, python_files, replaceable, unreduced, walk
    from linpoint.extend.result import Extension, summary
else:
    __getattr__ = later(
        __name__,
        {
            "linpoint.extend.base": ("Base", "finite_base"),
            "linpoint.extend.closure": ("Answer", "composition_closed"),
            "linpoint.extend.confirm": ("Move",),
            "linpoint.extend.expressions": ("Refusal",),
            "linpoint.extend.judge": (
                "extend_file",
                "extend_source",
                "python_files",
                "replaceable",
                "unreduced",
                "walk",
            ),
            "linpoint.extend.result": ("Extension", "summary"),
        },
    )

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
