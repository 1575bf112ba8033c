"""Why: `explain` makes of a result its explanation, in words and pictures.

What draws is imported only when it is needed, so that `import linpoint` stays quick.
"""

from linpoint.explain.explain import explain
from linpoint.explain.explanation import Claim, Cut, Explanation

__all__ = ["Claim", "Cut", "Explanation", "explain"]
