"""Keys: operations on different keys are judged apart (P-compositionality). That is what makes big histories quick.

Four keys, each with a few operations that overlap. Together there are 20 operations to order; apart five at a time.
"""

import linpoint as lp

operations = []
for key in range(4):
    for client in range(4):
        process = key * 4 + client
        operations.append(
            {"process": process, "f": "put", "value": [key, client], "call": client, "return": 10 + client}
        )
    operations.append({"process": f"reader {key}", "f": "get", "value": key, "result": 2, "call": 20, "return": 21})
history = lp.History(operations)

apart = lp.check(history, "map")
together = lp.check(history, "map", partition=False)
print(f"by key: {apart.verdict}, {apart.configurations} configurations")
print(f"together: {together.verdict}, {together.configurations} configurations")

assert apart.verdict is together.verdict is lp.Verdict.LINEARIZABLE

# An operation on all keys (size) keeps all of them together: linpoint sees that by itself.
whole = lp.History([*history, {"process": "counter", "f": "size", "result": 4, "call": 30, "return": 31}])
assert lp.check(whole, "map").verdict is lp.Verdict.LINEARIZABLE

# For a model without keys, the field "key" names the object.
queues = lp.History(
    [
        {"process": 0, "f": "enqueue", "key": "mail", "value": 1, "call": 0, "return": 1},
        {"process": 0, "f": "enqueue", "key": "jobs", "value": 2, "call": 2, "return": 3},
        {"process": 0, "f": "dequeue", "key": "jobs", "result": 2, "call": 4, "return": 5},
    ]
)
assert lp.check(queues, "queue").verdict is lp.Verdict.LINEARIZABLE
