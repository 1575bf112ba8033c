"""The picture for papers: exact snapshots, and what must be true of every picture.

A changed picture is written anew with LINPOINT_REWRITE=1; look at the difference before you keep it.
"""

import os
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

import linpoint as lp
from linpoint.check import Result
from linpoint.explain.timeline.svg import svg as draw
from tests.conftest import ROOT

SNAPSHOTS = Path(__file__).parent / "snapshots"
NAMESPACE = "{http://www.w3.org/2000/svg}"
HOSTILE = "</script><img src=x onerror='window.pwned=1'>\"&\u202e\x07"


def svg(result: Result) -> str:
    """The picture of a whole history that is small, and of what is shown of a large one."""
    explanation, history = lp.explain(result), result.history
    if len(history) > 40:
        return draw(explanation)
    order = result.order if result.order is not None else result.prefix_order
    return draw(replace(explanation, shown=history, operations=tuple(range(len(history))), order=order))


def stale_read() -> Result:
    return lp.check(lp.read(ROOT / "examples" / "histories" / "stale-read.jsonl"), "cas-register")


def pending_and_failed() -> Result:
    return lp.check(lp.read(ROOT / "examples" / "histories" / "jepsen.edn"), "cas-register")


def hostile() -> Result:
    return lp.check(
        lp.History([
            {"process": HOSTILE, "f": "write", "value": HOSTILE, "call": 0, "return": 1},
            {"process": 1, "f": "read", "result": "other", "call": 2, "return": 3},
        ]),
        "register",
    )  # fmt: skip


def out_of_time() -> Result:
    clients = range(14)
    pushes = [{"process": i, "f": "push", "value": i, "call": 0, "return": 1} for i in clients]
    pops = [{"process": i, "f": "pop", "result": (i + 1) % 14, "call": 2, "return": 3} for i in clients]
    extra = {"process": 14, "f": "pop", "result": "surprise", "call": 2, "return": 3}
    result = lp.check(lp.History([*pushes, *pops, extra]), "stack", method="depth-first", timeout=0.05)
    assert result.verdict is lp.Verdict.UNKNOWN
    return result


def crowded() -> Result:
    """Labels longer than their intervals: time must be stretched."""
    write = {"process": 0, "f": "write", "call": 0, "return": 1}
    later = [
        {"process": i % 2, "f": "read", "result": "a long value", "call": 2 * i, "return": 2 * i + 1}
        for i in range(1, 8)
    ]
    return lp.check(
        lp.History(
            [
                {**write, "value": "a long value"},
                *later,
                {"process": 3, "f": "read", "result": 1, "call": 900, "return": 990},
            ]
        ),
        "register",
    )


PICTURES = {"stale-read": stale_read, "pending-and-failed": pending_and_failed, "hostile": hostile, "crowded": crowded}


@pytest.mark.parametrize("name", PICTURES)
def test_snapshot(name: str) -> None:
    stored = SNAPSHOTS / f"{name}.svg"
    text = svg(PICTURES[name]())
    if os.environ.get("LINPOINT_REWRITE"):
        stored.write_text(text, encoding="utf-8")
    assert text == stored.read_text(encoding="utf-8")


def parsed(text: str) -> ET.Element:
    return ET.fromstring(text)


def classes(root: ET.Element, name: str) -> list[ET.Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


@pytest.mark.parametrize("name", PICTURES)
def test_it_is_xml_without_script_and_style(name: str) -> None:
    root = parsed(svg(PICTURES[name]()))
    tags = {element.tag.removeprefix(NAMESPACE) for element in root.iter()}
    assert tags <= {"svg", "title", "rect", "g", "line", "text", "circle", "polygon"}
    attributes = {attribute for element in root.iter() for attribute in element.attrib}
    assert not [attribute for attribute in attributes if attribute.startswith("on") or attribute in ("style", "href")]
    assert root.get("aria-label")


def test_meaning_is_in_shapes_and_not_only_in_colours() -> None:
    root = parsed(svg(stale_read()))
    (stuck,) = classes(root, "stuck")
    assert len([line for line in stuck.iter(f"{NAMESPACE}line") if line.get("class") == "cross"]) == 2
    bars = [line for line in stuck.iter(f"{NAMESPACE}line") if line.get("class") == "bar"]
    assert len(bars) > 6, "two lines, hatched"
    assert not classes(stuck, "point")
    (pending,) = classes(parsed(svg(pending_and_failed())), "info")
    assert [element.get("class") for element in pending if element.tag == f"{NAMESPACE}polygon"] == ["arrow"]
    assert any(line.get("stroke-dasharray") for line in pending)


def test_intervals_are_to_scale() -> None:
    result = stale_read()
    root = parsed(svg(result))
    places = []
    for group in classes(root, "op"):
        op = result.history[int(group.get("data-op", ""))]
        caps = [line for line in group if line.get("class") == "bar" and line.get("x1") == line.get("x2")]
        assert len(caps) == 2
        places += [(time, float(cap.get("x1", ""))) for time, cap in zip((op.call, op.ret), caps, strict=True)]
    (first, left), *_, (last, right) = sorted(places)
    for time, x in places:
        assert x == pytest.approx(left + (time - first) / (last - first) * (right - left), abs=16)
    assert "stretched" not in svg(result)
    assert "stretched" in svg(crowded())


def test_points_stand_in_their_order_and_within_their_operations() -> None:
    for result in (stale_read(), pending_and_failed()):
        order = result.order or result.prefix_order
        found = {}
        for group in classes(parsed(svg(result)), "op"):
            xs = [float(line.get("x1", "")) for line in group if line.get("class") == "bar"]
            ends = [float(line.get("x2", "")) for line in group if line.get("class") == "bar"]
            for circle in group.iter(f"{NAMESPACE}circle"):
                x = float(circle.get("cx", ""))
                assert min(xs) < x < max(ends)
                found[int(group.get("data-op", ""))] = x
        assert sorted(found, key=found.__getitem__) == list(order)


def test_operations_keep_their_numbers() -> None:
    root = parsed(draw(lp.explain(stale_read())))
    assert {group.get("data-op") for group in classes(root, "op")} == {"0", "1", "3"}
    assert [group.get("data-op") for group in classes(root, "stuck")] == ["3"]


def test_text_is_escaped_and_control_characters_are_made_visible() -> None:
    text = svg(hostile())
    assert "<img" not in text
    assert "\u202e" not in text
    assert "\x07" not in text
    assert "&lt;/script&gt;&lt;img" in text
    assert "\\u0007" in text


def test_what_is_not_known_is_said_so() -> None:
    root = parsed(svg(out_of_time()))
    words = ["".join(element.itertext()) for element in classes(root, "legend")]
    assert "not explained yet" in words
    assert not [line for line in words if "cannot be explained" in line]


def test_nothing_is_drawn_of_nothing() -> None:
    root = parsed(svg(lp.check(lp.History(), "register")))
    assert classes(root, "op") == []


def test_a_long_order_has_points_without_numbers() -> None:
    operations = [{"process": 0, "f": "write", "value": i, "call": 2 * i, "return": 2 * i + 1} for i in range(120)]
    root = parsed(svg(lp.check(lp.History(operations), "register")))
    assert len(classes(root, "point")) == 41, "40 operations and the legend"
    assert classes(root, "place") == []
