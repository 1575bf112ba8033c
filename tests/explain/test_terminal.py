"""The terminal timeline, character by character."""

import textwrap

import pytest

import linpoint as lp
from linpoint.explain.timeline import draw, lane, lay_out


def picture(records, order=(), stuck=None, width=60):
    history = lp.History(records)
    margin = max(len(lane(op)) for op in history) + 2
    shown = lay_out(history, range(len(history)), order, stuck, width - margin)
    return draw(shown, width).plain


def expect(text):
    return textwrap.dedent(text).strip("\n")


STALE = [
    {"process": 0, "f": "write", "value": 1, "call": 0, "return": 1},
    {"process": 0, "f": "write", "value": 2, "call": 2, "return": 7},
    {"process": 1, "f": "read", "result": 2, "call": 3, "return": 4},
    {"process": 2, "f": "read", "result": 1, "call": 5, "return": 6},
]


def test_a_stuck_operation_and_the_order_until_then():
    assert picture(STALE, (0, 1, 2), 3, 64) == expect("""
        p0  write(1)        write(2)
            ├●──────┤       ├●───────────────────────────────────────┤
        p1                          read() → 2
                                    ├●──────┤
        p2                                          ✗ read() → 1
                                                    ╞═══════╡
            0               2               4               6
            ● takes effect   ✗ cannot be explained
        """)


def test_points_stand_in_the_order_of_the_witness():
    overlapping = [{**op, "call": 0, "return": 9} | {"process": i} for i, op in enumerate(STALE)]
    assert picture(overlapping, (0, 3, 1, 2), None, 40) == expect("""
        p0  write(1)
            ├●───────────────────────────────┤
        p1  write(2)
            ├──●─────────────────────────────┤
        p2  read() → 2
            ├───●────────────────────────────┤
        p3  read() → 1
            ├─●──────────────────────────────┤
            0                                9
            ● takes effect
        """)


def test_pending_and_failed_operations():
    records = [
        {"process": "a", "f": "write", "value": 1, "call": 0},
        {"process": "b", "f": "write", "value": 2, "call": 1, "return": 3, "type": "fail"},
        {"process": 10, "f": "read", "result": 1, "call": 4, "return": 5},
        {"process": 9, "f": "read", "result": 1, "call": 4, "return": 5},
    ]
    assert picture(records, (0, 2, 3), None, 60) == expect("""
        p9                                            read() → 1
                                                      ├─●────────┤
        p10                                           read() → 1
                                                      ├●─────────┤
        a    write(1) → ?
             ├●┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄▸
        b              write(2) failed
                       ├┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┤
             0                              3                    5
             ● takes effect   ┄▸ never returned
        """)


def test_a_narrow_screen_shortens_the_scale_and_breaks_the_legend():
    assert picture(STALE, (0, 1, 2), 3, 34) == expect("""
        p0  write(1)  write(2)
            ├●─┤      ├●─────────┤
        p1              read() → 2
                        ├●┤
        p2                 ✗ read() → 1
                           ╞══╡
            0           3
            ● takes effect
            ✗ cannot be explained
        """)


def test_what_does_not_fit_goes_on_in_the_next_band():
    many = [{"process": i % 3, "f": "write", "value": "x" * i, "call": 10 * i, "return": 10 * i + 5} for i in range(12)]
    assert picture(many, range(12), 7, 40) == expect("""
        p0  write("")  write("xxx")  write("xxx…
            ├●┤        ├●┤           ├●┤
        p1     write("x")  write("xxxx")  ✗ wri…
               ├●┤         ├●┤            ╞●╡
        p2        write("xx")  write("xxxxx")  …
                  ├●┤          ├●┤             ├
            0            35          60

        p0        write("xxxxxxxxx")
                  ├●┤
        p1                write("xxxxxxxxxx")
                          ├●┤
        p2  …write("xxxxxxxx… write("xxxxxxxxxx…
            ●┤                ├●┤
             85           100
            ● takes effect
            ✗ cannot be explained
        """)


@pytest.mark.parametrize("width", [30, 40, 60, 100, 200])
def test_nothing_is_wider_than_the_screen(width):
    many = [{"process": i % 3, "f": "write", "value": "x" * i, "call": 10 * i, "return": 10 * i + 5} for i in range(12)]
    assert max(map(len, picture(many, range(12), 7, width).splitlines())) <= width


def test_every_event_keeps_its_place():
    """Columns are in the order of events, whatever the scale; only equal times may share one."""
    records = [{"process": i, "f": "read", "call": i * i, "return": i * i + 3 * i} for i in range(8)]
    history = lp.History(records)
    calls, returns = history.columns.ranks()
    for width in (20, 50, 200):
        shown = lay_out(history, range(8), range(8), None, width)
        columns = {}
        for row in shown.lanes:
            for bar in row.bars:
                columns[calls[bar.op.index]] = bar.start
                columns[returns[bar.op.index]] = bar.end
                assert bar.start < bar.point < bar.end
        in_order = [columns[rank] for rank in sorted(columns)]
        assert in_order == sorted(in_order)


def test_long_labels_are_cut():
    text = picture([{"process": 0, "f": "write", "value": "x" * 100, "call": 0, "return": 1}], (), None, 60)
    assert text.splitlines()[0] == 'p0  write("xxxxxxxxxxxxxxxxxxxxxxxx…'


def test_colours_only_repeat_what_shapes_say():
    history = lp.History(STALE)
    text = draw(lay_out(history, range(4), (0, 1, 2), 3, 60), 60)
    styles = {style for _, style in text.pieces if style}
    assert styles == {"bold", "bold #0072b2", "bold #d55e00", "dim"}
    marked = [words for words, style in text.pieces if "d55e00" in style]
    assert [mark[0] for mark in marked] == ["✗", "╞", "✗"]
