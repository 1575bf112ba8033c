"""Writes the present output of every command into the documents, where it differs: `python -m tests.repo.refresh`.

Times become `…`. Look at the difference before you keep it: what changed is what users will see.
"""

import re
import tempfile
from pathlib import Path

from tests.conftest import ROOT
from tests.repo.documents import DOCUMENTS, Block, blocks, commands, furnish, matches, shell

TIME = re.compile(r"\d[\d.]*(?= (?:ms|µs|s)\b)|(?<=_seconds\": )[\d.e-]+")


def refreshed(block: Block, place: Path) -> str:
    """The text of a block with outputs that are true now."""
    text, status = "", 0
    for command, expected in commands(block):
        done = shell(command, status, place)
        status = done.returncode
        said = "\n".join(line.rstrip() for line in done.stdout.strip("\n").splitlines())
        text += f"$ {command}\n"
        text += expected if matches(expected, done.stdout) else TIME.sub("…", said) + "\n" * bool(said)
    return text


def main() -> None:
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            place = furnish(Path(folder))
            for block in blocks(document):
                if block.language == "console":
                    text = text.replace(block.text, refreshed(block, place))
        if text != document.read_text(encoding="utf-8"):
            document.write_text(text, encoding="utf-8")
            print(f"refreshed {document.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
