"""Labelled transition systems: read, reduce, compare, draw.

from linpoint import lts

implementation, specification = lts.read("queue.aut"), lts.read("spec.aut")
small = implementation.reduce("branching")                    # the smallest system that behaves the same
print(implementation.compare(specification, "divergence"))    # equal, or what one can do and the other cannot
print(implementation.included_in(specification))              # every trace? or a shortest one that is missing
"""

from linpoint.lts.comparison import Answer, Comparison, Formula
from linpoint.lts.system import EQUIVALENCES, INTERNAL, Facts, Lts, Reduction, read, reduce_file

__all__ = [
    "EQUIVALENCES",
    "INTERNAL",
    "Answer",
    "Comparison",
    "Facts",
    "Formula",
    "Lts",
    "Reduction",
    "read",
    "reduce_file",
]
