"""Words with styles: a pipe gets the words, a terminal what rich makes of the same pieces."""

import os
import pty
import random
import subprocess
import sys

import pytest
import rich.text
from rich.cells import cell_len, set_cell_size

from linpoint.styled import Text, cells_of, fitted

WORDS = ["", "x", " ", "two words", "ü → 2  ", "\n", "漢字", "e\u0301"]


def both(dice: random.Random, depth: int = 2) -> tuple[Text, rich.text.Text]:
    """A text of ours and one of rich's, made in the same way."""
    words, style = dice.choice(WORDS), dice.choice(["", "bold", "dim"])
    if depth == 0 or dice.random() < 0.3:
        return Text(words, style), rich.text.Text(words, style)
    parts = [both(dice, depth - 1) for _ in range(dice.randrange(4))]
    match dice.randrange(4):
        case 0:
            ours, theirs = Text(words, style), rich.text.Text(words, style)
            return ours.join(part for part, _ in parts), theirs.join(part for _, part in parts)
        case 1:
            ours = Text.assemble(words, (words, style), *(part for part, _ in parts))
            return ours, rich.text.Text.assemble(words, (words, style), *(part for _, part in parts))
        case 2:
            ours, theirs = both(dice, depth - 1)
            other, others = both(dice, depth - 1)
            return ours + other, theirs + others
        case _:
            ours, theirs = both(dice, depth - 1)
            ours.append(words, style)
            theirs.append(words, style or None)
            ours.rstrip()
            theirs.rstrip()
            return ours, theirs


@pytest.mark.parametrize("seed", range(200))
def test_texts_are_made_as_those_of_rich(seed):
    ours, theirs = both(random.Random(seed), 3)
    assert str(ours) == ours.plain == theirs.plain
    assert len(ours) == len(theirs)
    assert bool(ours) == bool(theirs)


@pytest.mark.parametrize("words", WORDS)
def test_columns_are_those_of_a_screen(words):
    assert cells_of(words) == cell_len(words)
    for columns in range(6):
        assert fitted(words, columns) == set_cell_size(words, columns)


def said(terminal: bool, **environment: str) -> str:
    """What the program says of two files, to a pipe or to a terminal of 200 columns."""
    args = [sys.executable, "-m", "linpoint", "check", "corpus/register/violation", "-m", "register"]
    names = sorted(os.listdir(args[4]))[:2]
    args[4:5] = [os.path.join(args[4], name) for name in names]
    inherited = {
        name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")
    }
    env = {**inherited, "TERM": "xterm", **environment}
    if not terminal:
        return subprocess.run(args, capture_output=True, text=True, env=env, timeout=60, check=False).stdout
    ours, theirs = pty.openpty()
    os.set_blocking(ours, False)
    with subprocess.Popen(args, stdout=theirs, stderr=subprocess.DEVNULL, env={**env, "COLUMNS": "200"}) as program:
        program.wait(60)
    text = os.read(ours, 100_000).decode()
    os.close(ours)
    os.close(theirs)
    return text.replace("\r\n", "\n")


def times_left_out(text: str) -> list[list[str]]:
    return [[word for word in line.split() if not word[0].isdigit() and word != "ms"] for line in text.splitlines()]


def test_pipes_get_words_and_terminals_colours():
    plain, colours, forced = said(False), said(True), said(False, FORCE_COLOR="1", COLUMNS="200")
    assert "\x1b" not in plain
    assert plain.count("violation") >= 3
    for text in (colours, forced):
        assert "\x1b[1;31mviolation\x1b[0m" in text
        bare = text.replace("\x1b[1;31m", "").replace("\x1b[1m", "").replace("\x1b[0m", "")
        assert times_left_out(bare) == times_left_out(plain)
    assert "\x1b[31m" not in said(True, NO_COLOR="1")
