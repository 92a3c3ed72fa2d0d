"""``drano fix`` and ``drano check --fix`` on files."""

from __future__ import annotations

import gc
import subprocess
from pathlib import Path

import pytest
from rich.text import Text

from tests.fix.test_pad_shared_array import SOURCE
from tests.warm_cli import main

FIXED = SOURCE.replace("[SIDE][SIDE]", "[SIDE][SIDE + 1]")


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "k.cu"
    path.write_text(SOURCE)
    return path


def test_fix_writes_what_is_proved(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fix", "k.cu"]) == 0
    assert source.read_text() == FIXED
    said = capsys.readouterr().err
    assert "k.cu:9: pad-shared-array: pad the rows of tile by 1 (128 → 4 wavefronts)" in said
    assert "Made 1 fix." in said
    assert main(["fix", "k.cu"]) == 0
    assert source.read_text() == FIXED


@pytest.mark.parametrize("name", ["k.cu", "."])
def test_links_to_outside_are_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    outside, repository = tmp_path / "outside", tmp_path / "repository"
    outside.mkdir()
    (outside / "own.cu").write_text(SOURCE)
    repository.mkdir()
    (repository / "k.cu").symlink_to("../outside/own.cu")
    (repository / "more").symlink_to("../outside")
    (repository / "within.cu").write_text(SOURCE)
    monkeypatch.chdir(repository)
    for path in (name, "more/own.cu"):
        main(["fix", path, "within.cu"])
    assert (outside / "own.cu").read_text() == SOURCE
    assert (repository / "within.cu").read_text() == FIXED
    assert main(["fix", str(outside / "own.cu")]) == 0  # who names it means it
    assert (outside / "own.cu").read_text() == FIXED


def test_links_to_outside_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    outside, repository = tmp_path / "outside", tmp_path / "repository"
    outside.mkdir()
    (outside / "own.cu").write_text(SOURCE)
    repository.mkdir()
    (repository / "k.cu").symlink_to("../outside/own.cu")
    monkeypatch.chdir(repository)
    main(["fix", "."])
    (line,) = (text for text in capsys.readouterr().err.splitlines() if "skipped" in text)
    assert line == (
        "drano: skipped 1 file with findings outside of this directory: "
        "k.cu (a link to ../outside/own.cu)"
    )


def test_diff_writes_nothing_and_is_a_patch(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fix", "k.cu", "--diff"]) == 1
    patch = capsys.readouterr().out
    assert source.read_text() == SOURCE
    subprocess.run(["git", "apply", "-"], input=patch.encode(), cwd=source.parent, check=True)
    assert source.read_text() == FIXED
    assert main(["check", "k.cu", "--fix", "--diff"]) == 0
    assert capsys.readouterr().out == ""


def test_a_patch_for_a_terminal_is_in_colours(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source.write_text(SOURCE.replace("__global__", "// \x1b[2J\n__global__", 1))
    assert main(["fix", "k.cu", "--diff"]) == 1
    plain = capsys.readouterr().out
    assert main(["fix", "k.cu", "--diff", "--color", "always"]) == 1
    shown = capsys.readouterr().out
    assert Text.from_ansi(shown).plain.split() == plain.replace("\x1b", "␛").split()
    added = [line for line in plain.splitlines() if line.startswith("+")]
    assert all(f"\x1b[32m{line}\x1b[0m" in shown for line in added[1:])
    assert "\x1b[2J" not in shown


def test_check_with_fix_reports_what_is_left(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "k.cu"]) == 1
    capsys.readouterr()
    assert main(["check", "k.cu", "--fix"]) == 0
    assert source.read_text() == FIXED
    assert "DRN101" not in capsys.readouterr().out


def test_a_check_leaves_the_collector_as_it_was(source: Path) -> None:
    """libclang's trees hang in circles: a process that went on without it would keep them all."""
    assert main(["check", "k.cu"]) == 1
    assert gc.isenabled()


def test_unsafe_fixes_are_made_only_when_asked_for(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unknown = SOURCE.replace("int main() { k<<<32, dim3(32, 8)>>>(nullptr, nullptr); }", "")
    source.write_text(unknown)
    assert main(["fix", "k.cu", "--no-cache"]) == 0
    assert source.read_text() == unknown
    assert "1 more with --unsafe-fixes" in capsys.readouterr().err
    assert main(["fix", "k.cu", "--unsafe-fixes"]) == 0
    assert "[SIDE + 1]" in source.read_text()
    assert "unsafe: not proved that `" in capsys.readouterr().err


def test_a_silenced_finding_is_left_alone(source: Path) -> None:
    silenced = SOURCE.replace(
        "threadIdx.y + j];\n", "threadIdx.y + j];  // drano: ignore[DRN101]\n"
    )
    source.write_text(silenced)
    assert main(["fix", "k.cu"]) == 0
    assert source.read_text() == silenced


def test_bad_input_is_one_line(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source.write_text("__global__ void k( {")
    assert main(["fix", "k.cu", "-q"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert main(["fix", "none.cu", "-q"]) == 2
    assert main(["check", "-", "--fix"]) == 2
