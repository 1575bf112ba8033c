"""The classes of `java.util.concurrent`, run by one thread: hand-made runs, as Java 17 answers them."""

import json

import pytest

import linpoint as lp
from linpoint.library import juc

NONE = {"raised": "NoSuchElementException"}
FULL = {"raised": "IllegalStateException"}

QUEUE = """
    isEmpty → true; poll → null; peek → null; element → none; remove → none
    offer 1 → true; add 2 → true; addAll [2, 3] → true; size → 4; toString → "[1, 2, 2, 3]"
    contains 3 → true; contains 4 → false; containsAll [1, 3] → true; containsAll [1, 4] → false
    peek → 1; element → 1; poll → 1; remove → 2; remove 3 → true; remove 3 → false; toArray → [2]
    removeAll [3] → false; addAll [1, 3] → true; removeAll [1, 2] → true; retainAll [3] → false; toArray → [3]
    retainAll [1] → true; isEmpty → true; add 1 → true; clear → null; size → 0; toString → "[]"
"""
BLOCKING = "add 1 → true; add 2 → true; drainTo → [1, 2]; drainTo → []; isEmpty → true;"
UNBOUNDED = "put 1 → null; put 2 → null; toString → '[1, 2]'; poll → 1;".replace("'", '"')
DEQUE = """
    getFirst → none; getLast → none; pop → none; removeFirst → none; removeLast → none
    pollFirst → null; pollLast → null; peekFirst → null; peekLast → null
    addFirst 2 → null; push 1 → null; addLast 3 → null; offerFirst 0 → true; offerLast 1 → true; toArray → [0, 1, 2, 3, 1]
    getFirst → 0; peekFirst → 0; getLast → 1; peekLast → 1
    removeLastOccurrence 1 → true; removeLastOccurrence 9 → false; toArray → [0, 1, 2, 3]
    addLast 1 → null; removeFirstOccurrence 1 → true; removeFirstOccurrence 9 → false; toArray → [0, 2, 3, 1]
    pop → 0; removeFirst → 2; removeLast → 1; pollLast → 3; pollLast → null
    add 1 → true; add 2 → true; poll → 1; pollFirst → 2
"""
MAP = """
    isEmpty → true; get 1 → null; getOrDefault [1, 7] → 7; put [2, 5] → null; put [2, 6] → 5; putIfAbsent [2, 9] → 6
    putIfAbsent [0, 9] → null; toString → "{0=9, 2=6}"; size → 2; containsKey 2 → true; containsKey 3 → false
    containsValue 6 → true; containsValue 5 → false; getOrDefault [2, 7] → 6; replace [2, 1] → 6; replace [3, 1] → null
    replace [2, 9, 3] → false; replace [2, 1, 3] → true; replace [3, 1, 3] → false; get 2 → 3
    remove [2, 9] → false; remove [2, 3] → true; remove [2, 3] → false; remove 0 → 9; remove 0 → null
    putAll [[3, 1], [1, 2]] → null; toString → "{1=2, 3=1}"; clear → null; size → 0; toString → "{}"
"""

