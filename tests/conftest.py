"""Fixtures for all tests: the real command line, in a process of its own or in this one."""

from __future__ import annotations

import base64
import gc
import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from msgspec import Struct

from tests.lsp.warm_server import SERVER
from tests.warm_cli import CLI, WarmCli, environment, same_start

# Machines that run the tests may be busy: how long an example takes says nothing about it.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")

# Where the tests run in the background of a shell, SIGINT is ignored; children would inherit that,
# and some tests interrupt theirs.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The tests start Python some thousand times: without its bytecode a start takes twice as long.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

ROOT = Path(__file__).resolve().parent.parent


def report_schema() -> dict[str, Any]:
    """The JSON schema of JSON reports."""
    path = ROOT / "drano" / "output" / "formats" / "schema.json"
    parsed: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return parsed


def unpacked(text: str) -> list[str]:
    """Fragments of an HTML report, as a browser unpacks them."""
    parts: list[str] = json.loads(gzip.decompress(base64.b64decode(text)))
    return parts


def pytest_collection_finish() -> None:
    """What was collected stays, some hundred thousand objects: looking through them for garbage,
    again and again, took a fifth of the time of tests in this process.
    """
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    """Libraries that look at what is left when Python ends find no leaks that are none."""
    gc.unfreeze()


class Outcome(Struct, frozen=True):
    status: int
    stdout: str
    stderr: str

    @property
    def error_lines(self) -> list[str]:
        return [line for line in self.stderr.splitlines() if line.startswith("drano: error: ")]


Run = Callable[..., Outcome]


@pytest.fixture(scope="session", autouse=True)
def warm_cli() -> Iterator[WarmCli]:
    """Starts when it is first asked, for whoever asks, and ends with the session."""
    yield CLI
    CLI.close()
    SERVER.close()


@pytest.fixture
def drano(tmp_path: Path, warm_cli: WarmCli) -> Run:
    """Runs `drano …` in an empty directory, as a user would; fails the test on a traceback."""

    def run(*arguments: str | Path, cwd: Path = tmp_path, timeout: float = 120.0) -> Outcome:
        variables = environment()
        if same_start(variables):
            given = [str(argument) for argument in arguments]
            outcome = Outcome(*warm_cli.run(given, cwd, variables, timeout))
            assert "Traceback" not in outcome.stderr, outcome.stderr
            return outcome
        completed = subprocess.run(
            [sys.executable, "-m", "drano", *map(str, arguments)],
            cwd=cwd,
            env=variables,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=timeout,
            check=False,
        )
        assert "Traceback" not in completed.stderr, completed.stderr
        return Outcome(completed.returncode, completed.stdout, completed.stderr)

    return run
