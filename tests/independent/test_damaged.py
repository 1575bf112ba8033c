"""A slice of `python -m tests.independent.mutate`: damaged files of every format, none of them read wrongly in silence."""

import json

from tests.independent import damage, files, mutate

FILES = 2000


def test_damaged_files_are_refused_or_accounted_for() -> None:
    counts, faults = mutate.run(FILES, seed=0)
    assert not faults, "\n".join(json.dumps(fault) for fault in faults[:5])
    assert counts["files"] == FILES
    for kind in damage.LINE_DAMAGES:
        assert counts[f"damage: {kind}"] > FILES // 50, kind
    for format_ in ("jsonl", *files.WRITERS):
        assert counts[f"format: {format_}"] > FILES // 50, format_
    assert counts["refused"] > FILES // 4
    assert counts["read"] > FILES // 10
    assert counts["accounted for"] > FILES // 10
    assert counts["through the command line"] > FILES // 50
    assert counts["written and read again"] > FILES // 200


def test_sound_files_are_read_whole() -> None:
    """What the damage starts from: every event line of every source is an event of the history."""
    formats = set()
    for source in files.recorded():
        history = mutate.read(source.data, None)
        assert not isinstance(history, Exception), source.name
        assert len(source.events) == len(history) or source.format != "jsonl", source.name
        formats.add(source.format)
    assert formats == {"jsonl", "jepsen"}
