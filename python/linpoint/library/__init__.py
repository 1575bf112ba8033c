"""Ready algorithms and specifications, importable and runnable.

`studies` lists the algorithms that `linpoint verify` knows by name; `juc` has ten classes of `java.util.concurrent` as
specifications.
"""
