"""Every instruction of the ISA: translated, opaque, or an unknown access with its line."""

from __future__ import annotations

from pathlib import Path

import llvmlite.binding as llvm
import pytest

from drano.model.judgement import Verdict
from drano.model.report import FileStatus
from drano.model.settings import AnalysisOptions, Config, View
from drano.ptx import translate
from drano.run.driver import check_unit
from tests.ptx.isa import ACCESSES, BULK, KNOWN, OPAQUE, module

WRITTEN = Config(analysis=AnalysisOptions(view=View.WRITTEN))


def body(instruction: str) -> str:
    """The IR of its kernel, which LLVM takes."""
    ir = translate(module(instruction), "/x/k.ptx")
    llvm.parse_assembly(ir, llvm.create_context()).verify()
    return ir[ir.index("@k(") :]


@pytest.mark.parametrize("instruction", KNOWN)
def test_known_instructions_are_instructions_of_llvm(instruction: str) -> None:
    assert " asm " not in body(instruction)


@pytest.mark.parametrize("instruction", OPAQUE + ACCESSES + BULK)
def test_all_others_stay_as_they_are(instruction: str) -> None:
    opcode = instruction.split(maxsplit=1)[0]
    assert f'"{opcode}' in body(instruction)


def unknown_lines(text: str, path: Path) -> set[int]:
    """Lines of accesses of which nothing is known."""
    path.write_text(text)
    report = check_unit(str(path), WRITTEN)
    assert report.status is FileStatus.OK, report.diagnostics
    return {
        access.location.span.line
        for access in report.accesses
        if access.judgement.verdict is Verdict.UNKNOWN
    }


def together(instructions: list[str]) -> tuple[str, int]:
    """One module with all of them, and the line of the first."""
    text = module("// here", line=20)
    return text.replace("// here;", ";\n".join(instructions) + ";"), 20


def test_accesses_that_are_not_followed_are_unknown_in_their_line(tmp_path: Path) -> None:
    instructions = ACCESSES
    text, first = together(instructions)
    found = unknown_lines(text, tmp_path / "k.ptx")
    missing = [i for k, i in enumerate(instructions) if first + k not in found]
    assert missing == []


def test_bulk_copies_are_accesses_that_are_judged(tmp_path: Path) -> None:
    text, first = together(BULK)
    path = tmp_path / "k.ptx"
    assert not unknown_lines(text, path)
    found = {a.location.span.line: a.judgement for a in check_unit(str(path), WRITTEN).accesses}
    assert [found[first + k].verdict for k in range(len(BULK))] == [Verdict.COALESCED] * len(BULK)
    assert all(found[first + k].condition for k in range(len(BULK)))  # no size is known


def test_what_accesses_nothing_is_no_access(tmp_path: Path) -> None:
    text, first = together(OPAQUE)
    found = unknown_lines(text, tmp_path / "k.ptx")
    assert [OPAQUE[line - first] for line in found] == []
