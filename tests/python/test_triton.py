"""Triton's own compiler, and what drano says of what it makes: at the right lines, in its words."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from drano import assert_coalesced, check_triton
from drano.frontend.compiled.triton_cache import at_source
from drano.model.finding import Finding
from drano.model.judgement import Space, Verdict
from drano.run.driver import check
from tests.conftest import Run
from tests.expectations import Expectation, read_expectations
from tests.python import triton_cases
from tests.python.record import KERNELS, RECORDED
from tests.python.triton_cases import CASES, Case

SOURCE = Path(triton_cases.__file__)
ARCHITECTURES = ("sm_80", "sm_90", "sm_100")


def expected(case: Case) -> list[Expectation]:
    """What the comments within the kernel announce."""
    lines = SOURCE.read_text().splitlines()
    first = next(k for k, text in enumerate(lines, 1) if text.startswith(f"def {case.name}("))
    rest = range(first + 1, len(lines) + 1)
    last = next((k for k in rest if lines[k - 1].startswith(("@", "def ", "class "))), len(lines))
    return [e for e in read_expectations(lines, SOURCE) if first <= e.line < last]


def said(finding: Finding) -> str:
    return f"{finding.message} {finding.help}"


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_verdicts_at_the_right_lines(case: Case, arch: str) -> None:
    report = check_triton(
        case.kernel, signature=case.signature, constexprs=case.constexprs, arch=arch, **case.options
    )
    (file,) = report.files
    assert file.path == str(SOURCE)
    found = [f for f in report.findings if f.rule in ("DRN001", "DRN002", "DRN003", "DRN004")]
    wanted = expected(case)
    assert sorted({(f.location.span.line, f.rule) for f in found}) == sorted(
        {(e.line, e.rule) for e in wanted}
    ), [f"{f.location.span}: {f.message}" for f in found]
    for want in wanted:
        here = [f for f in found if f.location.span.line == want.line]
        assert any(want.text in said(finding) for finding in here), [said(f) for f in here]
    unknown = [
        a for a in file.accesses
        if a.judgement.space is Space.GLOBAL and a.judgement.verdict is Verdict.UNKNOWN
    ]  # fmt: skip
    gathers = {e.line for e in wanted if e.rule == "DRN003"}
    assert {a.location.span.line for a in unknown} <= gathers | _loaded_rows(case)


def _loaded_rows(case: Case) -> set[int]:
    """Lines of rows at places that were loaded: some of their lanes lie together."""
    if case.name != "gather_rows":
        return set()
    lines = SOURCE.read_text().splitlines()
    return {k for k, text in enumerate(lines, 1) if "places[:, None]" in text}


def test_words_are_tritons() -> None:
    case = next(case for case in CASES if case.name == "strided")
    report = check_triton(case.kernel, signature=case.signature, constexprs=case.constexprs)
    (finding,) = report.findings
    assert "`x + offsets * 32`" in finding.message
    assert "tl.arange" in finding.help
    assert finding.help.endswith("a thread 4 and a warp 128 of its 1024 elements")
    line = SOURCE.read_text().splitlines()[finding.location.span.line - 1]
    call = line[finding.location.span.column - 1 : finding.end_column - 1]
    assert call == "tl.load(x + offsets * 32)"
    assert "threadIdx" not in str(finding)
    assert "blockIdx" not in str(finding)


def test_num_warps_is_the_block() -> None:
    case = CASES[0]
    report = check_triton(
        case.kernel, signature=case.signature, constexprs=case.constexprs, num_warps=8
    )
    (launch,) = report.files[0].kernels[0].launches
    assert launch.block == (256, 1, 1)
    assert launch.exact


@pytest.mark.parametrize(
    ("signature", "constexprs", "message"),
    [
        ({"x": "*fp32"}, {"BLOCK": 8}, "needs a type or a value for y, out, n"),
        ({"z": "*fp32"}, {"BLOCK": 8}, "has no parameter z"),
        (CASES[0].signature | {"n": "int 32"}, {"BLOCK": 8}, "no type of Triton's: n='int 32'"),
        (CASES[0].signature, {"BLOCK": 8, "n": 1}, "both a type and a value for n"),
    ],
)
def test_signatures_that_do_not_fit(
    signature: dict[str, str], constexprs: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match="add") as caught:
        check_triton(triton_cases.add, signature=signature, constexprs=constexprs)
    assert message in str(caught.value)


def test_kernels_from_the_cache_of_a_copy() -> None:
    llir = (
        '!1 = !DIFile(filename: "k.py", directory: "/old")\n'
        '!2 = !DIFile(filename: "tl.py", directory: "/triton")\n'
        '!4 = distinct !DISubprogram(name: "add", linkageName: "add", scope: !1, file: !1)\n'
    )
    moved = at_source(llir, "add", "/new/here.py")
    assert '!1 = !DIFile(filename: "here.py", directory: "/new")' in moved
    assert '!2 = !DIFile(filename: "tl.py", directory: "/triton")' in moved
    assert at_source(llir, "sub", "/new/here.py") == llir


def test_what_is_no_kernel_or_no_gpu() -> None:
    with pytest.raises(ValueError, match="no Triton kernel"):
        check_triton(print, signature={})
    case = CASES[0]
    with pytest.raises(ValueError, match="unknown GPU architecture"):
        check_triton(
            case.kernel, signature=case.signature, constexprs=case.constexprs, arch="gfx942"
        )


def test_as_assertions() -> None:
    good, bad = CASES[0], CASES[1]
    assert_coalesced(good.kernel, signature=good.signature, constexprs=good.constexprs)
    with pytest.raises(AssertionError) as caught:
        assert_coalesced(bad.kernel, signature=bad.signature, constexprs=bad.constexprs)
    assert "x + offsets * 32" in str(caught.value)
    assert "value = tl.load(x + offsets * 32)" in str(caught.value)


def test_a_cache_directory(tmp_path: Path, drano: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path / "cache"
    monkeypatch.setenv("TRITON_CACHE_DIR", str(cache))
    source = tmp_path / "mine.py"
    shutil.copy(SOURCE, source)
    copied = __import__("importlib.util", fromlist=["util"])
    spec = copied.spec_from_file_location("mine", source)
    module = copied.module_from_spec(spec)
    __import__("sys").modules["mine"] = module
    spec.loader.exec_module(module)
    case = next(case for case in module.CASES if case.name == "strided")
    check_triton(case.kernel, signature=case.signature, constexprs=case.constexprs)
    (path,) = cache.rglob("*.llir")
    report = check([str(cache)])
    assert [Path(file.path) for file in report.files] == [path]
    shown = drano("check", cache)
    assert shown.status == 1
    assert "mine.py" in shown.stdout
    assert "value = tl.load(x + offsets * 32)" in shown.stdout  # below the working directory
    (path.with_suffix(".ttgir")).unlink()
    assert len(check([str(path)]).findings) == 1


@pytest.mark.parametrize("version", sorted(p.name for p in RECORDED.iterdir()))
@pytest.mark.parametrize("name", KERNELS)
def test_older_versions(version: str, name: str) -> None:
    case = next(case for case in CASES if case.name == name)
    (file,) = check([str(RECORDED / version / f"{name}.llir")]).files
    assert [info.name for info in file.kernels] == [name]
    assert file.kernels[0].launches[0].block == (128, 1, 1)
    found = {(f.location.span.line, f.rule) for f in file.findings}
    wanted = expected(case)
    # Older versions give a call of several lines the place of its first argument.
    assert {rule for _, rule in found} == {e.rule for e in wanted}
    assert all(any(0 <= line - e.line <= 1 for e in wanted) for line, _ in found)
    spaces = [a.judgement for a in file.accesses if a.judgement.space is Space.GLOBAL]
    assert spaces
    assert not any(judgement.verdict is Verdict.UNKNOWN for judgement in spaces)
