"""Pictures of histories: `lay_out` says where things go, one file per medium draws them."""

from linpoint.explain.timeline.layout import Bar, Lane, Picture, lane, lay_out
from linpoint.explain.timeline.terminal import draw

__all__ = ["Bar", "Lane", "Picture", "draw", "lane", "lay_out"]
