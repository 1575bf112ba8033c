"""The report as one page of HTML: `assemble` puts it together, `data` and `faults` prepare what its scripts draw."""

from linpoint.explain.page.assemble import page

__all__ = ["page"]
