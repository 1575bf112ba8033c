"""The room `lts`: reading, reducing, comparing, and what is said about it."""

import gzip
from pathlib import Path

import pytest

import linpoint as lp
from linpoint.lts import Answer, Lts, read

TEA = Lts([(0, "coin", 1), (1, "tea", 0), (1, "coffee", 0)])
CHOICE_BEFORE = Lts([(0, "coin", 1), (0, "coin", 2), (1, "tea", 0), (2, "coffee", 0)])
SILENT = Lts([(0, None, 1), (1, "coin", 2), (2, "tea", 0), (2, "coffee", 0)])
SPINNING = Lts([(0, None, 0), (0, "coin", 1), (1, "tea", 0), (1, "coffee", 0)])


def write(folder: Path, text: str, name: str = "system.aut") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_system_tells_what_is_in_it() -> None:
    system = Lts([(0, "b", 2), (2, None, 2), (3, "a", 0)], states=9)
    assert (system.states, system.transitions, system.initial) == (9, 3, 0)
    assert system.labels == ("a", "b")
    assert system.steps(2) == ((None, 2),)
    assert system.steps(8) == ()
    assert system.facts() == lp.lts.Facts(reachable=2, internal=1, deadlocks=0, divergent=1)
    assert repr(system) == "<Lts: 9 states, 3 transitions, 2 visible labels>"
    with pytest.raises(IndexError, match="state 9 of 9"):
        system.steps(9)


def test_states_that_are_none_are_refused() -> None:
    with pytest.raises(lp.UsageError, match="at least 4 states, not 2"):
        Lts([(0, "a", 3)], states=2)
    for wrong in (-1, 2**32):
        with pytest.raises(lp.UsageError, match="states are numbers"):
            Lts([(0, "a", wrong)])


def test_read_and_write_are_inverse(tmp_path: Path) -> None:
    system = Lts([(0, 'say "hi", \\o/', 1), (1, None, 0), (1, "grüß(1,2)", 3), (3, "tau", 3)], initial=1)
    for name in ("a.aut", "a.aut.gz"):
        system.write(tmp_path / name)
        again = read(tmp_path / name)
        assert again.to_aut() == system.to_aut()
        assert again.initial == 1
    assert gzip.decompress((tmp_path / "a.aut.gz").read_bytes()).decode() == (tmp_path / "a.aut").read_text("utf-8")
    assert [label for label, _ in system.steps(3)] == ["tau (visible)"]


