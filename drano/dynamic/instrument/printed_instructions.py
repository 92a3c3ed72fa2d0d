"""A function's instructions as LLVM prints them, numbered as the model numbers them.

Means: instruction ``k`` of the model is line ``k`` here: arguments first, then one number for each
printed instruction. So a pass can look at the model, and copy or edit the text.
Assumptions: as in ``ir/read/reader.py``: LLVM's own printing of a module in which everything has a
name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from drano.ir.prepare.inlining import FunctionText

LOCAL_TOKEN = re.compile(r'%(?:"[^"]*"|[-\w.$]+)')
GLOBAL_TOKEN = re.compile(r'@(?:"[^"]*"|[-\w.$]+)')
_STRING = re.compile(r'"[^"]*"')
_DEFINITION = re.compile(r'  (%(?:"[^"]*"|[-\w.$]+)) = (.*)', re.DOTALL)
_LOCATION = re.compile(r", !dbg (!\d+)")
_OPENING = "([{<"
_CLOSING = ")]}>"


class PrintedInstruction(Struct, frozen=True):
    """``token``: its name (``%x``), empty when it has none; ``text``: what is printed after
    ``%x =``, without metadata; ``location``: the number of its ``!dbg`` node, empty when none;
    ``row``: its first line within the body.
    """

    token: str
    text: str
    location: str
    row: int


class PrintedFunction(Struct, frozen=True):
    """``instructions`` by number; ``numbers``: of arguments and results, by their names."""

    instructions: Mapping[int, PrintedInstruction]
    numbers: Mapping[str, int]


def printed_function(text: FunctionText, argument_names: tuple[str, ...]) -> PrintedFunction:
    """The numbered lines of a function whose arguments are printed as ``argument_names``."""
    rows: list[tuple[int, str]] = []
    for row, line in enumerate(text.body):
        if line.startswith("  ") and line[2:3] not in (" ", "]", ""):
            rows.append((row, line))
        elif line.startswith(" ") and not line.lstrip().startswith("#dbg_") and rows:
            rows[-1] = (rows[-1][0], rows[-1][1] + line)
    numbers = {name: k for k, name in enumerate(argument_names)}
    instructions: dict[int, PrintedInstruction] = {}
    for number, (row, line) in enumerate(rows, len(argument_names)):
        match = _DEFINITION.match(line)
        token, rest = (match[1], match[2]) if match else ("", line[2:])
        cut = _metadata(rest)
        place = _LOCATION.search(rest[cut:])
        if token:
            numbers[token] = number
        instructions[number] = PrintedInstruction(token, rest[:cut], place[1] if place else "", row)
    return PrintedFunction(instructions, numbers)


def _metadata(line: str) -> int:
    """Where the metadata of a printed instruction begins."""
    cut = line.find(", !")
    if cut >= 0 and '"' in line:
        cut = _STRING.sub(lambda text: " " * len(text[0]), line).find(", !")
    return cut if cut >= 0 else len(line)


def header_arguments(text: FunctionText) -> list[str]:
    """The arguments as printed in the header, each with its type and attributes."""
    start, end = _brackets(text.header)
    return split_top(text.header[start + 1 : end])


def argument_tokens(text: FunctionText) -> tuple[str, ...]:
    """Names of the arguments, as printed in the header: ``('%x', '%n')``."""
    found = (LOCAL_TOKEN.findall(_without_groups(part)) for part in header_arguments(text))
    return tuple(tokens[-1] for tokens in found if tokens)


def with_argument(text: FunctionText, argument: str) -> FunctionText:
    """The function with one more argument, the last one."""
    header = text.header
    start, end = _brackets(header)
    given = ", ".join(filter(None, (header[start + 1 : end].strip(), argument)))
    return replace(text, header=f"{header[: start + 1]}{given}{header[end:]}")


def _brackets(header: str) -> tuple[int, int]:
    """Where the arguments of a printed header begin and end."""
    name = GLOBAL_TOKEN.search(header)
    start = header.index("(", name.end() if name else 0)
    return start, _partner(header, start)


def _without_groups(text: str) -> str:
    """``text`` without what is in round brackets: ``byval(%struct.P) %p`` is ``byval %p``."""
    kept = []
    depth = 0
    for piece in re.split(r'("[^"]*"|[()])', text):
        if piece == "(":
            depth += 1
        elif piece == ")":
            depth -= 1
        elif not depth:
            kept.append(piece)
    return "".join(kept)


def _partner(text: str, start: int) -> int:
    depth = 0
    quoted = False
    for position in range(start, len(text)):
        character = text[position]
        if character == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
            if not depth:
                return position
    raise ValueError("unbalanced brackets")


def inside_brackets(text: str) -> str:
    """What the last top-level pair of round brackets of ``text`` holds: a call's arguments."""
    end = text.rindex(")")
    depth = 0
    for position in range(end, -1, -1):
        if text[position] == ")":
            depth += 1
        elif text[position] == "(":
            depth -= 1
            if not depth:
                return text[position + 1 : end]
    raise ValueError("unbalanced brackets")


def split_top(text: str) -> list[str]:
    """``text`` at its commas that are in no bracket and no string: ``i32 1, [2 x i32] %a`` gives
    two parts.
    """
    parts: list[str] = []
    depth = start = 0
    quoted = False
    for position, character in enumerate(text):
        if character == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth -= 1
        elif character == "," and not depth:
            parts.append(text[start:position].strip())
            start = position + 1
    last = text[start:].strip()
    return [*parts, last] if last or parts else []
