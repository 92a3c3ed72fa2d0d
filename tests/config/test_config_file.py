"""Configuration files through the real command line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from drano.config.config_file import load_config
from drano.config.settings_text import settings_toml
from drano.model.settings import Config
from tests.conftest import Run

STRIDED = "__global__ void k(float* a) { a[2 * threadIdx.x] = 0; }\n"
ROWS = "__global__ void rows(float* a, int n) { a[n * threadIdx.y + threadIdx.x] = 0; }\n"
EVERYTHING = """\
select = ["DRN"]
extend-select = ["DRN002"]
ignore = ["DRN003"]
exclude = ["generated/", "!keep.cu"]
per-file-ignores = { "old/*.cu" = ["DRN001", "DRN004"] }
domain = "gpudrano"
tid-y = true
block = [16, 16]
pointer-alignment = 128

[compile]
include-dirs = ["inc", "/usr/include"]
defines = ["N=4", 'S="\\u0001é"']
undefines = ["M"]
force-includes = ["first.h"]
std = "c++17"
arch = "sm_80"
cuda-path = "sdk"
compile-commands = "build"
stub-missing-headers = true
flags = ["-isystem", "third", "-DX", "-fno-rtti"]
timeout = 3.5

[rules.DRN001]
min-excess = 2
level = "error"