def test_internal_labels_are_those_of_mcrl2_and_cadp_or_those_that_are_named(tmp_path: Path) -> None:
    path = write(tmp_path, 'des (0,5,2)\n(0,"tau",1)\n(0,i,1)\n(0,"i",1)\n(0,"Tau",1)\n(0,"tau ",1)\n')
    assert [label for label, _ in read(path).steps(0)] == [None, None, None, "Tau", "tau "]
    assert [label for label, _ in read(path, internal=["i"]).steps(0)] == ["tau (visible)", None, None, "Tau", "tau "]


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("", (0, 0), "an empty file: expected the header"),
        ("(0,a,1)\n", (1, 1), "expected the header des"),
        ("des (0,1)\n", (1, 9), "a comma and the number of states, found ')'"),
        ("des (2,1,2)\n(0,a,1)\n", (1, 6), "initial state 2: expected a state below 2"),
        ("des (0,1,2)\n(0,a,2)\n", (2, 6), "state 2: expected a state below 2, as the header says"),
        ("des (0,1,2)\n\n(0,a)\n", (3, 6), "a comma and the target"),
        ('des (0,1,2)\n(0,"a,1)\n', (2, 4), "without its closing quote"),
        ('des (0,1,2)\n(0,"a",1)(1,"b",0)\n', (2, 10), "the end of the line, found '('"),
        ("des (0,1,2)\n(0,a,1)(1,b,0)\n", (2, 7), "balanced brackets"),
        ("des (0,1,2)\n(0,,1)\n", (2, 4), "expected a label"),
        ("des (0,2,2)\n(0,a,1)\n", (3, 0), "expected 2 transitions, as the header says, found 1"),
        ("des (0,0,2)\n(0,a,1)\n", (3, 0), "expected 0 transitions, as the header says, found 1"),
        ("des (0,99999999999999999999,2)\n", (1, 8), "a number of 20 digits"),
        ("des (0,1,1000000000000000000)\n(0,a,99999999999)\n", (2, 6), "expected at most 4294967293"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, text: str, where: tuple[int, int], what: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(lp.ReadError) as caught:
        read(path)
    assert (caught.value.file, caught.value.line, caught.value.column) == (str(path), *where)
    assert what in caught.value.message


def test_a_hostile_header_costs_nothing(tmp_path: Path) -> None:
    system = read(write(tmp_path, f"des (0,1,{10**18})\n(0,a,1)\n"), memory="1MiB")
    assert system.states == 10**18
    assert system.reduce("strong").states == 2
    with pytest.raises(lp.Unfinished, match="out of memory"):
        read(write(tmp_path, "des (0,1,4000000001)\n(0,a,4000000000)\n"), memory="1GiB")


def test_broken_files_are_told(tmp_path: Path) -> None:
    path = tmp_path / "cut.aut.gz"
    path.write_bytes(gzip.compress(TEA.to_aut().encode())[:-12])
    with pytest.raises(lp.ReadError, match="broken gzip data"):
        read(path)
    with pytest.raises(FileNotFoundError, match="missing"):
        read(tmp_path / "missing.aut")
    path.write_bytes(b'des (0,1,2)\n(0,"\xff",1)\n')
    with pytest.raises(lp.ReadError, match="UTF-8"):
        read(path)


@pytest.mark.parametrize(
    ("equivalence", "states", "transitions"),
    [("strong", 3, 4), ("branching", 2, 3), ("divergence", 2, 3), ("weak", 2, 3)],
)
def test_reduce(equivalence: str, states: int, transitions: int) -> None:
    small = SILENT.reduce(equivalence)
    assert (small.states, small.transitions) == (states, transitions)
    assert small.compare(SILENT, equivalence).answer is Answer.YES


def test_a_file_is_reduced_without_being_kept(tmp_path: Path) -> None:
    SILENT.write(tmp_path / "silent.aut")
    found = lp.lts.reduce_file(tmp_path / "silent.aut", "branching")
    assert (found.states, found.transitions, found.reduced.to_aut()) == (3, 4, SILENT.reduce("branching").to_aut())
    with pytest.raises(lp.Unfinished, match="out of memory"):
        lp.lts.reduce_file(tmp_path / "silent.aut", "branching", memory=1)


def test_divergence_is_a_loop_in_the_quotient() -> None:
    assert SPINNING.reduce("branching").steps(0) == (("coin", 1),)
    assert SPINNING.reduce("divergence").steps(0) == ((None, 0), ("coin", 1))


def test_states_out_of_reach_are_dropped() -> None:
    assert Lts([(5, "a", 6)], states=10).reduce("strong").states == 1


def test_a_difference_is_explained() -> None:
    found = TEA.compare(CHOICE_BEFORE)
    assert found.answer is Answer.NO
    assert str(found) == (
        "the first system and the second system are not equivalent (branching)\n"
        "the second system, unlike the first system,\n"
        '  can do "coin" after any internal steps to a state that\n'
        '    cannot do "coffee" after any internal steps'
    )
    assert str(found.formula) == "⟨coin⟩¬⟨coffee⟩"
    assert TEA.included_in(CHOICE_BEFORE).answer is Answer.YES


@pytest.mark.parametrize(
    ("one", "other", "equivalence", "says"),
    [
        (SILENT, TEA, "strong", "can take an internal step"),
        (SPINNING, TEA, "divergence", "can take internal steps for ever"),
        (Lts([(0, None, 1), (0, "a", 2), (1, "b", 2)]), Lts([(0, "a", 1), (0, "b", 1)]), "weak", 'cannot do "a"'),
        (Lts([(0, "a", 1)]), Lts([]), "strong", 'can do "a"'),
    ],
)
def test_explanations_use_the_words_of_the_equivalence(one: Lts, other: Lts, equivalence: str, says: str) -> None:
    found = one.compare(other, equivalence)
    assert found.answer is Answer.NO
    assert says in str(found)


def test_a_missing_trace_is_a_shortest_one() -> None:
    found = Lts([(0, "a", 1), (1, None, 2), (2, "b", 3), (0, "c", 4), (4, "c", 4)]).included_in(
        Lts([(0, "a", 1), (0, "c", 2), (2, "c", 3)])
    )
    assert (found.answer, found.trace) == (Answer.NO, ("a", "b"))
    assert str(found).splitlines()[1:] == ["  1. a", "  2. b"]


def test_a_deep_formula_is_cut_off_and_not_recursive() -> None:
    chain = Lts([(s, "a", s + 1) for s in range(3000)])
    found = chain.compare(Lts([(s, "a", s + 1) for s in range(2999)]), "strong")
    assert found.answer is Answer.NO
    assert found.formula is not None
    assert found.formula.in_words(lines=5).splitlines()[-1].strip() == "…"
    assert len(str(found.formula)) <= 2100


def test_answers_are_no_bools() -> None:
    with pytest.raises(TypeError, match="one of three"):
        bool(Answer.YES)
    with pytest.raises(TypeError, match="look at its"):
        bool(TEA.compare(TEA))


def test_names_that_do_not_exist() -> None:
    with pytest.raises(lp.UsageError, match="there is no equivalence 'bisim'; equivalences: strong, divergence"):
        TEA.reduce("bisim")
    with pytest.raises(lp.UsageError, match="which format"):
        TEA.write("system.png")


def test_dot_is_escaped() -> None:
    text = Lts([(0, 'a"\\', 1), (1, None, 0)]).to_dot()
    assert '0 -> 1 [label="a\\"\\\\"];' in text
    assert '1 -> 0 [label="τ" style=dashed];' in text


def big() -> Lts:
    """A system whose weak reduction is far larger than itself."""
    n = 6000
    return Lts([(s, None, s + 1) for s in range(n)] + [(s, f"a{s}", n) for s in range(n)])


def test_budgets_answer() -> None:
    with pytest.raises(lp.Unfinished) as caught:
        big().reduce("weak", memory="20MiB")
    assert caught.value.cause is lp.Cause.MEMORY
    with pytest.raises(lp.Unfinished) as caught:
        big().reduce("weak", timeout=0)
    assert caught.value.cause is lp.Cause.TIME
    found = big().compare(TEA, "weak", timeout=0)
    assert (found.answer, found.cause, str(found)) == (Answer.UNKNOWN, lp.Cause.TIME, "unknown: time")
    found = big().included_in(TEA, memory=1)
    assert (found.answer, found.cause) == (Answer.UNKNOWN, lp.Cause.MEMORY)
