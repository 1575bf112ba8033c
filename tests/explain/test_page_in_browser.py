"""Does the page do what a person wants? In a real browser: zoom, search, filter, keys, card, dark mode, 100,000 operations."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import linpoint as lp
from linpoint.check import Result
from linpoint.explain.page import page
from tests.explain.browser import Page
from tests.explain.pages import Show
from tests.explain.runs import registers
from tests.explain.test_svg import stale_read

MODEL = "register:initial=0"
SIZE = 300


@pytest.fixture(scope="module")
def run() -> Result:
    result = lp.check(registers(SIZE, stale=200, faults=2), MODEL)
    assert result.verdict is lp.Verdict.VIOLATION
    return result


@pytest.fixture
def tab(show: Show, run: Result) -> Iterator[Page]:
    """The page of a violation among 300 operations, at the timeline."""
    scope = [index for index in run.scope if run.history[index].call <= (run.stuck.ret if run.stuck else 0)]
    four = {
        "operations": tuple(scope[-4:]),
        "shown": run.history.subhistory(scope[-4:]),
        "words": ("Four operations.",),
    }
    opened = show(page(replace(lp.explain(run), **four)))
    opened.evaluate("document.getElementById('history').scrollIntoView()")
    yield opened
    assert opened.complaints == []


def state(tab: Page) -> dict[str, Any]:
    tab.settle()
    return dict(tab.evaluate("linpoint.state()"))


def span(tab: Page) -> float:
    now = state(tab)
    return float(now["to"] - now["from"])


def where(tab: Page, number: int) -> tuple[float, float]:
    place = tab.evaluate(f"linpoint.where({number})")
    assert place is not None, f"operation {number} is not in view"
    return place["x"], place["y"]


def focus(tab: Page) -> None:
    tab.evaluate("document.getElementById('lanes').focus()")


def text_of(tab: Page, selector: str) -> str:
    return str(tab.evaluate(f"document.querySelector({json.dumps(selector)}).innerText"))


def test_what_went_wrong_is_seen_first(tab: Page, run: Result) -> None:
    assert text_of(tab, "h1") == "Not linearizable"
    assert "No order explains" in text_of(tab, ".headline")
    assert text_of(tab, ".words") == "Four operations."
    assert tab.evaluate("document.querySelectorAll('figure .op').length") == 4
    tab.evaluate("scrollTo(0, 0)")
    assert tab.evaluate("document.querySelector('figure').getBoundingClientRect().bottom < innerHeight")
    now = state(tab)
    assert now["operations"] == now["shown"] == SIZE
    assert now["stuck"] == now["selected"] == run.stuck_index
    assert run.stuck is not None
    assert run.stuck.ret is not None
    assert now["from"] < run.stuck.call
    assert run.stuck.ret < now["to"]
    assert now["to"] - now["from"] < (now["whole"][1] - now["whole"][0]) / 4


def test_everything_that_can_be_pressed_has_a_name(tab: Page) -> None:
    nameless = """[...document.querySelectorAll('button, input, canvas, summary, [tabindex]')]
        .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label, [aria-hidden]'))).length"""
    assert tab.evaluate(nameless) == 0
    assert tab.evaluate("document.querySelector('figure svg').getAttribute('aria-label')")
    assert tab.evaluate("document.documentElement.lang") == "en"


def test_zoom_with_buttons_keys_and_wheel(tab: Page) -> None:
    before = span(tab)
    tab.press("#in")
    assert span(tab) == pytest.approx(before / 1.5)
    tab.press("#out")
    assert span(tab) == pytest.approx(before)
    tab.press("#fit")
    now = state(tab)
    assert [now["from"], now["to"]] == pytest.approx(now["whole"])
    tab.key("+")
    assert span(tab) == pytest.approx((now["to"] - now["from"]) / 1.5)
    tab.key("-")
    tab.key("0")
    assert span(tab) == pytest.approx(now["to"] - now["from"])

    tab.evaluate("document.activeElement.blur()")
    tab.wheel(600, 500, -200)
    assert span(tab) == pytest.approx(now["to"] - now["from"]), (
        "the wheel scrolls the page until the timeline has the focus"
    )
    focus(tab)
    tab.wheel(600, 500, -200)
    assert span(tab) < (now["to"] - now["from"]) * 0.9
    for _ in range(80):
        tab.evaluate("linpoint.zoom(3)")
    assert span(tab) > 0


