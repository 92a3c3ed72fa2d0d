"""Inline PTX as LLVM's instructions, before all passes, by the table that PTX is translated with.

Means: ``asm("ld.global.cs.f32 %0, [%1];" …)`` becomes a load, ``shfl.sync``, ``bar.sync``, special
registers, ``red`` and ``atom`` the intrinsics and atomics that CUDA's own functions give. So the
analyses see the access, the lane or the barrier, and a run executes it as any other. Where the
``asm`` jumps, or accesses memory under a predicate (``@$2 ld.global.b32 …``, as Triton and CUTLASS
write their accesses), it becomes a call of a function, which is expanded like any other. An access
of an ``asm`` that is ``volatile`` is one request, whatever is beside it.
Assumptions: the module as LLVM prints it.
Limits: what the table does not know stays, and so does what ptxas would not take. An instruction
that is not known, and does more than compute, is taken out of its ``asm`` only if an access is
known beside it, or for a run.
"""

from __future__ import annotations

import hashlib
import re
import time
from typing import Final

from drano.ir.llvm_text import unescape
from drano.ir.prepare.inline_assembly.asm_calls import ASM_CALL, AsmCall, asm_call
from drano.ir.prepare.inline_assembly.asm_pieces import SECONDS, AsmPiece, StaysError
from drano.ir.prepare.inline_assembly.inline_ptx_ends import call_of, may_end, with_definitions
from drano.ir.target import AddressSpace
from drano.ptx.fragments import (
    BranchesError,
    Fragment,
    InPlace,
    as_function,
)
from drano.ptx.instructions.matrices import MATRIX_MOVES
from drano.ptx.model import Instruction, PtxError
from drano.ptx.writer import Shared, UnknownError

_VALUE: Final = "drano.ptx."
_MADE: Final = re.compile(r"%drano\.ptx\.(\d+)\.")
_FUNCTION: Final = "drano_code_"
_DEFINED: Final = re.compile(r"^(?:declare|define) [^@\n]*@([-\w.$]+)\(", re.MULTILINE)
_PART: Final = re.compile(r'asm [^"]*"[^"]*drano_')  # of an operand, as in $1.b0
_TAKES_CARRY: Final = re.compile(r"\b(?:addc|subc|madc)\.")
_SPACES: Final = {
    "shared": AddressSpace.SHARED, "global": AddressSpace.GLOBAL,
    "constant": AddressSpace.CONSTANT, "local": AddressSpace.LOCAL,
}  # fmt: skip
_APART: Final = " memory(inaccessiblemem: readwrite)"
_BARRIER: Final = re.compile(
    r'^  (?:tail )?call void asm (?:sideeffect )?"", ""\(\)[^\n]*\n', re.MULTILINE
)
_CONVERSION: Final = re.compile(
    r"^  (%[-\w.$]+) = (?:tail )?call [^@\n]*@__nv_cvta_(generic|shared|global|constant|local)_to_"
    r"(generic|shared|global|constant|local)_impl\((?:ptr|i64)(?: [a-z]+)* (%[-\w.$]+)\)"
    r"(?: #\d+)?((?:, ![\w.]+ !\d+)*)$",
    re.MULTILINE,
)


def without_inline_ptx(
    text: str, *, executed: bool = False, scoped: bool = False, optimised: bool = False
) -> str:
    """The module with such ``asm`` replaced; the same string where there is none. ``executed``: an
    instruction that is not known is taken out, too, so that each one can be run; ``scoped``: it is
    a GPU that runs it, which orders memory as the ``asm`` says; ``optimised``: it will be, and no
    request is to be merged with another one across an ``asm``.
    """
    if "@__nv_cvta_" in text:
        text = _CONVERSION.sub(_converted, text)
    if " asm " not in text:
        return text
    module = _Module(text, executed=executed, scoped=scoped, optimised=optimised)
    changed = ASM_CALL.sub(module.replaced, text)
    return module.whole(changed) if module.count > module.first else text


def _converted(match: re.Match[str]) -> str:
    """A pointer as a number of one space, or such a number as a generic pointer: what nvcc knows
    by the name of a function.
    """
    result, source, target, value, behind = match.groups()
    space = _SPACES[source if target == "generic" else target]
    if target == "generic":
        lines = (
            f"{result}.of = inttoptr i64 {value} to ptr addrspace({space})",
            f"{result} = addrspacecast ptr addrspace({space}) {result}.of to ptr",
        )
    else:
        lines = (
            f"{result}.in = addrspacecast ptr {value} to ptr addrspace({space})",
            f"{result} = ptrtoint ptr addrspace({space}) {result}.in to i64",
        )
    return "\n".join(f"  {line}{behind}" for line in lines)


def without_barriers(text: str) -> str:
    """An optimised module without what kept its requests apart; the same string where there is
    nothing.
    """
    return _BARRIER.sub("", text)


