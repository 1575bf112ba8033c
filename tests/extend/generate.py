"""Random extension methods, as Python text, from a seed."""

from __future__ import annotations

from random import Random

DICT_READS = ["d.get(k)", "d.get(k, v)", "k in d", "d.get(k, 'c')"]
DICT_TAKES = ["d.setdefault(k, {})", "d.pop(k, None)", "d.pop(k, 'c')", "d.setdefault(k, {})"]
DICT_WRITES = ["d[k] = {}", "d[k] = {}", "del_", "d.pop(k, None)"]
MAP_READS = ["d.get(k)", "k in d", "d.get(k)"]
MAP_TAKES = [
    "d.put_if_absent(k, {})",
    "d.remove(k)",
    "d.replace(k, {}, {})",
    "d.put(k, {})",
    "d.replace(k, {})",
    "d.remove(k, {})",
]
MAP_WRITES = ["d.put(k, {})", "d.put_if_absent(k, {})", "d.remove(k)", "d.replace(k, {}, {})"]
REGISTER_READS = ["d.read()", "d.read()"]
REGISTER_TAKES = ["d.swap({})", "d.compare_and_swap({}, {})", "d.compare_and_set({}, {})"]
REGISTER_WRITES = ["d.write({})", "d.write({})", "d.compare_and_set({}, {})"]
KINDS = {
    "dict": (DICT_READS, DICT_TAKES, DICT_WRITES),
    "map": (MAP_READS, MAP_TAKES, MAP_WRITES),
    "register": (REGISTER_READS, REGISTER_TAKES, REGISTER_WRITES),
}


class Writer:
    """Writes one method."""

    def __init__(self, random: Random, base: str) -> None:
        self.random = random
        self.reads, self.takes, self.writes = KINDS[base]
        self.base = base
        self.left = random.choice([2, 2, 3, 3, 4])
        self.known: list[str] = []
        self.lines: list[str] = []
        self.two_keys = base != "register" and random.random() < 0.12
        self.functions = random.random() < 0.2
        self.objects = random.random() < 0.3

    def text(self) -> str:
        self.block(1, 3)
        self.line(1, f"return {self.value()}")
        key = "" if self.base == "register" else ", k, j" if self.two_keys else ", k"
        return "\n".join([f"def method(d{key}, v):", *self.lines, ""])

    def line(self, depth: int, text: str) -> None:
        if self.two_keys and self.random.random() < 0.5:
            text = text.replace("(k", "(j").replace("[k]", "[j]").replace("k in d", "j in d")
        self.lines.append("    " * depth + text)

    def value(self) -> str:
        options = ["v", "v", "None", "'c'", *self.known * 3]
        if self.functions:
            options += ["f(v)", *(f"f({name})" for name in self.known)]
        if self.objects:
            options += ["object()"] * 2
        return self.random.choice(options)

    def filled(self, text: str) -> str:
        while "{}" in text:
            text = text.replace("{}", self.value(), 1)
        return text

    def condition(self) -> str:
        if self.known and self.random.random() < 0.85:
            name = self.random.choice(self.known)
            other = self.random.choice(["v", "'c'", *self.known])
            return self.random.choice(
                [
                    f"{name} is None",
                    f"{name} is not None",
                    f"{name} == {other}",
                    f"{name} != {other}",
                    f"not {name}",
                    name,
                ]
            )
        return self.random.choice(["v is None", "v == 'c'", "v"])

    def block(self, depth: int, most: int) -> None:
        before = list(self.known)
        for _ in range(self.random.randint(1, most)):
            self.statement(depth)
        if not self.lines or (self.lines[-1].startswith("    " * (depth - 1)) and self.lines[-1].endswith(":")):
            self.line(depth, "pass")
        self.known = before if depth > 1 else self.known

    def statement(self, depth: int) -> None:
        chosen = self.random.random()
        if chosen < 0.5 and self.left:
            self.operation(depth)
        elif chosen < 0.75 and depth < 4:
            self.line(depth, f"if {self.condition()}:")
            self.block(depth + 1, 2)
            if self.random.random() < 0.4:
                self.line(depth, "else:")
                self.block(depth + 1, 2)
        elif chosen < 0.83 and depth < 3 and self.left:
            self.line(depth, "while True:")
            self.operation(depth + 1)
            self.line(depth + 1, f"if {self.condition()}:")
            self.line(depth + 2, self.random.choice(["break", f"return {self.value()}"]))
            if self.random.random() < 0.4 and self.left:
                self.operation(depth + 1)
        elif chosen < 0.92 and depth > 1:
            self.line(
                depth, self.random.choice([f"return {self.value()}", f"return {self.value()}", "raise ValueError"])
            )
        elif self.base == "dict" and self.left and depth < 4:
            self.left -= 1
            self.line(depth, "try:")
            name = self.name()
            self.line(depth + 1, self.random.choice([f"{name} = d[k]", f"{name} = d.pop(k)"]))
            self.line(depth, "except KeyError:")
            self.line(depth + 1, f"{name} = {self.value()}")
            self.known.append(name)
        elif self.left:
            self.operation(depth)
        else:
            self.line(depth, "pass")

    def name(self) -> str:
        return self.random.choice("abc")

    def operation(self, depth: int) -> None:
        self.left -= 1
        if self.random.random() < 0.7:
            text = self.filled(self.random.choice(self.random.choice([self.reads, self.takes])))
            name = self.name()
            self.line(depth, f"{name} = {text}")
            if name not in self.known:
                self.known.append(name)
        else:
            text = self.random.choice(self.writes)
            self.line(depth, "del d[k]" if text == "del_" else self.filled(text))


def method(seed: int) -> tuple[str, str]:
    """(kind of base object, text)."""
    random = Random(seed)
    base = random.choice(["dict", "dict", "map", "map", "register"])
    return base, Writer(random, base).text()
