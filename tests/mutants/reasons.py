"""Why may a mutant survive? survivors.toml: each with the reason why it changes no verdict, no sentence and no budget."""

import tomllib
from pathlib import Path

from tests.mutants.mutant import Key


def load(path: Path) -> dict[Key, str]:
    """The reason of each survivor."""
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("survivor", [])
    return {(entry["file"], entry["function"], entry["change"], entry["source"]): entry["reason"] for entry in entries}
