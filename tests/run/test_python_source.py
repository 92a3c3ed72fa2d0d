"""Python sources through the driver: what fails takes nothing with it, and places are right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from drano.model.report import FileReport, FileStatus
from drano.model.settings import Config
from drano.run.driver import check, check_unit
from drano.triage.python_comments import lines_within_strings
from tests.conftest import Run

BAD = "a[threadIdx.x * 2] = 0;"


def checked(tmp_path: Path, source: str) -> FileReport:
    path = tmp_path / "k.py"
    path.write_text(source, encoding="utf-8")
    return check_unit(str(path), Config())


@pytest.mark.parametrize(
    "source",
    [
        f'k = RawKernel(r"""\n__global__ void k(float* a) {{\n  {BAD}\n}}\n""", "k")\n',
        f"k = RawKernel('__global__ void k(float* a) {{\\n {BAD} }}', 'k')\n",
        f"é = 'é'; k = RawKernel('/* é */ __global__ void k(float* a) {{ {BAD} }}', 'k')\n",
        f"k = RawKernel('__global__ void k(float* a) {{'\n              '\\t{BAD} }}', 'k')\n",
        "N = 2\nRawKernel(f'__global__ void k(float* a) {{ a[threadIdx.x * {N}] = 0; }}', 'k')",
    ],
)  # fmt: skip
def test_findings_are_where_they_stand(tmp_path: Path, source: str) -> None:
    report = checked(tmp_path, source)
    (finding,) = report.findings
    span = finding.location.span
    line = source.encode().split(b"\n")[span.line - 1]
    text = line[span.column - 1 : finding.end_column - 1]
    assert text in (b"a[threadIdx.x * 2]", b"a[threadIdx.x * {N}]")


def test_one_that_does_not_compile_leaves_the_others(tmp_path: Path) -> None:
    source = f"""
a = RawKernel("__global__ void a(float* a) {{ {BAD} }}", "a")
b = RawKernel("__global__ void b(float* a) {{ nothing }}", "b")
"""
    report = checked(tmp_path, source)
    assert report.status is FileStatus.OK
    assert [f.location.span.line for f in report.findings] == [2]
    (lost,) = report.not_analysed
    assert lost.cause.line == 3


def test_all_that_fails_fails_the_file(tmp_path: Path) -> None:
    report = checked(tmp_path, 'b = RawKernel("__global__ void b( { }", "b")\n')
    assert report.status is FileStatus.ERROR
    assert report.diagnostics[0].line == 1


def test_sources_without_cuda(tmp_path: Path) -> None:
    report = checked(tmp_path, "print('hello')\n")
    assert [d.message for d in report.diagnostics] == ["no CUDA source in this file"]
    broken = checked(tmp_path, "def RawKernel(:\n")
    assert broken.status is FileStatus.ERROR
    assert "not Python" in broken.diagnostics[0].message


def test_nothing_of_a_source_is_run(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    source = f"open({str(mark)!r}, 'w')\nk = RawKernel(f'{{open({str(mark)!r})}}__global__', 'k')\n"
    checked(tmp_path, source)
    assert not mark.exists()


def test_directories(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(f'RawKernel("__global__ void k(float* a) {{ {BAD} }}", "k")\n')
    (tmp_path / "b.py").write_text("print(1)\n")
    (tmp_path / "c.py").mkdir()
    report = check([str(tmp_path)])
    assert [Path(file.path).name for file in report.files] == ["a.py"]
    assert len(report.findings) == 1


def test_comments_silence_in_both_languages(tmp_path: Path) -> None:
    source = f'''# it's drano: not a word to it
k = RawKernel(r"""
__global__ void k(float* a) {{
  {BAD}  // drano: ignore[DRN001] small
}}
""", "k")
j = RawKernel("__global__ void j(float* a) {{ {BAD} }}", "j")  # drano: ignore[DRN001] rare
'''
    (tmp_path / "k.py").write_text(source)
    report = check([str(tmp_path / "k.py")])
    assert [f.suppressed for f in report.findings] == ["small", "rare"]


def test_ignores_are_added_as_each_line_needs(tmp_path: Path, drano: Run) -> None:
    source = f'''k = RawKernel(r"""
__global__ void k(float* a) {{
  {BAD}
}}
""", "k")
j = RawKernel("__global__ void j(float* a) {{ {BAD} }}", "j")
'''
    path = tmp_path / "k.py"
    path.write_text(source)
    assert drano("check", path, "--add-ignore", "old").stdout == "Ignored 2 findings.\n"
    lines = path.read_text().split("\n")
    assert lines[2].endswith("// drano: ignore[DRN001] old")
    assert lines[5].endswith('"j")  # drano: ignore[DRN001] old')
    assert drano("check", path).status == 0
    assert lines_within_strings(source.encode()) == {1, 2, 3, 4}


def test_reports_for_machines(tmp_path: Path, drano: Run) -> None:
    path = tmp_path / "k.py"
    path.write_text(f'RawKernel("__global__ void k(float* a) {{ {BAD} }}", "k")\n')
    report = json.loads(drano("check", path, "--format", "json").stdout)
    assert report["findings"][0]["line"] == 1
    sarif = json.loads(drano("check", path, "--format", "sarif").stdout)
    (result,) = sarif["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 1


def test_from_stdin(tmp_path: Path) -> None:
    source = f'RawKernel("__global__ void k(float* a) {{ {BAD} }}", "k")\n'
    path = str(tmp_path / "unsaved.py")
    (file,) = check([path], texts={path: source}).files
    assert [f.location.span.line for f in file.findings] == [1]


def test_halves_of_characters_are_in_no_file(tmp_path: Path) -> None:
    report = checked(
        tmp_path, f"k = RawKernel('/* \\ud800 */ __global__ void k(float* a) {{ {BAD} }}', 'k')"
    )
    (finding,) = report.findings
    assert finding.location.span.line == 1
