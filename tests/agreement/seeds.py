"""Many seeds one after the other, from the command line: the first one, and how many."""

from __future__ import annotations

import sys
from collections.abc import Callable


def try_seeds(complaint: Callable[[int], tuple[bool, str]]) -> None:
    """Ends with the first complaint, which says of a seed: is its history linearizable, and what is wrong, if anything?"""
    first, count = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    agreed = 0
    for seed in range(first, first + count):
        right, words = complaint(seed)
        if words:
            sys.exit(words)
        agreed += right
    sys.stdout.write(f"{count} histories, {agreed} linearizable: no disagreement\n")