def test_the_wheel_keeps_what_is_under_it_in_its_place(tab: Page, run: Result) -> None:
    focus(tab)
    assert run.stuck_index is not None
    x, y = where(tab, run.stuck_index)
    tab.wheel(x, y, 120)
    assert where(tab, run.stuck_index)[0] == pytest.approx(x, abs=3)


def test_drag_and_overview_move_the_view(tab: Page) -> None:
    before = state(tab)
    tab.drag((700, 500), (600, 500))
    after = state(tab)
    assert after["from"] > before["from"]
    assert after["to"] - after["from"] == pytest.approx(before["to"] - before["from"])
    place = tab.evaluate(
        "(() => { const b = document.getElementById('overview').getBoundingClientRect(); return [b.left, b.top + 20]; })()"
    )
    tab.click(place[0] + 3, place[1])
    now = state(tab)
    assert now["from"] == pytest.approx(now["whole"][0])


def test_search(tab: Page, run: Result) -> None:
    tab.key("/")
    assert tab.evaluate("document.activeElement.id") == "search"
    tab.type("write(")
    writes = sorted((op for op in run.history if op.f == "write"), key=lambda op: (op.call, op.index))
    assert state(tab)["matches"] == len(writes)
    assert text_of(tab, "#matches") == f"{len(writes)} found"
    tab.key("Enter")
    first = state(tab)
    assert run.history[first["selected"]].f == "write"
    assert text_of(tab, "#matches") == f"{first['match'] + 1} of {len(writes)}"
    tab.key("n")
    assert state(tab)["match"] == first["match"] + 1
    assert run.history[state(tab)["selected"]].f == "write"
    tab.key("N", shift=True)
    assert state(tab)["selected"] == first["selected"]
    tab.key("Escape")
    assert state(tab)["selected"] is None
    tab.key("Escape")
    assert state(tab)["matches"] == 0

    def found(words: str) -> int:
        tab.evaluate("document.getElementById('search').select()")
        tab.type(words)
        return int(state(tab)["matches"])

    assert found("n3") == sum(op.extra["node"] == "n3" for op in run.history), "a field of the source"
    assert found("1017") == 1, "a number in a field"
    assert found("#42") == 1
    assert found("nowhere") == 0
    assert text_of(tab, "#matches") == "no match"


def choose(tab: Page, title: str, name: str) -> None:
    tab.evaluate(
        f"""(() => {{
        const [title, name] = {json.dumps([title, name])};
        const menu = [...document.querySelectorAll('.menu')].find((m) => m.innerText.startsWith(title));
        const pick = () => [...menu.querySelectorAll('label')].find((l) => l.querySelector('span').textContent.endsWith(name));
        menu.open = true;
        const press = (done) => {{ pick().querySelector('input').click(); menu.open = false; done(1); }};
        return new Promise((done) => setTimeout(() => press(done), 30));
        }})()"""
    )


def test_filters(tab: Page, run: Result) -> None:
    by_three = [op for op in run.history if op.process == 3]
    choose(tab, "Process", "p3")
    now = state(tab)
    assert (now["rows"], now["shown"]) == (["p3"], len(by_three))
    assert text_of(tab, "#count").startswith(f"{len(by_three)} of {SIZE} operations")
    choose(tab, "Process", "p4")
    assert state(tab)["rows"] == ["p3", "p4"]
    choose(tab, "Key", "x2")
    wanted = [op for op in run.history if op.process in (3, 4) and op.key == "x2"]
    assert state(tab)["shown"] == len(wanted)
    tab.key("v")
    assert state(tab)["shown"] == SIZE, "what was filtered out is there again when somebody goes to it"
    choose(tab, "Part", '"x1"')
    assert state(tab)["shown"] == sum(op.key == "x1" for op in run.history)
    tab.key("/")
    tab.type("write")
    assert state(tab)["matches"] == sum(op.key == "x1" and op.f == "write" for op in run.history), "among what is shown"


def test_a_menu_opens_and_closes(tab: Page) -> None:
    tab.press(".menu summary")
    assert tab.evaluate("document.querySelector('.menu').open")
    tab.key("Escape")
    assert not tab.evaluate("document.querySelector('.menu').open")


def test_arrows_go_from_operation_to_operation(tab: Page, run: Result) -> None:
    focus(tab)
    stuck = run.stuck
    assert stuck is not None
    lane = [op.index for op in sorted(run.history, key=lambda op: op.call) if op.process == stuck.process]
    place = lane.index(stuck.index)
    tab.key("ArrowRight")
    assert state(tab)["selected"] == lane[place + 1]
    tab.key("ArrowLeft")
    tab.key("ArrowLeft")
    assert state(tab)["selected"] == lane[place - 1]
    tab.key("ArrowDown")
    below = run.history[state(tab)["selected"]]
    assert below.process == stuck.process + 1
    tab.key("ArrowUp")
    assert run.history[state(tab)["selected"]].process == stuck.process
    assert str(run.history[state(tab)["selected"]]) in tab.evaluate("document.getElementById('live').textContent")
    before = state(tab)["from"]
    tab.key("ArrowRight", shift=True)
    assert state(tab)["from"] > before


