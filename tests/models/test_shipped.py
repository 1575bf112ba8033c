"""Every shipped model by example, the contract of docs/reference/models.md.

A script is a sequence of operations; `True` behind one says that it is legal at that point, `False` that it is not (and then
it is left out). Each script is run through `step`, through the quick replay where there is one, and through the core.
"""

import pytest

import linpoint as lp
from linpoint.models import SHIPPED, Shipped, parse

PENDING = object()


def op(f, value=None, result=None, key=None):
    done = result is not PENDING
    return lp.Operation(
        process=0, f=f, value=value, result=result if done else None, call=0, ret=1 if done else None, key=key
    )


SCRIPTS = {
    "register": [
        (op("read", None, None), True),
        (op("write", 1), True),
        (op("get", None, 1), True),
        (op("load", None, True), False),
        (op("read", None, PENDING), True),
        (op("store", [1, 2], "whatever"), True),
        (op("read", None, [1, 2]), True),
    ],
    "register:initial=0": [(op("read", None, None), False), (op("read", None, 0), True)],
    "cas-register": [
        (op("cas", [None, 1], False), False),
        (op("compareAndSet", [None, 1], True), True),
        (op("cas", [2, 3], False), True),
        (op("cas", [1, 1], True), True),
        (op("swap", 5, 1), True),
        (op("exchange", 6, 1), False),
        (op("cas", [5, 7], PENDING), True),
        (op("read", None, 7), True),
    ],
    "multi-register:initial=0": [
        (op("txn", [["r", "x", None], ["w", "y", 1]], [["r", "x", 0], ["w", "y", 1]]), True),
        (op("txn", [["r", "x", None], ["r", "y", None]], [["r", "x", 0], ["r", "y", 0]]), False),
        (op("transaction", [["w", "x", 2], ["read", "x", None]], [["w", "x", 2], ["read", "x", 2]]), True),
        (op("txn", [["w", "z", 3]], None), True),
        (op("read", "z", 3), True),
        (op("write", ["x", 9]), True),
        (op("read", None, 9, key="x"), True),
        (op("write", 8, key="x"), True),
        (op("read", "x", 8), True),
    ],
    'multi-register:initial={"x":1}': [(op("read", "x", 1), True), (op("read", "y", None), True)],
    "kv": [
        (op("get", "k", ""), True),
        (op("get", "k", None), True),
        (op("append", ["k", "ab"]), True),
        (op("append", "c", key="k"), True),
        (op("get", "k", "ab"), False),
        (op("get", None, "abc", key="k"), True),
        (op("put", ["k", "z"]), True),
        (op("read", "k", "z"), True),
        (op("put", ["k", ""]), True),
        (op("get", "k", None), True),
    ],
    "append-list": [
        (op("read", "k", None), True),
        (op("append", ["k", 1]), True),
        (op("append", [1, 2], key="k"), True),
        (op("get", "k", [1]), False),
        (op("r", None, [1, [1, 2]], key="k"), True),
        (op("txn", [["append", "j", 3]], [["append", "j", 3]]), True),
        (op("txn", [["r", "j", None]], [["r", "j", None]]), False),
        (op("transaction", [["read", "j", None]], [["read", "j", [3]]]), True),
        (op("txn", [["r", "i", None]], [["r", "i", []]]), True),
    ],
    "map": [
        (op("get", "k", None), True),
        (op("put", ["k", 1]), True),
        (op("swap", ["k", 2], 1), True),
        (op("put_if_absent", ["k", 9], 2), True),
        (op("put_if_absent", ["j", 9], None), True),
        (op("size", None, 2), True),
        (op("len", None, 1), False),
        (op("replace", ["j", 8], 9), True),
        (op("replace", ["i", 8], None), True),
        (op("contains", "i", False), True),
        (op("cas", ["k", 2, 3], True), True),
        (op("replace_if", ["k", 2, 3], False), True),
        (op("replace_if", ["i", None, 4], True), True),
        (op("cas", [4, None], True, key="i"), True),
        (op("has", "i", False), True),
        (op("remove_if", ["k", 0], False), True),
        (op("remove_if", ["k", 3], True), True),
        (op("delete", "k", True), False),
        (op("delete", "k", None), True),
        (op("remove", "j", 8), True),
        (op("remove", "j", None), True),
        (op("put", ["j", None]), True),
        (op("count", None, 0), True),
    ],
    "set": [
        (op("contains", 1, False), True),
        (op("add", 1, True), True),
        (op("insert", 1, True), False),
        (op("add", 1, False), True),
        (op("add", True, True), True),
        (op("read", None, [True, 1]), True),
        (op("read", None, [1, 1]), False),
        (op("size", None, 2), True),
        (op("discard", 1, None), True),
        (op("remove", None, True, key=True), True),
        (op("remove", 1, PENDING), True),
        (op("read", None, []), True),
    ],
    "set:initial=[1]": [(op("has", 1, True), True), (op("has", 2, True), False)],
    "array:initial=0": [
        (op("read", 3, 0), True),
        (op("write", [3, 1]), True),
        (op("cas", [3, 1, 2], True), True),
        (op("cas", [0, 5], False, key=3), True),
        (op("read", None, 2, key=3), True),
        (op("get", 4, 2), False),
    ],
    "counter": [
        (op("inc"), True),
        (op("add", 5), True),
        (op("dec", None), True),
        (op("sub", 2), True),
        (op("read", None, 3), True),
        (op("value", None, 4), False),
        (op("fetch_add", 2, 3), True),
        (op("addAndGet", 2, 7), True),
        (op("add", 10**27), True),
        (op("read", None, 10**27 + 7), True),
    ],
    "mutex": [
        (op("release"), False),
        (op("acquire"), True),
        (op("lock"), False),
        (op("try_acquire", None, True), False),
        (op("tryLock", None, False), True),
        (op("unlock"), True),
        (op("tryAcquire", None, PENDING), True),
        (op("acquire", None, PENDING), False),
    ],
    "semaphore:permits=2": [
        (op("acquire", 3), False),
        (op("acquire"), True),
        (op("try_acquire", 2, True), False),
        (op("try_acquire", 2, False), True),
        (op("p"), True),
        (op("release", 3), True),
        (op("down", 3), True),
    ],
    "semaphore:permits=1,bounded=true": [(op("v"), False), (op("p"), True), (op("v"), True)],
    "queue": [
        (op("deq", None, "empty"), True),
        (op("enq", 1), True),
        (op("offer", 2), True),
        (op("poll", None, 2), False),
        (op("take", None, None), False),
        (op("peek", None, 1), True),
        (op("dequeue", None, 1), True),
        (op("recv", None, PENDING), True),
        (op("remove", None, None), True),
        (op("send", None), True),  # an element that is null can be put, but never be seen to come out
        (op("deq", None, None), False),
    ],
    "queue:initial=[1,2]": [(op("deq", None, 1), True), (op("front", None, 2), True)],
    "stack": [
        (op("push", 1), True),
        (op("add", 2), True),
        (op("top", None, 1), False),
        (op("peek", None, 2), True),
        (op("pop", None, 2), True),
        (op("poll", None, PENDING), True),
        (op("get", None, "empty"), True),
    ],
    "stack:initial=[1,2]": [(op("pop", None, 2), True)],
    "height-stack": [
        (op("pop", None, 0), True),
        (op("pop", None, [0, None]), True),
        (op("push", "a", 1), False),
        (op("push", "a", 0), True),
        (op("add", "b", 1), True),
        (op("pop", None, [1, "b"]), False),
        (op("remove", None, [2, "b"]), True),
        (op("pop", None, PENDING), True),
        (op("push", "c", 0), True),
    ],
    "deque": [
        (op("append", 2), True),
        (op("appendleft", 1), True),
        (op("push_back", 3), True),
        (op("peekFirst", None, 1), True),
        (op("peek_right", None, 1), False),
        (op("pop", None, 3), True),
        (op("popleft", None, 1), True),
        (op("pollLast", None, PENDING), True),
        (op("pop_front", None, "empty"), True),
        (op("peek_back", None, None), True),
    ],
    "priority-queue": [
        (op("insert", 2), True),
        (op("add", 7), True),
        (op("push", None), True),
        (op("peek", None, 2), False),
        (op("max", None, 7), True),
        (op("poll", None, 7), True),
        (op("pop", None, 2), True),
        (op("pop", None, "empty"), False),
    ],
    "priority-queue:order=min": [
        (op("insert", [1, "a"]), True),
        (op("insert", [1, "b"]), True),
        (op("insert", [2, "c"]), True),
        (op("poll", None, [2, "c"]), False),
        (op("poll", None, [1, "b"]), True),
        (op("delete_min", None, PENDING), True),
        (op("min", None, [2, "c"]), True),
    ],
    "bag:initial=[1]": [
        (op("add", 1), True),
        (op("put", 2), True),
        (op("take", None, 1), True),
        (op("contains", 1, True), True),
        (op("remove_value", 1, True), True),
        (op("discard", 1, True), False),
        (op("delete", 1, None), True),
        (op("has", 2, False), False),
        (op("poll", None, 2), True),
        (op("get", None, None), True),
    ],
}


