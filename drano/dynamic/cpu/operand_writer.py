"""Operands of the printed function, rewritten for the native function that is being written."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable

from drano.dynamic.cpu.context import FunctionContext
from drano.dynamic.cpu.translated_text import expand_constants, scalar_text
from drano.dynamic.instrument.printed_instructions import GLOBAL_TOKEN, LOCAL_TOKEN
from drano.ir.llvm_text import bare_name


class Writer(ABC):
    """Part of a native function. ``preamble``: instructions of its first block, by result name."""

    def __init__(self, context: FunctionContext) -> None:
        self.context = context
        self.source = context.source
        self.plan = context.plan
        self.preamble: dict[str, str] = {}

    @abstractmethod
    def emit(self, line: str) -> None:
        """Add an instruction."""

    @abstractmethod
    def value(self, value: int) -> str:
        """The native name of a value of the printed function, made available."""

    def prepare(self, lines: Iterable[str]) -> None:
        """Have ``lines`` in the first block, once."""
        for line in lines:
            self.preamble.setdefault(line.split(" = ")[0], line)

    def argument(self, value: int) -> str:
        """The name of an argument."""
        name = f"%a.{value}"
        if name not in self.preamble:
            self.prepare(self.context.argument_lines(value, name))
        return name

    def operand(self, text: str) -> str:
        """``text``, an operand or several, with this function's names for values and globals."""

        def local(match: re.Match[str]) -> str:
            number = self.source.printed.numbers.get(match[0])
            return match[0] if number is None else self.value(number)

        text = LOCAL_TOKEN.sub(local, scalar_text(text))
        return self._globals(text) if "@" in text else text

    def _globals(self, text: str) -> str:
        shared = self.context.shared

        def replace(match: re.Match[str]) -> str:
            name = bare_name(match[0])
            if name not in shared:
                return self.context.unit.symbol(match[0])
            local = f"%sh.{shared[name].number}"
            self.prepare(self.context.shared_lines(name, local))
            return local

        text = GLOBAL_TOKEN.sub(replace, text)
        if "%sh." not in text:
            return text
        lines, text = expand_constants(text, self._fresh)
        for line in lines:
            self.emit(line)
        return text

    def _fresh(self) -> str:
        return f"%ce.{next(self.context.fresh)}"