def test_the_order_can_be_walked(tab: Page, run: Result) -> None:
    order = max((candidate.order for candidate in run.candidates), key=len)
    tab.evaluate(f"linpoint.show({order[10]})")
    focus(tab)
    tab.key("]")
    assert state(tab)["selected"] == order[11]
    tab.key("[")
    tab.key("[")
    assert state(tab)["selected"] == order[9]


TIES = [
    *({"process": i, "f": "write", "value": i, "call": 0, "return": 2} for i in range(4)),
    {"process": 4, "f": "read", "result": 2, "call": 2, "return": 2},
    {"process": 0, "f": "read", "result": 1, "call": 3, "return": 9},
    {"process": 5, "f": "write", "value": 7, "call": 3},
    {"process": 1, "f": "read", "result": 7, "call": 9, "return": 12},
]


@pytest.mark.parametrize("history", [lp.History(TIES), registers(150)], ids=["ties", "registers"])
def test_points_lie_within_their_intervals_and_in_their_order(show: Show, history: lp.History) -> None:
    result = lp.check(history, MODEL)
    assert result.order is not None
    tab = show(page(lp.explain(result)))
    for _ in range(2):
        found = [tab.evaluate(f"linpoint.interval({index})") for index in result.order]
        points = [entry["point"] for entry in found]
        assert points == sorted(points)
        for entry in found:
            assert entry["start"] <= entry["point"]
            assert entry["end"] is None or entry["point"] <= entry["end"]
        tab.key("e")  # the same with even spacing


def test_help(tab: Page) -> None:
    tab.key("?")
    assert tab.evaluate("document.getElementById('help').open")
    tab.key("Escape")
    assert not tab.evaluate("document.getElementById('help').open")


def test_the_card_says_everything(tab: Page, run: Result) -> None:
    order = max((candidate.order for candidate in run.candidates), key=len)
    number = order[12]
    op, before, after = (run.history[order[place]] for place in (12, 11, 13))
    tab.evaluate(f"linpoint.show({number})")
    tab.settle()
    tab.move(*where(tab, number))
    card = state(tab)["card"].replace("\n", " ")
    assert state(tab)["hovered"] == number
    for words in (
        str(op),
        f"process p{op.process}",
        f"key {op.key}",
        f"called {op.call}",
        f"returned {op.ret}",
        f"line {op.line}",
        f"node {op.extra['node']}",
        f"request {op.extra['request']}",
        f"number 13 of {len(order)}",
        f"just after {before} (p{before.process})",
        f"just before {after} (p{after.process})",
    ):
        assert words in card


def test_faults_are_bands_with_a_card(tab: Page) -> None:
    assert state(tab)["bands"] == 2
    tab.press("#fit")
    place = tab.evaluate(
        "(() => { const b = document.getElementById('lanes').getBoundingClientRect(); return [b.left, b.top, b.width]; })()"
    )
    found = set()
    for share in range(5, 100, 5):
        tab.move(place[0] + place[2] * share / 100, place[1] + 36)
        found.add(state(tab)["card"].split("\n")[0])
    assert "partition" in found
    assert "" in found, "between the faults there is none"


def test_the_picture_leads_to_the_history(tab: Page, run: Result) -> None:
    members = state(tab)["members"]
    assert len(members) == 4
    assert run.stuck_index in members
    tab.press(f'figure .op[data-op="{members[0]}"] .label')
    assert state(tab)["selected"] == members[0]
    assert tab.evaluate("document.activeElement.id") == "lanes"


def test_even_spacing_keeps_the_place(tab: Page, run: Result) -> None:
    tab.press("#even")
    now = state(tab)
    assert now["even"]
    assert tab.evaluate(f"linpoint.where({run.stuck_index})") is not None
    times = {time for op in run.history for time in (op.call, op.ret)}
    assert now["whole"] == pytest.approx([0, len(times) - 1], abs=len(times) * 0.03)
    tab.key("e")
    assert not state(tab)["even"]