def _barrier(call: AsmCall) -> str:
    """An empty ``asm`` behind what stands for one. nvcc's stay: it merges no accesses across one,
    and if it is ``volatile``, loads again behind it. Nobody else sees the memory of the others.
    """
    kind, effect = ("asm sideeffect", "") if call.effect else ("asm", _APART)
    return f'  call void {kind} "", ""() nounwind{effect}{call.place}'


class _Module:
    """What is common to the asm of a module. ``count``: of replacements."""

    def __init__(self, text: str, *, executed: bool, scoped: bool, optimised: bool) -> None:
        self.text = text
        self.optimised = optimised
        self.scoped = scoped
        self.executed = executed
        self.count = max(map(int, _MADE.findall(text)), default=-1) + 1
        self.first = self.count
        self.declared: dict[str, str] = {}
        self.functions: dict[str, str] = {}
        self.deadline = time.monotonic() + SECONDS
        self.known: dict[object, Fragment | None] = {}
        self.written: dict[object, str | None] = {}
        self._carries: bool | None = None

    def replaced(self, match: re.Match[str]) -> str:
        """What stands for the asm of a match."""
        call = asm_call(match)
        try:
            if call is None:
                raise StaysError
            lines = self._lines(call)
        except (StaysError, PtxError, UnknownError):
            ending = f"\n  {call_of('may')}"
            if not may_end(unescape(match[3])) or self.text.startswith(ending, match.end()):
                return match[0]
            lines = [match[0], f"{ending.strip()}{call.place if call else ''}"]
            lines[1] = f"  {lines[1]}"
        self.count += 1
        if self.optimised and call is not None:
            lines = [*lines, _barrier(call)]
        return "\n".join(lines)

    def whole(self, changed: str) -> str:
        """The module with what the replacements need."""
        there = {match[1] for match in _DEFINED.finditer(self.text)}
        lines = [line for name, line in sorted(self.declared.items()) if name not in there]
        lines += [code for name, code in self.functions.items() if name not in there]
        return with_definitions("\n".join([changed, *lines, ""]) if lines else changed)

    def _lines(self, call: AsmCall) -> list[str]:
        asm = AsmPiece(call)
        key = asm.key
        if key not in self.known:
            self.known[key] = None
            if time.monotonic() > self.deadline:
                raise StaysError
            self.known[key] = asm.fragment()
        found = self.known[key]
        if found is None or len(found.body) == len(asm.ties):
            raise StaysError
        if (self.scoped or self.executed) and any(i.opcode in MATRIX_MOVES for i in found.body):
            raise StaysError  # as what it is, not as accesses alone
        if (self.scoped and found.orders) or (found.carries and self._carries_between()):
            raise StaysError
        shared = Shared({}, {}, foreign=True, volatile=call.effect)
        prefix = f"{_VALUE}{self.count}."
        site = InPlace(shared, found, prefix, call.place, executed=self.executed)
        try:
            asm.enter(site)
            site.write(found.body)
            if len(found.function.body or ()) != len(found.body):
                raise BranchesError  # labels
            self._check(found, site.left, site.lines)
            asm.leave(site)
        except BranchesError:
            site = InPlace(shared, found, prefix, call.place, executed=self.executed)
            self._call(asm, found, site)
        self.declared.update(shared.declared)
        return site.lines

    def _check(self, found: Fragment, left: list[Instruction], lines: list[str]) -> None:
        """Raises StaysError where nothing is gained."""
        if not found.is_gain(left, executed=self.executed) or any(map(_PART.search, lines)):
            raise StaysError

    def _call(self, asm: AsmPiece, found: Fragment, site: InPlace) -> None:
        """A call of a function of its own."""
        key = (asm.key, asm.call.effect)
        if key not in self.written:
            self.written[key] = None
            digest = hashlib.sha256(repr(key).encode()).hexdigest()[:12]
            lines, text = as_function(found, site.shared, f"{_FUNCTION}{digest}")
            self._check(found, text.w.left, lines)
            self.written[key] = f"{_FUNCTION}{digest}"
            self.functions[f"{_FUNCTION}{digest}"] = "\n".join(lines)
        name = self.written[key]
        if name is None:
            raise StaysError
        asm.call_of(site, name, found)

    def _carries_between(self) -> bool:
        """Whether an asm of the module reads a carry that another one may have set."""
        if self._carries is None:
            self._carries = False
            for match in ASM_CALL.finditer(self.text):
                if not _TAKES_CARRY.search(match[3]):
                    continue
                call = asm_call(match)
                try:
                    piece = AsmPiece(call).fragment() if call else None
                except (PtxError, StaysError):
                    piece = None
                self._carries |= piece is None or piece.takes_carry
        return self._carries
