"""What became of each access of the source, told by the marks that an optimiser carries along."""

from __future__ import annotations

import re
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from drano.analysis.access_sites import memory_sites
from drano.analysis.unseen_accesses import unseen_accesses
from drano.frontend.clang import compile_unit
from drano.ir.prepare.compiled import optimise
from drano.ir.prepare.passes import PreparedModule, prepare
from drano.ir.prepare.source_marks import with_marks
from drano.ir.read.reader import read_module
from drano.model.report import FileReport
from drano.model.settings import AnalysisOptions, CompileOptions, Config, View
from drano.run.driver import check_unit

ROOT = Path(__file__).parents[2]
SOURCES = sorted(
    path for folder in ("tests/cases", "examples") for path in (ROOT / folder).rglob("*.cu")
)
METADATA = re.compile(r"(?:, ![\w.]+ !\d+)+|metadata !\d+| !dbg !\d+|, !\S+ !\{\}")
ACCESSES = {"load", "store", "atomicrmw", "cmpxchg"}
NO_ACCESS = re.compile(
    r"llvm\.(?:nvvm\.barrier|nvvm\.membar|nvvm\.shfl|nvvm\.vote|nvvm\.mapa|nvvm\.isspacep|nvvm\.fence|assume"
    r"|nvvm\.match|nvvm\.redux|nvvm\.activemask|nvvm\.mbarrier|nvvm\.cp\.async\.(?:wait|commit"
    r"|mbarrier)|nvvm\.read|nvvm\.exit|nvvm\.nanosleep|nvvm\.tex|nvvm\.suld|nvvm\.sust|lifetime"
    r"|trap|stack|nvvm\.wmma\.\S*mma|nvvm\.mma|experimental\.noalias|prefetch|nvvm\.prefetch)"
    r"|malloc|free|vprintf|__nv|cuda|__assert|drano"
)


def _report(tmp_path: Path, body: str, view: View = View.COMPILED) -> FileReport:
    path = tmp_path / "k.cu"
    path.write_text(
        "__global__ void k(float4 *v, float *f, float *g, int n) {\n"
        f"  int t = threadIdx.x; {body}\n}}\n"
    )
    return check_unit(str(path), Config(analysis=AnalysisOptions(view=view)), None)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("f[t] = 1;", ["store own"]),
        ("f[t] = v[t].x + v[t].y + v[t].z + v[t].w;", ["load merged 4", "store own"]),
        ("f[t] = f[t + 9] + f[t + 9];", ["load shared", "store own"]),
        ("f[t] = g[t + 9] + 1; g[t] = f[t + 1] + g[t + 9];", ["load own", "load own", "load own",
                                                           "store own", "store own"]),
        ("float s = 0; for (int k = 0; k < n; ++k) s += g[3] * k; f[t] = s;",
         ["load moved", "store own"]),
        ("for (int k = 0; k < 3; ++k) f[t + 32 * k] = 0;", 3 * ["store copied 3"]),
        ("float4 x; x.x = f[t]; x.y = n; x.z = 0; x.w = 1; v[t] = x;",
         ["load own", "store merged 4"]),
    ],
)  # fmt: skip
def test_what_became_of_accesses(tmp_path: Path, body: str, told: list[str]) -> None:
    report = _report(tmp_path, body)
    said = []
    for access in report.accesses:
        assert access.origin is not None
        fate = f"{access.kind} {access.origin.fate}"
        if access.origin.copies > 1:
            fate += f" {access.origin.copies}"
        if access.bytes > access.origin.written_bytes:
            fate += f" {access.bytes // access.origin.written_bytes}"
        said.append(fate)
    assert sorted(said) == sorted(told)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("f[t] = n; g[t] = f[t];", [("load", "f[t]", False)]),
        ("f[t] = 1; f[t] = 2;", [("store", "f[t]", False)]),
        ("float x = g[t]; f[t] = 0;", [("load", "g[t]", False)]),
        ("if (n < n) f[t] = 1;", [("store", "f[t]", False)]),
        ("float a[2]; for (int k = 0; k < 2; ++k) a[k] = g[t + k]; f[t] = a[0] + a[1];",
         [("store", "a[k]", True), ("load", "a[0]", True), ("load", "a[1]", True)]),
    ],
)  # fmt: skip
def test_what_nothing_is_left_of(
    tmp_path: Path, body: str, told: list[tuple[str, str, bool]]
) -> None:
    removed = _report(tmp_path, body).removed
    assert len(removed) == len(told)
    for access, (kind, text, private) in zip(removed, told, strict=True):
        assert access.kind.startswith(kind)
        assert access.text.startswith(text)
        assert access.private is private


