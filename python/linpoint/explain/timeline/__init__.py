"""Pictures of histories: `lay_out` says where things go, one file per medium draws them."""

from linpoint.explain.timeline.terminal import draw
from linpoint.history.timeline import Bar, Lane, Picture, lane, lay_out

__all__ = ["Bar", "Lane", "Picture", "draw", "lane", "lay_out"]
