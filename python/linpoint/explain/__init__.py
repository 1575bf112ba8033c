"""Why: results in words and pictures. Importing this room teaches `str(result)` to draw."""

from linpoint.check import Result, draw_results_with


def _plain(result: Result) -> str:
    from linpoint.explain.report import plain  # noqa: PLC0415 - rich is loaded only to draw

    return plain(result)


draw_results_with(_plain)

__all__: list[str] = []
