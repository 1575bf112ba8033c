"""Which operations may a client call? Random calls and options for every model, in the words of docs/reference/models.md."""

import random
from typing import Any

from tests.independent.shelf import KEYED, SYNONYMS, Sequential, build

#: How often an operation is called, where not all are called equally often.
WEIGHTS = {"size": 0.5, "peek": 0.5, "txn": 3, "enqueue": 2, "push": 1.5, "insert": 1.5, "fetch_add": 2, "dequeue": 1.5}

TEXTS = ["a", "b", "ab", "", "é", "1"]


class Vocabulary:
    """One history's choice of values, keys, names and options."""

    def __init__(self, name: str, rng: random.Random) -> None:
        self.name, self.rng = name, rng
        self.fresh = rng.random() < 0.4  # every value once
        self.width = rng.choice([1, 2, 3, 5])
        self.mixed = rng.random() < 0.15  # values that look alike
        self.keys = rng.choice([["x"], ["x", "y"], ["x", "y", "z"], [0, 1], [1, "1"], ["k", "y"]])
        self.key_field = rng.random() < 0.5
        self.objects = rng.choice([[None]] * 3 + [["x", "y"], [None, "x"], [1, "1", 2]])
        self.next = 0
        words = [names.split() for names in SYNONYMS[name]]
        chosen = rng.sample(words, rng.randint(max(2, len(words) // 2), len(words))) if len(words) > 3 else words
        if not any(self.changes(names[0]) for names in chosen):
            chosen.append(words[0] if self.changes(words[0][0]) else words[1])
        synonyms = rng.random() < 0.3
        self.words = {names[0]: rng.choice(names) if synonyms else names[0] for names in chosen}

    @staticmethod
    def changes(f: str) -> bool:
        return f not in ("read", "get", "contains", "size", "peek", "peek_front", "peek_back")

    def value(self) -> Any:
        """A value to store."""
        if self.fresh:
            self.next += 1
            return self.next
        if self.mixed:
            return self.rng.choice([1, "1", True, [1], ["1"], {"1": 1}, 0, False, "a"])
        return self.rng.randint(1, self.width)

    def maybe_null(self) -> Any:
        return None if self.rng.random() < 0.15 else self.value()

    def object(self) -> Sequential:
        """The model with options."""
        rng, options = self.rng, {}
        if rng.random() < 0.3:
            match self.name:
                case "register" | "cas-register" | "array":
                    options["initial"] = rng.choice([0, 1, "a"])
                case "multi-register":
                    options["initial"] = rng.choice(
                        [0, 1, {self.keys[0]: 1}] if isinstance(self.keys[0], str) else [0, 1]
                    )
                case "kv":
                    options["initial"] = "a"
                case "counter":
                    options["initial"] = rng.choice([5, -3, 10**15])
                case "set":
                    options["initial"] = [1]
                case "queue" | "stack" | "deque" | "priority-queue" | "bag":
                    options["initial"] = rng.choice([[1], [1, 2], [2, 2, 1]])
        if self.name == "semaphore":
            options = {"permits": rng.choice([1, 2, 3]), "bounded": rng.random() < 0.5}
        if self.name == "priority-queue" and rng.random() < 0.5:
            options["order"] = rng.choice(["max", "min"])
        return build(self.name, **options)

    def call(self) -> dict[str, Any]:
        """A record without process, times and result."""
        f = self.rng.choices(list(self.words), [WEIGHTS.get(word, 1) for word in self.words])[0]
        record: dict[str, Any] = {"f": self.words[f]}
        if self.name in KEYED:
            self.keyed(f, record)
        else:
            value = self.argument(f)
            if value is not None:
                record["value"] = value
            key = self.rng.choice(self.objects)
            if key is not None:
                record["key"] = key
        return record

    def keyed(self, f: str, record: dict[str, Any]) -> None:
        """For maps, arrays, sets, …: the key is a field of its own or inside the value."""
        rng = self.rng
        if self.name == "multi-register" and f == "txn":
            record["value"] = [self.micro() for _ in range(rng.randint(1, 3))]
            return
        if self.name == "append-list" and f == "txn":
            reads = [rng.choice(["r", "read"]), rng.choice(self.keys), None]
            record["value"] = [reads if rng.random() < 0.5 else ["append", rng.choice(self.keys), self.value()]]
            return
        if f == "size" or (self.name, f) == ("set", "read"):
            return
        key = rng.choice([0, 1, 2]) if self.name == "array" else rng.choice(self.keys)
        if self.name == "kv":
            key = str(key)
        rest = self.rest(f)
        if self.name == "set":
            key = self.value() if rng.random() < 0.8 else key
        if self.key_field and (self.name != "set" or isinstance(key, int | str)):
            record["key"] = key
            if rest:
                record["value"] = rest[0] if len(rest) == 1 else rest
        else:
            record["value"] = [key, *rest] if rest else key

    def rest(self, f: str) -> list[Any]:
        """What follows the key."""
        match self.name, f:
            case "kv", "put" | "append":
                return [self.rng.choice(TEXTS)]
            case "map", "put" | "swap" | "put_if_absent" | "replace" | "remove_if":
                return [self.maybe_null()]
            case "map", "replace_if":
                return [self.maybe_null(), self.maybe_null()]
            case "array" | "multi-register", "write":
                return [self.value()]
            case "append-list", "append":
                return [self.value()]
            case "array", "cas":
                return [self.maybe_null(), self.value()]
        return []

    def micro(self) -> list[Any]:
        key = self.rng.choice(self.keys)
        if self.rng.random() < 0.5:
            return [self.rng.choice(["r", "read"]), key, None]
        return [self.rng.choice(["w", "write"]), key, self.value()]

    def argument(self, f: str) -> Any:
        rng = self.rng
        match f:
            case "write" | "swap":
                return self.value()
            case "cas":
                return [self.maybe_null(), self.value()]
            case "enqueue" | "push" | "push_front" | "push_back":
                return self.value()
            case "insert":
                return self.value() if rng.random() < 0.7 or self.mixed else [rng.randint(1, 2), self.value()]
            case "remove_value" | "contains":
                return self.value()
        if self.name == "bag":
            return self.value() if f == "add" else None
        if self.name == "counter":
            return None if f == "read" else rng.choice([None, 1, 1, 2, -1, 0, 10**20] if self.mixed else [1, 1, 2])
        if self.name == "semaphore":
            return rng.choice([None, 1, 1, 2])
        return None
