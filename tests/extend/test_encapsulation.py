"""What an encapsulated extension may not do: each is named with its line, and nothing else is."""

import pytest

from linpoint.extend import Extension, extend_source
from linpoint.language.source import parse_source
from linpoint.verdict import Verdict


def judged(body: str, *, assume_pure: bool = False, head: str = "") -> Extension:
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    begin = "class Cache:\n    def __init__(self):\n        self._d = {}\n        self._other = {}\n        self.limit = 3\n"
    text = f"{head}\n{begin}"
    text += f"    def change(self):\n        self.mode = 1\n    def method(self, k, v):\n{lines}\n"
    (result,) = extend_source(parse_source(text, "cache.py"), "Cache.method", assume_pure=assume_pure)
    return result


REFUSED = [
    ("self._d[k] = v\nself.mode = 2", 2, "assigns self.mode"),
    ("if k in self._d:\n    return self.mode", 2, "reads self.mode, which line"),
    ("self._d[k] = v\nself._other[k] = v", 2, "changes self._other[k]"),
    ("x = self._d.get(k)\nreturn self._other.get(k, x)", 2, "self._other"),
    ("with self._lock:\n    return self._d[k]", 1, "with self._lock"),
    ("self._d.setdefault(k, [])\nself._d[k].append(v)", 2, "`append` of a value that other threads may reach"),
    ("return len(self._d)", 1, "every key"),
    ("return list(self._d.items())", 1, "every key"),
    ("for x in self._d:\n    pass", 1, "whole map"),
    ("self._d.clear()", 1, "every key"),
    ("return self._d", 1, "goes elsewhere"),
    ("helper(self._d, k)", 1, "not declared pure"),
    ("self._d[k] = make(v)", 1, "`make`, which is not declared pure"),
    ("yield self._d[k]", 1, "not covered"),
    ("global seen\nseen = self._d.get(k)", 2, "global or nonlocal"),
    ("try:\n    x = self._d[k]\nfinally:\n    x = 1", 4, "finally"),
    ("x = self._d.get(k)\nreturn x.size", 2, "object that other threads may change"),
    ("if 0 < self._d.get(k, 0) < 3:\n    del self._d[k]", 1, "a chain of comparisons"),
    ("if k in self._d:\n    return self.change", 2, "reads self.change"),
    ("return self._d.get(self.db.strip(k))", 1, "`self.db.strip`, which is not declared pure"),
    ("v.field = self._d.get(k)", 1, "assigns v.field"),
    ("try:\n    x = self._d[k]\nexcept OSError:\n    x = 1", 3, "no base operation raises"),
    ("try:\n    x = self._d[k] + 1\nexcept Exception:\n    x = 1", -1, "catches more than a missing key"),
]


@pytest.mark.parametrize(("body", "line", "words"), REFUSED, ids=[words for _, _, words in REFUSED])
def test_refused_with_its_line(body: str, line: int, words: str) -> None:
    result = judged(body)
    assert result.verdict is Verdict.UNKNOWN
    assert not result.covered
    (found,) = [refusal for refusal in result.refusals if words in refusal.reason]
    if line > 0:
        assert found.line == 9 + line
    assert str(result).startswith("UNKNOWN Cache.method")


def test_all_refusals_are_named_at_once() -> None:
    result = judged("self.mode = 2\nwith self._lock:\n    pass\nself._d[k] = make(v)")
    assert [refusal.line for refusal in result.refusals] == [10, 11, 13]


COVERED = [
    ("return self._d.get(k, self.limit)", Verdict.LINEARIZABLE),
    (
        "key = (k, v)\nx = self._d.get(key)\nif x is None:\n    x = self._d.setdefault(key, str(v))\nreturn x",
        Verdict.LINEARIZABLE,
    ),
    ("cache = self._d\nif k not in cache:\n    cache[k] = v\nreturn cache[k]", Verdict.VIOLATION),
    ("try:\n    return self._d[k]\nexcept KeyError:\n    return self._d.setdefault(k, v)", Verdict.LINEARIZABLE),
    ("self._d[k] += 1", Verdict.VIOLATION),
    ("logger.debug('looking for %s', k)\nreturn self._d.pop(k, None)", Verdict.LINEARIZABLE),
    (
        "assert v is not None\nif (x := self._d.get(k)) is not None:\n    return x\nreturn self._d.setdefault(k, v)",
        Verdict.LINEARIZABLE,
    ),
    ("for _ in range(2):\n    if k in self._d:\n        return True\nreturn False", Verdict.LINEARIZABLE),
    ("return self._d.get(k) or self._d.get(v)", Verdict.VIOLATION),
    ("return self._d[k] if k in self._d else v", Verdict.VIOLATION),
    ("x = self._d.get(k)\nif x in (1, 2):\n    return self._d.get(k)\nreturn x", Verdict.LINEARIZABLE),
]


@pytest.mark.parametrize(("body", "verdict"), COVERED, ids=[body.splitlines()[0] for body, _ in COVERED])
def test_covered(body: str, verdict: Verdict) -> None:
    result = judged(body)
    assert result.refusals == ()
    assert result.verdict is verdict, result


def test_what_is_assumed_is_said() -> None:
    result = judged(
        "x = self._d.get(k)\nif x is None:\n    x = self._d.setdefault(k, make(k))\nreturn x", assume_pure=True
    )
    assert result.verdict is Verdict.LINEARIZABLE
    assert result.assumptions == ("make(…) is pure: the same arguments give the same result, and nothing else happens",)


def test_an_attribute_that_the_class_does_not_set_is_assumed_to_stay() -> None:
    assert judged("return self._d.get(k, self.somewhere)").assumptions == ("self.somewhere does not change",)
    assert judged("return self._d.get(k, self.limit)").assumptions == ()


def test_a_pure_function_of_the_file_needs_no_declaration() -> None:
    body = "x = self._d.get(k)\nif x is None:\n    x = self._d.setdefault(k, make(k))\nreturn x"
    assert judged(body, head="def make(key):\n    return key * 2").verdict is Verdict.LINEARIZABLE
    assert not judged(body, head="def make(key):\n    seen.append(key)\n    return key").covered


def test_a_run_alone_that_never_ends_is_no_specification() -> None:
    result = judged("while self._d.get(k) is None:\n    pass\nreturn 1")
    assert result.verdict is Verdict.UNKNOWN
    assert "does not come to an end" in result.cause
