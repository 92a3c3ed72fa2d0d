"""One instruction that only computes, for one lane: the same text, or a helper in its place.

Means: helpers are called for what the GPU defines and this machine does not (division by zero,
oversized shifts, conversions out of range, intrinsics). Everything else is copied.
"""

from __future__ import annotations

import re

from drano.dynamic.cpu.helpers.lookup import needs_context
from drano.dynamic.cpu.operand_writer import Writer
from drano.dynamic.cpu.translated_text import scalar_text
from drano.dynamic.instrument.printed_instructions import inside_brackets, split_top
from drano.ir import model as m

_OPERATION = re.compile(r"^\w+(?: exact)? (i\d+) (.*), (\S+)$")
_DIVISIONS = frozenset({"sdiv", "udiv", "srem", "urem"})
_SHIFTS = frozenset({"shl", "lshr", "ashr"})
_FLOAT_NAMES = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64"}


class InstructionWriter(Writer):
    """Writes scalar instructions. ``lane``, ``mask``: names of the lane and the active lanes."""

    lane = "%v.lane"
    mask = "%v.mask"

    def scalar(self, i: m.Instruction) -> str:
        """The instruction, without its result's name."""
        text = self._special(i)
        return self.operand(scalar_text(self.source.text(i.index))) if text is None else text

    def array_argument(self, i: m.Call, number: int, argument: str) -> str:
        """The array of an operand that a helper needs of all lanes."""
        raise self.source.unsupported(f"operand {number} of {argument}", i.index)

    def _special(self, i: m.Instruction) -> str | None:
        """What is not just copied; None for the rest."""
        recipe = self.plan.recipes[i.index]
        if recipe.helper:
            return self._helper_call(i, recipe.helper, recipe.arrays)
        if isinstance(i, m.Binary) and i.op in _DIVISIONS | _SHIFTS:
            return self._guarded(i)
        if isinstance(i, m.Cast) and i.op in ("fptosi", "fptoui"):
            return self._saturating(i)
        return None

    def _helper_call(self, i: m.Instruction, helper: str, arrays: tuple[int, ...]) -> str:
        arguments = []
        assert isinstance(i, m.Call)
        for number, argument in enumerate(split_top(inside_brackets(self.source.text(i.index)))):
            if number in arrays:
                arguments.append(f"ptr {self.array_argument(i, number, argument)}")
            else:
                arguments.append(self.operand(scalar_text(argument)))
        if needs_context(helper):
            arguments = ["ptr %w", f"i64 {self.lane}", f"i32 {self.mask}", *arguments]
        type_ = self.source.type_text(i.index)
        return f"call {type_} @{helper}({', '.join(arguments)})"

    def _guarded(self, i: m.Binary) -> str | None:
        match = _OPERATION.match(self.source.text(i.index).replace(" nuw", "").replace(" nsw", ""))
        if match is None:
            return None
        safe = isinstance(i.rhs, m.IntConst)
        if isinstance(i.rhs, m.IntConst):
            bits = i.rhs.bits
            safe = i.rhs.value not in (0, -1) if i.op in _DIVISIONS else 0 <= i.rhs.value < bits
        if safe:
            return None
        type_ = match[1]
        left, right = self.operand(match[2]), self.operand(match[3])
        return f"call {type_} @drano.int.{i.op}.{type_}({type_} {left}, {type_} {right})"

    def _saturating(self, i: m.Cast) -> str | None:
        text = self.source.text(i.index).split(" ")
        target = self.source.type_text(i.index)
        source = text[-4] if len(text) >= 4 else ""
        if source not in _FLOAT_NAMES or not target.startswith("i"):
            return None
        value = self.operand(text[-3])
        name = f"llvm.{i.op}.sat.{target}.{_FLOAT_NAMES[source]}"
        return f"call {target} @{name}({source} {value})"
