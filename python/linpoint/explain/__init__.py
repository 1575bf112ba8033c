"""Why: results in words and pictures. Importing this room teaches results to draw, to shrink and to save themselves.

What draws is imported only when it is needed, so that `import linpoint` stays quick.
"""

# ruff: noqa: PLC0415 - imported late on purpose

from linpoint.check import Counterexample, Result, explain_results_with


class _Explainer:
    """What `linpoint.check.result` asks for."""

    def text(self, result: Result) -> str:
        from linpoint.explain.report import plain

        return plain(result)

    def shrink(self, result: Result) -> Counterexample:
        from linpoint.explain.shrink import shrink

        return shrink(result)

    def save(self, result: Result, path: str) -> None:
        from linpoint.explain.save import save

        save(result, path)


explain_results_with(_Explainer())

__all__: list[str] = []