@pytest.mark.parametrize("spec", SCRIPTS)
def test_step(spec):
    model = parse(spec)
    states = [model.initial]
    for number, (operation, legal) in enumerate(SCRIPTS[spec]):
        after = [next_state for state in states for next_state in model.step(state, operation)]
        assert bool(after) is legal, f"{number}: {operation} in {states}"
        states = after or states


@pytest.mark.parametrize("spec", SCRIPTS)
def test_readonly_operations_change_nothing(spec):
    model = parse(spec)
    states = [model.initial]
    for operation, _ in SCRIPTS[spec]:
        after = [next_state for state in states for next_state in model.step(state, operation)]
        if model.readonly(operation):
            assert all(model.step(state, operation) in ([], [state]) for state in states), operation
        states = after or states


@pytest.mark.parametrize("spec", [spec for spec in SCRIPTS if parse(spec).sequential()])
def test_quick_replay(spec):
    model = parse(spec)
    replay = model.sequential()
    for number, (operation, legal) in enumerate(SCRIPTS[spec]):
        if legal:
            assert replay.do(*model.understand(operation)), f"{number}: {operation}"
        else:
            rejecting = model.sequential()
            before = [done for done, fine in SCRIPTS[spec][:number] if fine]
            assert all(rejecting.do(*model.understand(done)) for done in before)
            assert not rejecting.do(*model.understand(operation)), f"{number}: {operation}"


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("spec", SCRIPTS)
def test_the_core_agrees(spec, native):
    done = []
    for number, (operation, legal) in enumerate(SCRIPTS[spec]):
        record = operation.to_record() | {"process": number, "call": 2 * number}
        if operation.ok:
            record["return"] = 2 * number + 1
        verdict = lp.check([*done, record], spec, native=native).verdict
        # a pending operation may never take effect, so it is always fine
        assert verdict is (lp.Verdict.LINEARIZABLE if legal or operation.pending else lp.Verdict.VIOLATION), operation
        if legal and operation.ok:
            done.append(record)
        elif operation.pending and legal:
            return  # from here on it may or may not have happened


