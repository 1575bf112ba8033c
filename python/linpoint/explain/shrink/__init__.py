"""What is the smallest part of a history that is already impossible?

`shrink(result)` takes a violation and gives a *locally minimal* history that is a violation of the same model on
its own: leaving out any one more operation (with what must follow it) makes it linearizable. Every step is re-judged
by the exact checker. Delta debugging (Zeller & Hildebrandt 2002) over the operations before the stuck one returned,
starting from the end, where the trouble is; the rules of `keep.py` see to it that nothing misleading is left out.
"""

from linpoint.explain.shrink.shrink import shrink

__all__ = ["shrink"]
