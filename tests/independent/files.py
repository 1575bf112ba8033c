"""Sound files in every format, written from docs/reference/formats.md, for `damage.py` to spoil.

A `Source` knows which of its lines hold one event (or, in JSONL, one operation) each, so that it can be said what a file with one
spoiled line must still contain.
"""

import json
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.independent import generate
from tests.independent.shelf import SYNONYMS

ROOT = Path(__file__).resolve().parents[2]
FOREIGN = "app-log.jsonl"
"""The one example that cannot be read as it is: it is there to show `--map`."""


@dataclass
class Source:
    """A sound file."""

    name: str
    format: str
    model: str
    data: bytes
    events: list[int] = field(default_factory=list)  # lines that hold one event each, counted from 0
    options: dict[str, bool] = field(default_factory=dict)


Event = tuple[str, int, dict[str, Any]]  # invoke, ok, fail or info; number of the operation; record


def events(records: list[dict[str, Any]]) -> list[Event]:
    """Calls and returns in the order of time."""
    moments: list[tuple[Any, int, int, str, dict[str, Any]]] = []
    for number, record in enumerate(records):
        moments.append((record["call"], 0, number, "invoke", record))
        type_ = record.get("type", "ok")
        if record.get("return") is not None:
            moments.append((record["return"], 1, number, type_, record))
    return [(type_, number, record) for _, _, number, type_, record in sorted(moments, key=lambda moment: moment[:3])]


def sequential_processes(records: list[dict[str, Any]]) -> None:
    """Events need processes that never overlap themselves, also where the clock is coarse: every operation gets a process."""
    for number, record in enumerate(records):
        record["process"] = number


def edn(value: Any) -> str:
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[" + " ".join(edn(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + " ".join(f"{edn(key)} {edn(item)}" for key, item in value.items()) + "}"
    return str(value)


def event_value(type_: str, record: dict[str, Any]) -> Any:
    """Jepsen's value: the argument, and on completion the result where there is one."""
    if type_ == "ok" and record["f"] == "read":
        return record.get("result")
    return record.get("value")


def jepsen(records: list[dict[str, Any]], rng: random.Random) -> str:
    lines = []
    for at, (type_, _, record) in enumerate(events(records)):
        value = edn(event_value(type_, record))
        lines.append(f"{{:process {record['process']}, :type :{type_}, :f :{record['f']}, :value {value}, :time {at}}}")
    return "\n".join(lines) + "\n"


def jepsen_log(records: list[dict[str, Any]], rng: random.Random) -> str:
    lines = []
    for type_, _, record in events(records):
        if rng.random() < 0.1:
            lines.append(f"2026-01-01 10:00:0{rng.randint(0, 9)} INFO  jepsen.core - Relax! Everything is fine")
        value = edn(event_value(type_, record))
        lines.append(f"INFO  jepsen.util - {record['process']}\t:{type_}\t:{record['f']}\t{value}")
    return "\n".join(lines) + "\n"


def jepsen_json(records: list[dict[str, Any]], rng: random.Random) -> str:
    lines = [
        json.dumps({"process": record["process"], "type": type_, "f": record["f"], "value": event_value(type_, record)})
        for type_, _, record in events(records)
    ]
    return "\n".join(lines) + "\n"


def porcupine(records: list[dict[str, Any]], rng: random.Random) -> str:
    lines = []
    for type_, _, record in events(records):
        value = record["value"]
        key, text = (value, None) if record["f"] == "get" else value
        shown = (record.get("result") or "") if record["f"] == "get" and type_ == "ok" else text
        lines.append(
            f"{{:process {record['process']}, :type :{type_}, :f :{record['f']}, :key {edn(key)}, :value {edn(shown)}}}"
        )
    return "\n".join(lines) + "\n"


