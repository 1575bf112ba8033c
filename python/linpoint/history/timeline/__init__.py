"""Pictures of histories: `layout.py` says where things go, `svg.py` draws them, `notebook.py` puts them into a notebook."""

from linpoint.history.timeline.layout import Bar, Lane, Picture, lane, lay_out

__all__ = ["Bar", "Lane", "Picture", "lane", "lay_out"]
