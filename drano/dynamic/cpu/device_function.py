"""A device function as the lowering sees it: its model, its printed text, and LLVM's type names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct, field

from drano.dynamic.cpu.errors import unsupported
from drano.dynamic.cpu.translated_text import SPACE, simple_type
from drano.dynamic.instrument.printed_instructions import (
    LOCAL_TOKEN,
    PrintedFunction,
    argument_tokens,
    printed_function,
)
from drano.ir import model as m
from drano.ir.prepare.inlining import FunctionText
from drano.ir.type_layout import alignment, alloc_size
from drano.support.errors import IRError


class FunctionSource(Struct, frozen=True):
    """``definitions``: instructions by number; ``type_texts``: LLVM's names of result types."""

    path: str
    module: m.Module
    function: m.Function
    printed: PrintedFunction
    header: str
    definitions: Mapping[int, m.Instruction]
    type_texts: Mapping[int, str]
    assembly: dict[str, str]
    relocatable: bool = False
    used: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def type_text(self, index: int) -> str:
        """The type of value ``index`` as LLVM prints it, address spaces apart."""
        return self.type_texts[index]

    def type_of(self, index: int) -> m.Type:
        """The model's type of value ``index``."""
        count = len(self.function.args)
        return self.function.args[index].type if index < count else self.definitions[index].type

    def text(self, index: int) -> str:
        """The printed text of instruction ``index``, after its name."""
        return self.printed.instructions[index].text

    def locals_of(self, index: int) -> tuple[int, ...]:
        """The values that the text of instruction ``index`` mentions, in order."""
        known = self.used.get(index)
        if known is None:
            known = self.used[index] = self.locals_in(self.text(index))
        return known

    def locals_in(self, text: str) -> tuple[int, ...]:
        """The values that ``text`` mentions, in order, without repetition."""
        numbers = self.printed.numbers
        found = (numbers.get(token) for token in LOCAL_TOKEN.findall(text))
        return tuple(dict.fromkeys(n for n in found if n is not None))

    def unsupported(self, construct: str, index: int | None = None) -> IRError:
        """The error for a construct that cannot be lowered, at an instruction."""
        at = self.definitions[index].location if index is not None else self.function.location
        return unsupported(self.path, construct, at, self.function.display)


def function_source(
    path: str,
    module: m.Module,
    function: m.Function,
    text: FunctionText,
    walked: Any,
    assembly: dict[str, str],
    *,
    relocatable: bool = False,
) -> FunctionSource:
    """Collect what the lowering of ``function`` needs. ``walked``: llvmlite's function;
    ``assembly``: grows by the functions that inline PTX is made into.
    """
    tokens = argument_tokens(text)
    if len(tokens) != len(function.args):
        raise IRError(path, f"in {function.name}: arguments are not understood")
    definitions = {i.index: i for block in function.blocks for i in block.instructions}
    printed = printed_function(text, tokens)
    if printed.instructions.keys() != definitions.keys():
        raise IRError(path, f"in {function.name}: printed lines and instructions differ")
    types = {a.index: _argument_type(a, path, function) for a in function.args}
    types |= _result_types(definitions.values(), walked)
    return FunctionSource(
        path, module, function, printed, text.header, definitions, types, assembly, relocatable
    )


def _argument_type(argument: m.Argument, path: str, function: m.Function) -> str:
    text = simple_type(argument.type)
    if text is not None:
        return text
    if argument.type == m.FloatType(16):
        return "half"
    raise unsupported(
        path, f"parameter {argument.name} of a structure type", None, function.display
    )


def _result_types(definitions: Iterable[m.Instruction], walked: Any) -> dict[int, str]:
    types: dict[int, str] = {}
    doubtful: set[int] = set()
    for instruction in definitions:
        text = simple_type(instruction.type)
        if text is None:
            doubtful.add(instruction.index)
        else:
            types[instruction.index] = text
    if doubtful:
        number = min(i.index for i in definitions)
        for block in walked.blocks:
            for instruction in block.instructions:
                if number in doubtful:
                    printed = str(instruction.type).partition(" = type ")[0]
                    types[number] = SPACE.sub("", printed)
                number += 1
    return types


def memory_size(type_: m.Type) -> int:
    """Bytes of one lane's element of a value's array."""
    return max(1, alloc_size(type_))


def memory_align(type_: m.Type) -> int:
    """Alignment of one lane's element."""
    return max(1, alignment(type_))
