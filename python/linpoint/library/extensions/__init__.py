"""Extension methods of concurrent maps, registers and counters: the examples of the paper behind `linpoint extend`.

`bases` has objects that threads can share, `figures` and `shapes` the methods, `catalog` says where each comes from.
"""