def violin(records: list[dict[str, Any]], rng: random.Random) -> str:
    lines = ["# @object atomic-queue"]
    for type_, number, record in events(records):
        if type_ == "invoke":
            lines.append(f"[{number}] call " + (f"add({record['value']})" if record["f"] == "enqueue" else "remove"))
        else:
            said = "" if record["f"] == "enqueue" else f" {record.get('result') or 'empty'}"
            lines.append(f"[{number}] return{said}")
    return "\n".join(lines) + "\n"


def violat(records: list[dict[str, Any]], rng: random.Random) -> str:
    lines = []
    for type_, number, record in events(records):
        adds = record["f"] == "enqueue"
        invocation = {
            "id": number,
            "method": {"name": "offer" if adds else "poll"},
            "arguments": [record["value"]] if adds else [],
        }
        event: dict[str, Any] = {
            "kind": "call" if type_ == "invoke" else "return",
            "sid": number,
            "invocation": invocation,
        }
        if type_ != "invoke":
            event["value"] = "true" if adds else str(record["result"]) if isinstance(record["result"], int) else "null"
        lines.append(json.dumps(event))
    head = '{"schema": {"class": "java.util.concurrent.ConcurrentLinkedQueue"}, "events": ['
    return head + "\n" + ",\n".join(lines) + "\n]}\n"


def jsonl(records: list[dict[str, Any]], rng: random.Random) -> str:
    return "".join(json.dumps(record, ensure_ascii=rng.random() < 0.5) + "\n" for record in records)


def plain(name: str, rng: random.Random, words: set[str]) -> list[dict[str, Any]]:
    """A history of completed operations with these names only."""
    while True:
        _, records = generate.witnessed(rng, name)
        kept = [
            record
            for record in records
            if record.get("type", "ok") == "ok" and record["f"] in words and "return" in record
        ]
        kept = [record for record in kept if "key" not in record][:16]
        if len(kept) >= 4:
            sequential_processes(kept)
            return kept


WRITERS = {
    "jepsen": (jepsen, "register", {"read", "write"}),
    "jepsen-log": (jepsen_log, "register", {"read", "write"}),
    "jepsen-json": (jepsen_json, "register", {"read", "write"}),
    "porcupine-kv": (porcupine, "kv", {"get", "put", "append"}),
    "violin": (violin, "queue", {"enqueue", "dequeue"}),
    "violat": (violat, "queue", {"enqueue", "dequeue"}),
}


def generated(rng: random.Random) -> Source:
    """A sound file of our own in some format."""
    format_ = rng.choice(["jsonl", "jsonl", "jsonl", *WRITERS])
    if format_ == "jsonl":
        model = rng.choice(list(SYNONYMS))
        object_, records = generate.witnessed(rng, model)
        text = jsonl(records, rng)
        return Source("generated", format_, object_.spec, text.encode(), list(range(len(records))))
    writer, model, words = WRITERS[format_]
    text = writer(plain(model, rng, words), rng)
    lines = [place for place, line in enumerate(text.splitlines()) if is_event(format_, line)]
    return Source("generated", format_, model, text.encode(), lines)


def is_event(format_: str, line: str) -> bool:
    match format_:
        case "jepsen-log":
            return "\t:" in line
        case "violin":
            return line.lstrip().startswith("[")
        case "violat":
            return line.startswith('{"kind"')
    return line.strip().startswith("{") and '"object"' not in line and '"annotation"' not in line


def recorded() -> list[Source]:
    """The files of corpus/ and examples/."""
    found = []
    for path in sorted([*ROOT.glob("corpus/*/*/*"), *ROOT.glob("examples/histories/*")]):
        if path.suffix not in (".jsonl", ".edn") or path.name == FOREIGN:
            continue
        model = path.parts[-3] if "corpus" in path.parts else "cas-register"
        data = path.read_bytes()
        format_ = "jsonl" if path.suffix == ".jsonl" else "jepsen"
        lines = [place for place, line in enumerate(data.decode().splitlines()) if is_event(format_, line)]
        found.append(Source(str(path.relative_to(ROOT)), format_, model, data, lines))
    return found
