"""An instruction is known once: as PTX, as inline PTX, and to a run, it is the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from drano.dynamic.cpu.unit import native_text
from drano.ir.prepare.inline_assembly.inline_ptx import without_inline_ptx
from drano.model.report import FileStatus
from drano.run.driver import check_unit
from drano.support.errors import IRError
from tests.ptx.isa import ACCESSES, BULK, KNOWN, OPAQUE
from tests.views import AS_WRITTEN

_KINDS = {
    "r": ("r", "i32"), "d": ("l", "i64"), "h": ("h", "i16"), "f": ("f", "float"),
    "e": ("d", "double"), "p": ("b", "i1"), "q": ("q", "i128"),
}  # fmt: skip
# What names something beside registers is nothing that an asm may have by itself, and a fragment
# of code does not leave what is around it.
_OWN = re.compile(r"\b(?:table|tile|coef|image|over|p|ret|brkpt|call)\b")
_ALONE = [i for i in KNOWN if not _OWN.search(re.sub(r"%\w+", "", i))]
_NOT_RUN = {"elect.sync %r1|%p1, -1", "mov.u32 %r1, %cluster_ctaid.x", "mov.u32 %r1, %envreg3"} | {
    i for i in _ALONE if i.startswith("wmma.")
}
_VALUES = {"r": "%shared", "h": "0", "f": "0.0", "e": "0.0", "p": "true", "q": "0"}


def asm(instruction: str) -> tuple[str, str]:
    """The parameters of a function, and a call: an ``asm`` that reads and writes the registers."""
    names = list(dict.fromkeys(re.findall(r"%([rdhfepq]\d)\b", instruction)))
    for number, name in enumerate(names):
        instruction = re.sub(rf"%{name}\b", f"${number}", instruction)
    letters, types = zip(*(_KINDS[name[0]] for name in names), strict=True) if names else ((), ())
    constraints = ",".join([*("=" + letter for letter in letters), *map(str, range(len(names)))])
    given = ", ".join(f"{t} %{name}" for name, t in zip(names, types, strict=True))
    whole = "void" if not types else types[0] if len(types) == 1 else f"{{ {', '.join(types)} }}"
    to = "%result = " if types else ""
    return given, f'{to}call {whole} asm sideeffect "{instruction};", "{constraints}"({given})'


def module(instruction: str) -> str:
    """A kernel of all that it reads, which keeps all that it gives."""
    given, call = asm(instruction)
    whole = call.partition(" = call ")[2].partition(" asm ")[0]
    kept = f"  store {whole} %result, ptr %to\n" if whole else ""
    given = ", ".join(filter(None, (given, "ptr %to")))
    head = 'target triple = "nvptx64-nvidia-cuda"\n'
    return f"{head}define ptx_kernel void @k({given}) {{\n  {call}\n{kept}  ret void\n}}\n"


@pytest.mark.parametrize("instruction", _ALONE)
def test_what_is_known_of_ptx_is_known_of_asm(instruction: str) -> None:
    assert " asm " not in without_inline_ptx(module(instruction))


@pytest.mark.parametrize("instruction", OPAQUE + ACCESSES + BULK)
def test_what_is_not_known_of_ptx_is_not_known_of_asm(instruction: str) -> None:
    text = module(instruction)
    assert without_inline_ptx(text) == text


def test_what_is_known_is_run(tmp_path: Path) -> None:
    missing = []
    for instruction in _ALONE:
        try:
            native_text(module(instruction), "unit", path=str(tmp_path))
        except IRError as error:
            missing.append((instruction, error.reason))
    assert {instruction for instruction, _ in missing} == _NOT_RUN, missing


# --- verdicts --------------------------------------------------------------------------------

_ADDRESSED = [
    i
    for i in _ALONE + ACCESSES + BULK
    if "[" in i and not re.search(r"wmma|%r\d.*\[%r1\].*%r1\b.*%r1", i)
]


def _as_ptx() -> str:
    registers = " ".join(
        f".reg .{type_} %{name}<9>;"
        for name, type_ in {"r": "b32", "d": "b64", "h": "b16", "f": "f32", "e": "f64", "p": "pred",
                            "q": "b128"}.items()
    )  # fmt: skip
    shared = "mov.u32 %r8, %tid.x; shl.b32 %r7, %r8, 6; mov.u32 %r6, tile; add.u32 %r6, %r6, %r7;\n"
    shared += "".join(f"mov.u32 %r{k}, %r6;" for k in range(1, 5))
    wide = "ld.param.u64 %d7, [p]; cvt.u64.u32 %d8, %r7; add.u64 %d7, %d7, %d8;\n"
    wide += "".join(f"mov.u64 %d{k}, %d7;" for k in range(1, 5))
    kernels = [
        f".visible .entry k{number}(.param .u64 p) {{\n{registers}\n{shared}\n{wide}\n"
        f"{instruction};\nret;\n}}\n"
        for number, instruction in enumerate(_ADDRESSED)
    ]
    head = ".version 9.0\n.target sm_100a\n.address_size 64\n.shared .align 16 .b8 tile[65536];\n"
    return head + "".join(kernels)


def _as_asm() -> str:
    kernels = []
    for number, instruction in enumerate(_ADDRESSED):
        _, call = asm(instruction)
        call = re.sub(r"i64 %d\d", "ptr %wide", call)
        head, _, given = call.rpartition("(")
        given = re.sub(r"%([rhfepq])\d", lambda m: _VALUES[m[1]], given)
        kernels.append(
            f"define ptx_kernel void @k{number}(ptr %p) {{\n"
            "  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %by = shl i32 %tid, 6\n"
            "  %at = getelementptr i8, ptr addrspace(3) @tile, i32 %by\n"
            "  %far = ptrtoint ptr addrspace(3) %at to i64\n  %shared = trunc i64 %far to i32\n"
            "  %long = zext i32 %by to i64\n  %wide = getelementptr i8, ptr %p, i64 %long\n"
            f"  {head}({given}\n  ret void\n}}\n"
        )
    return (
        'target triple = "nvptx64-nvidia-cuda"\n'
        "@tile = addrspace(3) global [65536 x i8] undef, align 16\n"
        "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" + "".join(kernels)
    )


def _verdicts(path: Path, text: str) -> dict[str, set[tuple[str, ...]]]:
    """Kind, memory, verdict and pattern of the accesses of each instruction."""
    path.write_text(text)
    report = check_unit(str(path), AS_WRITTEN)
    assert report.status is FileStatus.OK, report.diagnostics
    found: dict[str, set[tuple[str, ...]]] = {i: set() for i in _ADDRESSED}
    for access in report.accesses:
        said = access.judgement
        found[_ADDRESSED[int(access.kernel_symbol.removeprefix("k"))]].add(
            (str(access.kind), str(said.space), str(said.verdict), str(said.sectors))
        )
    return found


def test_verdicts_are_the_same(tmp_path: Path) -> None:
    one = _verdicts(tmp_path / "k.ptx", _as_ptx())
    other = _verdicts(tmp_path / "k.ll", _as_asm())
    assert {i: (said, other[i]) for i, said in one.items() if said != other[i]} == {}
    unknown = {i for i, said in one.items() if any("unknown" in verdict for verdict in said)}
    assert unknown >= set(ACCESSES) & set(_ADDRESSED)