def test_parts_are_the_places_of_the_source(tmp_path: Path) -> None:
    report = _report(tmp_path, "float s = v[t].x;\n  s += v[t].y\n  + v[t].z + v[t].w; f[t] = s;")
    load = next(access for access in report.accesses if access.bytes == 16)
    assert load.origin is not None
    assert [part.line for part in load.origin.parts] == [2, 3, 4, 4]


def test_accesses_as_written_come_from_nowhere_else(tmp_path: Path) -> None:
    report = _report(tmp_path, "f[t] = 1; f[t] = 2;", View.WRITTEN)
    assert [access.origin for access in report.accesses] == [None, None]
    assert not report.removed


def _prepared(path: Path, view: View) -> PreparedModule:
    flags = ("-funroll-loops",) if view is View.COMPILED else ()
    unit = compile_unit(str(path), CompileOptions(flags=flags), partial=True)
    assert unit.ir is not None
    return prepare(unit.ir, str(path), trusted=True, printed=True, view=view)


@pytest.fixture(scope="module", params=SOURCES, ids=lambda path: path.stem)
def written(request: pytest.FixtureRequest) -> tuple[Path, PreparedModule]:
    """A source, and its code as written: tests of one source come one after the other."""
    return request.param, _prepared(request.param, View.WRITTEN)


def test_marks_change_nothing_of_the_code(written: tuple[Path, PreparedModule]) -> None:
    text = str(written[1].module)
    codes = []
    for given in (text, with_marks(text)):
        module = llvm.parse_assembly(given, llvm.create_context())
        optimise(module, "sm_90")
        codes.append(
            [
                METADATA.sub("", line)
                for line in str(module).splitlines()
                if line.startswith(("  ", "define")) and "#dbg" not in line
            ]
        )
    assert codes[0] == codes[1]


@pytest.mark.parametrize("view", View)
def test_no_access_is_absent(written: tuple[Path, PreparedModule], view: View) -> None:
    """LLVM's own opcodes, counted beside the sites that the analyses judge."""
    path, prepared = written
    if view is View.COMPILED:
        prepared = _prepared(path, view)
    module = read_module(prepared)
    for walked in prepared.module.functions:
        function = module.functions.get(walked.name)
        if function is None or not function.blocks:
            continue
        sites = {index for site in memory_sites(function) for index in site.instructions}
        unseen = list(unseen_accesses(function, module.functions, 0, {}))
        told = sites | {index for each in unseen for index in each.site.instructions}
        places = {each.site.location for each in unseen}
        for block, seen in zip(walked.blocks, function.blocks, strict=True):
            for instruction, ours in zip(block.instructions, seen.instructions, strict=True):
                text = str(instruction)
                if instruction.opcode in ACCESSES or _may_access(text, module.functions):
                    # one place of several copies is told once
                    assert ours.index in told or ours.location in places, text


def _may_access(text: str, defined: object) -> bool:
    call = re.search(r"call [^@(]*@(\"[^\"]*\"|[\w.$]+)\(.*\bptr\b", text)
    if call is None or NO_ACCESS.match(call[1]):
        return False
    assert isinstance(defined, dict)
    return call[1] not in defined
