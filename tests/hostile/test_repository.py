"""Nothing of a hostile repository is run, nothing outside of it read, and no command hangs."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from drano.config.arguments import parse, settings_from
from drano.model.report import FileStatus
from drano.run.driver import check
from tests.conftest import ROOT
from tests.hostile.repository import SECRET, Ended, Hostile, Watch, hostile, run
from tests.lsp.editor import editing

MOST = 2 << 30
LIMITED = ("--timeout", "5")
BRIEFLY = ("--timeout", "1")
"""Where what never ends has to be given up, and nothing else is waited for."""


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Hostile:
    return hostile(tmp_path_factory.mktemp("hostile"))


def harmless(stranger: Hostile, ended: Ended) -> None:
    """What has to hold of each command."""
    assert not stranger.ran.exists()
    assert SECRET not in ended.stdout + ended.stderr
    assert ended.memory < MOST
    assert "Traceback" not in ended.stderr
    assert "internal error" not in ended.stderr
    assert all(len(line) < 500 for line in ended.stderr.splitlines())


@pytest.mark.parametrize("form", ["full", "json", "sarif", "html", "gitlab"])
def test_check(stranger: Hostile, form: str) -> None:
    files = [f"line{number}.cu" for number in range(4)]
    ended = run(stranger.root, "check", *LIMITED, "--output-format", form, *files)
    harmless(stranger, ended)
    assert ended.status == 1, ended.stderr
    assert "DRN001" in ended.stdout


def test_includes_without_an_end(stranger: Hostile) -> None:
    files = [f"host{number}.cu" for number in range(4)]
    ended = run(stranger.root, "check", *BRIEFLY, *files)
    harmless(stranger, ended)
    assert ended.seconds < 40


def test_patterns(stranger: Hostile) -> None:
    ended = run(stranger.root, "check", *BRIEFLY, ".", "--ignore", "DRN501", limit=180)
    harmless(stranger, ended)


@pytest.mark.parametrize("name", ["pipe", "zero", "/dev/zero", "drano.toml", "."])
@pytest.mark.parametrize(
    "command",
    [
        ("report",), ("report", "--format", "html"), ("profile", "import-ncu"),
        ("check", "line0.cu", "--profile"), ("check", "line0.cu", "--baseline"),
        ("check", "line0.cu", "--config"), ("diff", "profile.json"), ("check",),
        ("check", "line0.cu", "--compile-commands"),
    ],
)  # fmt: skip
def test_files_that_are_none(stranger: Hostile, command: tuple[str, ...], name: str) -> None:
    if (command, name) in {(("check",), "."), (("check", "line0.cu", "--config"), "drano.toml")}:
        return  # which are in order
    ended = run(stranger.root, *command, name, limit=40)
    harmless(stranger, ended)
    assert ended.status == 2
    assert len(ended.stderr.splitlines()) <= 2
    assert "drano: error: " in ended.stderr


def test_what_profiles_name(stranger: Hostile) -> None:
    ended = run(stranger.root, "report", "--format", "html", "profile.json")
    harmless(stranger, ended)
    assert ended.status == 0


@pytest.mark.parametrize("option", [("--baseline-commit", "HEAD"), ("--diff-only",)])
def test_git(stranger: Hostile, option: tuple[str, ...]) -> None:
    ended = run(
        stranger.root, "check", "--isolated", *LIMITED, *option, "line0.cu", "a" * 200 + ".cu"
    )
    harmless(stranger, ended)
    assert ended.status in {0, 1}, ended.stderr
    assert "line0" not in ended.stdout


def test_a_baseline_is_written(stranger: Hostile, tmp_path: Path) -> None:
    written = tmp_path / "known.json"
    ended = run(stranger.root, "check", *LIMITED, "--write-baseline", written, "line0.cu")
    harmless(stranger, ended)
    assert SECRET not in written.read_text()


def test_an_editor(stranger: Hostile) -> None:
    async def scenario() -> int:
        options = {"arguments": ["--timeout", "2"]}
        async with editing(stranger.root, options=options, cold=True) as editor:
            watch = Watch(editor.server_pid)
            for name in ("line0.cu", "line1.cu", "line3.cu", "host3.cu"):
                text = (stranger.root / name).read_text()
                uri = editor.open(stranger.root / name, text)
                said = await editor.pushed(uri)
                assert SECRET not in str(said)
                assert SECRET not in await editor.hover(uri, 1, 32)
                editor.close(uri)
            return watch.end()

    assert asyncio.run(scenario()) < MOST
    assert not stranger.ran.exists()


def test_a_repository_names_headers_not_programs(stranger: Hostile, tmp_path: Path) -> None:
    unit = str(stranger.root / "line0.cu")

    def chosen(*arguments: str) -> tuple[str | None, str | None]:
        options = settings_from(parse(["check", unit, *arguments]))(unit).compile
        return options.cuda_path, options.tools_path

    sdk, own = str(stranger.root / "sdk"), str(tmp_path)
    assert chosen() == (sdk, None)
    assert chosen("--trust") == (sdk, sdk)
    assert chosen("--cuda-path", own) == (own, own)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DRANO_TRUST", str(stranger.root.parent))
        assert chosen() == (sdk, sdk)
        patch.setenv("DRANO_TRUST", str(tmp_path))
        assert chosen() == (sdk, None)


@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0", "192.0.2.1:9"])
def test_the_server_listens_on_this_machine_only(tmp_path: Path, address: str) -> None:
    ended = run(tmp_path, "lsp", "--tcp", address, limit=30)
    assert ended.status == 2
    assert len(ended.stderr.splitlines()) == 1


def test_output_that_takes_nothing(stranger: Hostile) -> None:
    said = _shell(stranger, "check --isolated line0.cu >/dev/full")
    assert said == ["drano: error: output: No space left on device"]
    assert _shell(stranger, "check --isolated line0.cu >&-") == ["drano: error: stdout is closed"]


def _shell(stranger: Hostile, command: str) -> list[str]:
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m drano {command}"],
        cwd=stranger.root,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    return done.stderr.splitlines()


def test_a_directory_that_cannot_be_read_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "closed").mkdir()
    (tmp_path / "k.cu").write_text("__global__ void k(float* a) { a[threadIdx.x] = 1; }\n")
    listed = os.scandir

    def scandir(path: str) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", path)
        return listed(path)

    monkeypatch.setattr("os.scandir", scandir)
    report = check([str(tmp_path)])
    assert [(Path(f.path).name, f.status is FileStatus.OK) for f in report.files] == [
        ("k.cu", True),
        ("closed", False),
    ]


def test_git_would_have_run_it(stranger: Hostile) -> None:
    """That the repository is hostile indeed; the last test, as it leaves its mark."""
    subprocess.run(["git", "status"], cwd=stranger.root, capture_output=True, check=False)
    subprocess.run(["git", "diff", "HEAD"], cwd=stranger.root, capture_output=True, check=False)
    assert stranger.ran.exists()
    assert json.loads((stranger.root / "profile.json").read_text())["sites"]