[[kernels]]
name = "rows*"
block = 64
grid = [10, 2]
values = { n = 512, "odd name" = -1 }
alignment = 32
"""


@pytest.fixture
def strided(tmp_path: Path) -> Path:
    path = tmp_path / "src" / "deep" / "strided.cu"
    path.parent.mkdir(parents=True)
    path.write_text(STRIDED)
    return path


def test_the_nearest_file_wins(drano: Run, strided: Path, tmp_path: Path) -> None:
    assert drano("check", strided).status == 1
    (tmp_path / "drano.toml").write_text('ignore = ["DRN001"]\n')
    assert drano("check", strided).status == 0
    assert drano("check", "src").status == 0
    assert drano("check", "--isolated", strided).status == 1
    # A project file without our table is passed over, however broken; one with it is nearer.
    (tmp_path / "src" / "pyproject.toml").write_text("= no TOML at all\n")
    assert drano("check", strided).status == 0
    (tmp_path / "src" / "pyproject.toml").write_text('[tool.drano]\nselect = ["DRN"]\n')
    assert drano("check", strided).status == 1
    (strided.parent / "drano.toml").write_text('select = ["DRN003"]\n')
    (strided.parent / "pyproject.toml").write_text('[tool.drano]\nselect = ["DRN001"]\n')
    assert drano("check", strided).status == 0


def test_the_command_line_wins_over_the_file(drano: Run, strided: Path, tmp_path: Path) -> None:
    (tmp_path / "drano.toml").write_text('ignore = ["DRN001"]\nselect = ["DRN"]\n')
    assert drano("check", strided).status == 0
    assert drano("check", "--select", "DRN001", strided).status == 1
    assert drano("check", "--extend-select", "DRN001", strided).status == 1
    (tmp_path / "drano.toml").write_text('domain = "gpudrano"\n')
    document = drano("check", "--output-format", "json", strided).stdout
    assert '"domain": "gpudrano"' in document
    document = drano("check", "--domain", "warp", "--output-format", "json", strided).stdout
    assert '"domain": "warp"' in document


def test_each_file_has_its_own_settings(drano: Run, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.cu").write_text(STRIDED)
    (tmp_path / "one" / "drano.toml").write_text('select = ["DRN004"]\n')
    shown = drano("check", "-q", "--output-format", "concise", "one", "two").stdout
    assert [line.split(":")[0] for line in shown.splitlines()] == ["two/a.cu"]


def test_config_names_the_file(drano: Run, strided: Path, tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text('ignore = ["DRN001"]\n')
    assert drano("check", "--config", "other.toml", strided).status == 0
    outcome = drano("check", "--config", "gone.toml", strided)
    assert (outcome.status, len(outcome.error_lines)) == (2, 1)
    assert drano("check", "--config", "other.toml", "--isolated", strided).status == 2


def test_excluded_and_ignored_files(drano: Run, tmp_path: Path) -> None:
    for name in ("src/a.cu", "src/generated/b.cu", "src/old/c.cu"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(STRIDED)
    (tmp_path / "drano.toml").write_text(
        'exclude = ["generated/"]\n[per-file-ignores]\n"/src/old/*.cu" = ["DRN00"]\n'
    )
    shown = drano("check", "-q", "--output-format", "concise", "src").stdout
    assert [line.split(":")[0] for line in shown.splitlines()] == ["src/a.cu"]
    assert drano("check", "src/generated/b.cu").status == 1
    assert drano("check", "src/old/c.cu").status == 0


def test_thresholds_and_levels(drano: Run, strided: Path, tmp_path: Path) -> None:
    config = tmp_path / "drano.toml"
    config.write_text("[rules.DRN001]\nmin-excess = 2.0\n")
    assert drano("check", strided).status == 1
    config.write_text("[rules.DRN001]\nmin-excess = 2.5\n")
    assert drano("check", strided).status == 0
    config.write_text('[rules.DRN001]\nlevel = "note"\n')
    outcome = drano("check", strided)
    assert (outcome.status, "note[DRN001]" in outcome.stdout) == (0, True)
    config.write_text('[rules.DRN001]\nlevel = "error"\n')
    assert drano("check", "--fail-level", "error", strided).status == 1


def test_kernel_hints(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "rows.cu").write_text(ROWS)
    assert drano("check", "rows.cu").status == 0  # blocks of unknown shape: one row a warp
    config = tmp_path / "drano.toml"
    config.write_text('[[kernels]]\nname = "r?ws"\nblock = [2, 64]\nvalues = { n = 1024 }\n')
    outcome = drano("check", "rows.cu")
    assert (outcome.status, "blocks of 2x64 threads" in outcome.stdout) == (1, True)
    config.write_text('[[kernels]]\nname = "rows"\nblock = [2, 64]\nvalues = { n = 2 }\n')
    assert drano("check", "rows.cu").status == 0
    config.write_text('[[kernels]]\nname = "other"\nblock = [8, 8]\n')
    assert drano("check", "rows.cu").status == 0


def test_hints_of_alignment_and_grid(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(
        "__global__ void k(char* a, char* b) {\n"
        "  a[threadIdx.x] = 0;\n"
        "  b[blockIdx.x * 8 + threadIdx.x] = 0;\n}\n"
    )

    def lines() -> list[str]:
        shown = drano("check", "-q", "--output-format", "concise", "a.cu").stdout
        return [line.split(":")[1] for line in shown.splitlines()]

    assert lines() == ["3"]
    config = tmp_path / "drano.toml"
    config.write_text('[[kernels]]\nname = "k"\nalignment = 4\n')
    assert lines() == ["2", "3"]
    config.write_text('[[kernels]]\nname = "k"\nblock = 32\ngrid = 1\n')
    assert lines() == []


def test_launches_in_the_source_win_over_hints(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "rows.cu").write_text(ROWS + "void f(float* a) { rows<<<1, 32>>>(a, 9); }\n")
    (tmp_path / "drano.toml").write_text('[[kernels]]\nname = "rows"\nblock = [8, 8]\n')
    assert drano("check", "rows.cu").status == 0


def test_show_settings_can_be_read_back(drano: Run, strided: Path, tmp_path: Path) -> None:
    (tmp_path / "drano.toml").write_text(EVERYTHING)
    outcome = drano("check", "--show-settings", "--isolated", strided)
    assert (outcome.status, 'domain = "warp"' in outcome.stdout) == (0, True)
    outcome = drano("check", "--show-settings", "src")
    assert outcome.status == 0
    assert outcome.stdout.startswith(f"# {tmp_path}/src: {tmp_path}/drano.toml\n")
    (tmp_path / "again.toml").write_text(outcome.stdout)
    read = load_config(str(tmp_path / "again.toml"))
    assert read == load_config(str(tmp_path / "drano.toml"))
    assert read != Config(root=str(tmp_path))
    assert settings_toml(read) in outcome.stdout


def test_paths_in_files_are_relative_to_the_file(drano: Run, strided: Path, tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "stride.h").write_text("#define STRIDE 2\n")
    strided.write_text('#include "stride.h"\n' + STRIDED.replace("2 *", "STRIDE *"))
    (tmp_path / "drano.toml").write_text('[compile]\ninclude-dirs = ["inc"]\n')
    assert drano("check", "strided.cu", cwd=strided.parent).status == 1


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('selct = ["DRN"]', "unknown key 'selct'; did you mean 'select'?"),
        ("[compile]\ndefine = []", "unknown key 'compile.define'; did you mean 'compile.defines'?"),
        ("[rules.DRN0001]", "unknown key 'rules.DRN0001'; did you mean 'rules.DRN001'?"),
        ("[rules.DRN001]\nmin = 1", "did you mean 'rules.DRN001.min-excess'?"),
        (
            "[[kernels]]\nblok = 3",
            "unknown key 'kernels[0].blok'; did you mean 'kernels[0].block'?",
        ),
        ("[[kernels]]\nblock = 3", "kernels[0]: 'name' is missing"),
        ("[kernels]\nname = 'k'", "kernels: expected an array of tables"),
        ('select = ["DRN777"]', "select: 'DRN777' is not a rule"),
        ("select = 'DRN'", "select: expected a list"),
        ("compile = 3", "compile: expected a table"),
        ("block = [64, 64]", "block: more than 1024 threads per block"),
        ("block = []", "block: expected one to three sizes"),
        ("pointer-alignment = 3", "pointer-alignment: expected a power of two"),
        ("pointer-alignment = true", "pointer-alignment: expected an integer"),
        ("domain = 'lane'", "domain: expected one of warp, gpudrano"),
        ("tid-y = 1", "tid-y: expected true or false"),
        ("[compile]\ntimeout = -1", "compile.timeout: expected a number"),
        ("[compile]\ntimeout = nan", "compile.timeout: expected a number"),
        ("[compile]\nflags = ['-fplugin=evil.so']", "is allowed only on the command line"),
        ("[compile]\nflags = ['-Xclang', '-load']", "is allowed only on the command line"),
        ('[compile]\ninclude-dirs = ["a\\u0000b"]', "without NUL"),
        ("a" * 100_000 + " = 1", "unknown key 'aaaa"),
        ("x = " + "[" * 50_000, "cannot be read as TOML"),
        ("x = 1\nx = 2", "is not TOML: Cannot overwrite a value"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (b" " * (2 << 20), "is not a regular file of less than 1 MB"),
    ],
)
def test_bad_files_are_one_clear_line(
    drano: Run, tmp_path: Path, content: str | bytes, expected: str
) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    data = content if isinstance(content, bytes) else content.encode()
    (tmp_path / "drano.toml").write_bytes(data)
    outcome = drano("check", "a.cu")
    assert outcome.status == 2
    (line,) = outcome.stderr.splitlines()
    assert line.startswith(f"drano: error: {tmp_path}/drano.toml: ")
    assert expected in line
    assert len(line) < 1000
    assert outcome.stdout == ""


def test_a_pipe_is_no_configuration(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    os.mkfifo(tmp_path / "pipe.toml")
    outcome = drano("check", "--config", "pipe.toml", "a.cu", timeout=30)
    assert (outcome.status, len(outcome.error_lines)) == (2, 1)