def test_dark_mode(show: Show) -> None:
    colour = "getComputedStyle(document.body).backgroundColor"
    pixel = "document.getElementById('lanes').getContext('2d').getImageData(3, 60, 1, 1).data[0]"
    light = show(page(lp.explain(stale_read())))
    assert (state(light)["theme"], light.evaluate(colour)) == ("light", "rgb(244, 245, 247)")
    assert light.evaluate(pixel) > 200
    dark = show(page(lp.explain(stale_read())), dark=True)
    assert (state(dark)["theme"], dark.evaluate(colour)) == ("dark", "rgb(15, 18, 22)")
    assert dark.evaluate(pixel) < 50
    dark.press("#theme")
    assert state(dark)["theme"] == "light"
    assert dark.evaluate(pixel) > 200
    dark.key("d")
    assert state(dark)["theme"] == "dark"
    dark.prefer("light")
    assert state(dark)["theme"] == "light", "the system has changed its mind"


@pytest.mark.parametrize(
    "first", [0, 1_700_000_000_000_000_000, 1_700_000_000.125], ids=["small", "nanoseconds", "seconds"]
)
def test_times_are_shown_as_they_were_written(show: Show, first: float) -> None:
    records = [
        {"process": i % 2, "f": "write", "value": i, "call": first + 4 * i, "return": first + 4 * i + 3}
        for i in range(9)
    ]
    tab = show(page(lp.explain(lp.check(lp.History(records), "register"))))
    tab.evaluate("linpoint.show(5); document.getElementById('lanes').focus()")
    lines = state(tab)["card"].split("\n")
    assert lines[lines.index("called") + 1] == str(first + 20)
    assert lines[lines.index("lasted") + 1] == "3"


@pytest.mark.parametrize("size", [0, 1, 100])
def test_small_linearizable_histories(show: Show, size: int) -> None:
    tab = show(page(lp.explain(lp.check(registers(size), MODEL))))
    now = state(tab)
    assert (now["operations"], now["stuck"]) == (size, None)
    assert text_of(tab, "h1") == "Linearizable"
    for key in ("+", "-", "0", "v", "n", "e", "]", "ArrowRight"):
        tab.key(key)
    focus(tab)
    tab.key("ArrowRight")
    assert state(tab)["selected"] == (None if size == 0 else state(tab)["selected"])
    assert tab.complaints == []


@pytest.mark.parametrize("width", [600, 360])
def test_a_narrow_window(show: Show, run: Result, width: int) -> None:
    tab = show(page(lp.explain(run)), width=width)
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), "only pictures scroll sideways"
    beyond = "[...document.querySelectorAll('h1, h2, p, li, button, input, canvas')].filter((e) => !e.closest('figure, dialog'))"
    beyond += ".filter((e) => e.getBoundingClientRect().right > innerWidth).length"
    assert tab.evaluate(beyond) == 0
    assert state(tab)["selected"] == run.stuck_index
    assert tab.evaluate("document.getElementById('lanes').clientWidth") > width * 0.7
    assert tab.complaints == []


def test_a_hundred_thousand_operations(show: Show) -> None:
    size = 100_000
    result = lp.check(registers(size, processes=20, stale=60_000, faults=4), MODEL)
    text = page(lp.explain(result))
    assert len(text.encode()) <= 25_000_000
    assert "This page holds" not in text
    tab = show(text)
    now = state(tab)
    assert (now["operations"], now["stuck"]) == (size, result.stuck_index)
    assert 5 < now["frame"]["alone"] < 100, "only what is in view is painted one by one"
    tab.key("0")
    assert state(tab)["frame"]["alone"] < 200, "the rest is painted in cells"
    tab.evaluate("linpoint.zoom(20)")
    before = state(tab)["from"]
    tab.evaluate("linpoint.pan(300)")
    assert state(tab)["from"] > before
    tab.key("/")
    tab.type("write(")
    assert state(tab)["matches"] == sum(op.f == "write" for op in result.history)
    tab.key("Enter")
    assert result.history[state(tab)["selected"]].f == "write"
    choose(tab, "Process", "p7")
    by_seven = sum(op.process == 7 for op in result.history)
    assert (state(tab)["rows"], state(tab)["shown"]) == (["p7"], by_seven)
    tab.key("v")
    assert state(tab)["selected"] == result.stuck_index
    assert tab.complaints == []


def test_where_no_browser_can_be_had_it_is_said_and_nothing_fails(tmp_path: Path) -> None:
    """An empty PATH: no browser, no apt-get."""
    script = Path(__file__).parent / "install_browser.sh"
    bash = shutil.which("bash")
    assert bash is not None
    done = subprocess.run([bash, script], env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "There is no browser" in done.stderr
