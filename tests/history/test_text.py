"""`linpoint.text`: nothing that steers a terminal, turns directions, hides or forges a line gets through."""

import json
import unicodedata

import pytest

import linpoint as lp
from linpoint.text import ascii_json, printable

CONTROLS = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))]
BIDI = [chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C)]
HIDDEN = ["\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u2028", "\u2029", "\u3164", "\u2800", "\ufe0f"]
BROKEN = ["\ud800", "\udcff", "\uffff", "\U000e0001"]


@pytest.mark.parametrize("c", [*CONTROLS, *BIDI, *HIDDEN, *BROKEN])
def test_finding_19_what_an_eye_would_not_see_becomes_its_json_escape(c):
    shown = printable(f"a{c}b")
    assert shown.isascii()
    assert shown.isprintable()
    assert json.loads(f'"{shown}"') == f"a{c}b"


@pytest.mark.parametrize(
    "text", ["", "read() → 2", "naïve Ω 漢字 \U0001f600", "[bold]no markup here[/]", "back\\slash"]
)
def test_what_an_eye_sees_stays(text):
    assert printable(text) == text


def test_every_character_is_visible_afterwards():
    for code in range(0x110000):
        shown = printable(chr(code))
        assert all(unicodedata.category(c)[0] not in "CZ" or c == " " for c in shown), hex(code)
        assert printable(shown) == shown


def test_ends_of_lines_stay_only_on_request():
    assert printable("a\nb\r\n") == "a\\nb\\r\\n"
    assert printable("a\nb\r\n", lines=True) == "a\nb\\r\n"


def test_json_is_printable_ascii():
    text = " ".join([*CONTROLS, *BIDI, *HIDDEN, *BROKEN, "é→"])
    assert ascii_json({"a": text}).isprintable()
    assert ascii_json({"a": text}).isascii()
    assert json.loads(ascii_json({"a": text})) == {"a": text}


def test_finding_19_operations_are_printable():
    hostile = "x\x1b[2J\x9b\x7f\u202e\nVERDICT"
    op = lp.Operation(
        process=hostile, f=hostile, value=[hostile, {hostile: 1}], result=hostile, call=0, ret=1, key=hostile
    )
    assert str(op).isprintable()
    assert repr(op).isprintable()
