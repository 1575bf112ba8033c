"""Instructions mean what Python means: random programs and the library, run as ordinary classes and interpreted."""

import random
from pathlib import Path
from typing import Any

import pytest

import linpoint as lp
from linpoint.language import EMPTY, compile_object
from linpoint.language.ir import Op
from linpoint.library.studies import STUDIES, Study
from tests.language.agree import as_instructions, as_python, compared, equal
from tests.language.generate import Maker
from tests.language.interpreter import Machine

SEEDS = range(80)


def test_random_programs_agree(tmp_path: Path) -> None:
    """More: .venv/bin/python -m tests.language.agree --programs 5000 --seed 1000."""
    answers = [compared(seed, tmp_path) for seed in SEEDS]
    assert [answer for answer in answers if answer and not answer.startswith("refused")] == []
    assert sum(answer == "" for answer in answers) > 0.8 * len(SEEDS)


def test_random_programs_use_everything() -> None:
    text = "".join(Maker(seed).program() for seed in SEEDS)
    words = [
        "cas(self",
        "cas(r0",
        "swap(self",
        ".swap(",
        "compare_exchange(",
        "fetch_and_add",
        "free(",
        "wait(",
        "atomic()",
    ]
    words += [
        "while True",
        "for ",
        "break",
        "continue",
        "return EMPTY",
        "_pair(",
        "isinstance",
        "assert",
        "+=",
        "thread_id",
    ]
    assert [word for word in words if word not in text] == []


def calls(study: Study, seed: int) -> list[tuple[str, tuple[Any, ...]]]:
    chance = random.Random(f"{study.name}/{seed}")
    menu = [*study.menu((1, 2, 3)), *study.optional((1, 2, 3))]
    return [chance.choice(menu) for _ in range(chance.randrange(1, 24))]


def answers(study: Study, chosen: list[tuple[str, tuple[Any, ...]]]) -> tuple[list[Any], list[Any]]:
    """What the class answers as Python, and in instructions; a call that would wait for ever is left out."""
    instance: Any = study.cls()
    machine = Machine(compile_object(study.cls, threads=3, ops=8))
    found: tuple[list[Any], list[Any]] = ([], [])
    inside = 0
    for name, arguments in chosen:
        if study.name == "hw-queue":
            inside += 1 if name == "enqueue" else -1
            if inside < 0:
                inside = 0
                continue
        found[0].append((name, arguments, as_python(instance, name, *arguments)))
        found[1].append((name, arguments, as_instructions(machine, name, *arguments)))
    return found


def written(name: str, arguments: tuple[Any, ...], result: Any, at: int) -> dict[str, Any]:
    value = arguments[0] if len(arguments) == 1 else list(arguments) or None
    answer = "empty" if result is EMPTY else result
    return {"process": 0, "f": name, "value": value, "result": answer, "call": 2 * at, "return": 2 * at + 1}


@pytest.mark.parametrize("study", STUDIES.values(), ids=STUDIES)
def test_a_study_runs_alike_both_ways_and_like_its_specification(study: Study) -> None:
    seen = set()
    for seed in range(25):
        python, instructions = answers(study, calls(study, seed))
        assert python == instructions
        assert all(equal(one[2], other[2]) for one, other in zip(python, instructions, strict=True))
        history = lp.History([written(*answer, at) for at, answer in enumerate(python)])
        model: Any = study.spec if isinstance(study.spec, str) else lp.models.from_class(study.spec)
        assert lp.check(history, model).verdict is lp.Verdict.LINEARIZABLE, python
        seen |= {(name, repr(result)) for name, _, result in python}
    assert len(seen) > len({name for name, _ in seen}), (
        "a test that never sees two answers of one operation shows nothing"
    )


def test_a_step_is_an_access_or_a_statement(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(
        "from linpoint.language import Int, Lock, Object, atomic\n\n\n"
        "class A(Object):\n    n: Int = 0\n    m: Int = 0\n    lock: Lock = Lock()\n\n"
        "    def both(self):\n        x = self.n + self.m\n        return x\n\n"
        "    def one(self):\n        return self.n\n\n"
        "    def block(self):\n        with atomic():\n            self.n = 1\n            self.m = 2\n        self.n = 3\n\n"
        "    def locked(self):\n        with self.lock:\n            self.n = self.m\n"
    )

    def glue(granularity: Any) -> dict[str, list[tuple[Op, bool]]]:
        program = compile_object(f"{path}:A", granularity=granularity)
        return {method.name: [(step.op, step.glued) for step in method.code] for method in program.methods}

    access, statement = glue("access"), glue("statement")
    assert access["both"][:3] == [(Op.LOAD, False), (Op.LOAD, False), (Op.ADD, False)]
    assert statement["both"][:4] == [(Op.BEGIN, False), (Op.LOAD, True), (Op.LOAD, True), (Op.ADD, True)]
    assert access["one"] == statement["one"]
    assert access["block"] == statement["block"]
    assert access["block"][:4] == [(Op.BEGIN, False), (Op.STORE, True), (Op.STORE, True), (Op.STORE, False)]
    locked = [op for op, _ in statement["locked"]]
    assert locked == [Op.LOCK, Op.BEGIN, Op.LOAD, Op.STORE, Op.UNLOCK, Op.RETURN]


def test_instructions_remember_where_they_come_from() -> None:
    program = compile_object(STUDIES["treiber"].cls)
    lines = Path(program.file).read_text().splitlines()
    (pop,) = (method for method in program.methods if method.name == "pop")
    (cas,) = (step for step in pop.code if step.op is Op.CAS)
    assert lines[cas.line - 1][cas.column :].startswith("cas(self, top=(t, n))")
    assert "def pop" in lines[pop.line - 1]


def test_a_lock_is_released_on_every_way_out(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(
        "from linpoint.language import Array, Int, Lock, Node, Object, Ref\n\n\n"
        "class A(Object):\n    class Cell(Node):\n        key: Int\n        next: Ref = None\n        guard: Lock = Lock()\n\n"
        "    top: Ref = None\n    lock: Lock = Lock()\n\n"
        "    def __init__(self):\n        self.top = self.Cell(key=1, next=self.Cell(key=2))\n\n"
        "    def run(self, way: Int):\n        x = self._walk(way)\n        return x\n\n"
        "    def _walk(self, way):\n        with self.lock:\n            p = self.top\n            while p is not None:\n"
        "                with p.guard:\n                    p = p.next\n"
        "                    if way == 0:\n                        return 10\n"
        "                    if way == 1:\n                        break\n"
        "                    if way == 2:\n                        continue\n"
        "                    if way == 3 and p is not None:\n                        return p.key\n"
        "            return way\n"
    )
    program = compile_object(f"{path}:A")
    machine = Machine(program)
    for _ in range(3):  # a lock that was not released would block the next call
        assert [as_instructions(machine, "run", way) for way in range(5)] == [10, 1, 2, 2, 4]
    assert machine.cells[program.globals.index("lock")] is None
