"""A counterexample as a page to step through: `assemble` puts it together, the scripts draw source, steps and memory."""

from linpoint.verify.page.assemble import page

__all__ = ["page"]