@pytest.mark.parametrize(
    ("spec", "operation", "words"),
    [
        ("register", op("fly"), "register has no operation 'fly'; it has read, write"),
        ("cas-register", op("cas", 3, True), r"cas needs a value \[old, new\], but has 3"),
        ("cas-register", op("cas", [1, 2], None), "a completed cas needs the result true or false, but has null"),
        ("map", op("put", 3), r"put needs a value \[key, value\], but has 3"),
        ("map", op("cas", [1], True, key="k"), r"cas needs a value \[old, new\], but has \[1\]"),
        ("kv", op("put", ["k", 3]), "put needs a text, but has 3"),
        ("counter", op("add", "x"), 'add needs a whole number, but has "x"'),
        ("counter", op("add", 10**28), "add needs a whole number of at most 28 digits, but has 1000"),
        ("counter", op("read", None, None), "needs a whole number as result, but has null"),
        ("set", op("read", None, 3), "needs a list as result, but has 3"),
        ("semaphore", op("acquire", -1), "acquire needs a whole number of at least 0, but has -1"),
        ("bag", op("remove", 3, 3), "it is called remove_value"),
        ("queue", op("offer", 3, False), 'offer answered false: if it did not take effect, its type is "fail"'),
        ("map", op("put", [True, 3], False), "put answered false"),
        ("append-list", op("read", "k", 3), "a completed read needs a list as result, but has 3"),
        ("append-list", op("txn", [["append", 1, 2], ["r", 1, None]]), "txn needs a list of one step"),
        ("append-list", op("txn", [["r", 1, None]], [["r", 2, [1]]]), "needs the same list with its read filled in"),
        ("append-list", op("txn", [["r", 1, None]], key="k"), "has no key, but has the key"),
        ("multi-register", op("txn", [["x", 1]]), r"txn needs a list of \[\"read\", register, null\]"),
    ],
)
def test_operations_that_make_no_sense_are_refused(spec, operation, words):
    model = parse(spec)
    with pytest.raises(lp.ModelError, match=words):
        model.step(model.initial, operation)


def test_every_model_is_tested_here():
    assert {parse(spec).name for spec in SCRIPTS} == set(SHIPPED)


@pytest.mark.parametrize("model", SHIPPED.values(), ids=list(SHIPPED))
def test_a_subclass_is_an_ordinary_model(model):
    assert issubclass(model, Shipped)
    assert model.__doc__
    assert all(getattr(model, name).__doc__ for name in model.table)


def test_states_in_words():
    assert lp.models.Set([2, 1]).describe(lp.models.Set([2, 1]).initial) == "{1, 2}"
    assert lp.models.Bag([2, 2]).describe(lp.models.Bag([2, 2]).initial) == "{2, 2}"
    assert lp.models.PriorityQueue(initial=[1, 3]).describe(lp.models.PriorityQueue(initial=[1, 3]).initial) == "[3, 1]"
    assert lp.models.Mutex().describe("held") == "held"
    assert lp.models.Queue([None, "a"]).describe((None, "a")) == '[null, "a"]'


@pytest.mark.parametrize("native", [True, False])
def test_a_set_ignores_no_value_beside_its_key(native):
    """As `--independent` makes them of Jepsen's `[1 3]`: a set per key is not what the model describes."""
    rows = [{"process": 0, "f": "add", "key": 1, "value": 3, "call": 0, "return": 1}]
    with pytest.raises(lp.ModelError, match="add needs its element as key or as value"):
        lp.check(rows, "set", native=native)
