"""What all tests share: where the repository is, and the shared data when it is there."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


def shared_data() -> Path | None:
    """The folder of real histories: LINPOINT_DATA, or ../shared/data beside the repository."""
    folder = Path(os.environ.get("LINPOINT_DATA") or ROOT.parent / "shared" / "data")
    return folder if folder.is_dir() else None
