"""What all tests share: where the repository is, and the shared data when it is there."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parent.parent

pytest_plugins = ["tests.explain.pages"]  # one browser for all pages: two drivers in one process do not go together

# No timing in a test: on a busy machine Hypothesis would complain that it is slow.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture
def heeds_ctrl_c() -> Iterator[None]:
    """Programs started meanwhile heed Ctrl-C, even where the tests run in the background and ignore it themselves."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@contextmanager
def ended(program: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    """A program that does not outlive its test, whatever the test finds."""
    with program:
        try:
            yield program
        finally:
            program.kill()


def shared_data() -> Path | None:
    """The folder of real histories: LINPOINT_DATA, or ../shared/data beside the repository."""
    folder = Path(os.environ.get("LINPOINT_DATA") or ROOT.parent / "shared" / "data")
    return folder if folder.is_dir() else None