RUNS = {
    juc.ConcurrentLinkedQueue: QUEUE,
    juc.LinkedBlockingQueue: f"{QUEUE} {BLOCKING} {UNBOUNDED} remainingCapacity → 2147483646",
    juc.LinkedTransferQueue: f"""{QUEUE} {BLOCKING} {UNBOUNDED} remainingCapacity → 2147483647
        tryTransfer 1 → false; hasWaitingConsumer → false; getWaitingConsumerCount → 0; toArray → [2]""",
    juc.ArrayBlockingQueue: f"""{QUEUE} {BLOCKING} remainingCapacity → 4
        addAll [1, 2, 3] → true; remainingCapacity → 1; addAll [4, 5] → full; toString → "[1, 2, 3, 4]"
        offer 5 → false; add 5 → full; poll → 1; add 5 → true; toArray → [2, 3, 4, 5]""",
    juc.ConcurrentLinkedDeque: f"{QUEUE} {DEQUE}",
    juc.LinkedBlockingDeque: f"{QUEUE} {BLOCKING} {UNBOUNDED} remainingCapacity → 2147483646; clear → null; {DEQUE}",
    juc.ConcurrentHashMap: MAP,
    juc.ConcurrentSkipListMap: f"""{MAP} firstKey → none; lastKey → none; firstEntry → null; lastEntry → null
        pollFirstEntry → null; pollLastEntry → null; ceilingKey 1 → null; putAll [[1, 5], [3, 6], [7, 8]] → null
        firstKey → 1; lastKey → 7; firstEntry → "1=5"; lastEntry → "7=8"; ceilingKey 3 → 3; ceilingKey 4 → 7
        higherKey 3 → 7; higherKey 7 → null; floorKey 3 → 3; floorKey 2 → 1; lowerKey 3 → 1; lowerKey 1 → null
        pollFirstEntry → "1=5"; pollLastEntry → "7=8"; toString → "{{3=6}}" """,
    juc.ConcurrentSkipListSet: """
        first → none; last → none; pollFirst → null; pollLast → null; add 3 → true; add 3 → false; addAll [3] → false
        addAll [1, 7] → true; toString → "[1, 3, 7]"; size → 3; first → 1; last → 7; ceiling 3 → 3; ceiling 4 → 7
        ceiling 8 → null; higher 3 → 7; higher 7 → null; floor 3 → 3; floor 2 → 1; lower 3 → 1; lower 1 → null
        contains 7 → true; containsAll [1, 2] → false; removeAll [1, 2] → true; retainAll [3, 7] → false
        pollFirst → 3; pollLast → 7; isEmpty → true; add 1 → true; remove 1 → true; remove 1 → false
        add 2 → true; clear → null; toArray → []""",
    juc.PriorityBlockingQueue: """
        poll → null; peek → null; element → none; remove → none
        addAll [3, 1, 2] → true; toString → "[1, 3, 2]"; offer 0 → true; toArray → [0, 1, 2, 3]; peek → 0; element → 0
        remove 1 → true; remove 1 → false; toArray → [0, 3, 2]; put 1 → null; toArray → [0, 1, 2, 3]
        retainAll [3, 2, 1] → true; toArray → [1, 2, 3]; removeAll [0] → false; removeAll [1] → true; toArray → [2, 3]
        poll → 2; remove → 3; addAll [2, 1, 2] → true; drainTo → [1, 2, 2]; remainingCapacity → 2147483647; size → 0
        add 5 → true; contains 5 → true; containsAll [5, 6] → false; isEmpty → false; clear → null; isEmpty → true""",
}


def history_of(run: str) -> lp.History:
    """From `offer 1 → true; poll → 1`."""
    words = {"none": NONE, "full": FULL}
    calls = [call.strip() for line in run.splitlines() for call in line.split(";") if call.strip()]
    records = []
    for i, call in enumerate(calls):
        asked, answered = call.split(" → ")
        f, _, value = asked.partition(" ")
        result = words[answered] if answered in words else json.loads(answered)
        given = json.loads(value) if value else None
        records.append({"process": 0, "f": f, "value": given, "result": result, "call": 2 * i, "return": 2 * i + 1})
    return lp.History(records)


@pytest.mark.parametrize("cls", juc.CLASSES, ids=lambda cls: cls.__name__)
def test_a_run_by_hand(cls) -> None:
    history = history_of(RUNS[cls])
    result = lp.check(history, lp.models.from_class(cls))
    assert result.ok, str(result)
    methods = {name for name in dir(cls) if not name.startswith("_") and callable(getattr(cls, name))}
    assert methods - {"put"} <= {op.f for op in history}, "a method that no run calls"


@pytest.mark.parametrize("cls", juc.CLASSES, ids=lambda cls: cls.__name__)
def test_a_wrong_answer_is_noticed(cls) -> None:
    records = [op.to_record() for op in history_of(RUNS[cls])]
    records[-1]["result"] = "something else"
    result = lp.check(lp.History(records), lp.models.from_class(cls))
    assert result.stuck_index == len(records) - 1
