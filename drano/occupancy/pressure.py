"""Register pressure: how many registers' worth of values a kernel holds at once, at most.

Means: liveness of PTX's virtual registers, by iteration over the control flow of each entry. A
64-bit value counts as two registers, a 16-bit one as one, predicates as none.
Assumptions: LLVM's own printing of PTX. Limits: ptxas moves instructions, so it may need more (it
fetches early) or fewer (it computes again); an indirect branch may go to every label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

_ENTRY = re.compile(r"^\s*\.(?:visible |weak )?\s*\.?entry\s+([\w$.]+)\s*\(", re.MULTILINE)
_REGISTERS = re.compile(r"\.reg\s+\.(pred|[bsuf]\d+)\s+%([A-Za-z]+)(?:<\d+>|\d*)")
_REGISTER = re.compile(r"%([A-Za-z]+)(\d+)\b")
_COMMENT = re.compile(r"//[^\n]*")
_LABEL = re.compile(r"^([$\w.]+):\s*")
_GUARD = re.compile(r"^@!?%\w+\s+")
_NO_RESULT = frozenset({
    "st", "red", "bra", "brx", "ret", "exit", "trap", "bar", "barrier", "membar", "fence",
    "prefetch", "prefetchu", "cp", "sust", "sured", "nanosleep", "pmevent", "call", "discard",
    "applypriority", "griddepcontrol", "brkpt",
})  # fmt: skip
_ENDS = frozenset({"ret", "exit", "trap"})


class _Node(Struct):
    """A stretch of code: reads and writes of each instruction, last one first."""

    steps: list[tuple[int, int]]
    targets: list[str]
    falls: bool = True
    everywhere: bool = False


def max_live(ptx: str) -> dict[str, int]:
    """Registers at the point of most pressure, by the symbol of each kernel."""
    text = _COMMENT.sub("", ptx)
    found = {}
    for match in _ENTRY.finditer(text):
        start = text.find("{", match.end())
        if start >= 0:
            found[match[1]] = _of_body(_body(text, start))
    return found


def _body(text: str, start: int) -> str:
    """What is between a brace and the one that closes it."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, start):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return text[start + 1 : match.start()]
    return text[start + 1 :]


class _Names:
    """A bit for each register, and its weight."""

    def __init__(self, body: str) -> None:
        self._size = {name: _size(kind) for kind, name in _REGISTERS.findall(body)}
        self._bits: dict[tuple[str, str], int] = {}
        self._single = self._double = self._quad = 0

    def mask(self, text: str) -> int:
        """The registers that ``text`` names."""
        found = 0
        for name, number in _REGISTER.findall(text):
            size = self._size.get(name, 0)
            if size:
                found |= self._bit((name, number), size)
        return found

    def _bit(self, key: tuple[str, str], size: int) -> int:
        bit = self._bits.get(key)
        if bit is None:
            bit = self._bits[key] = 1 << len(self._bits)
            self._single |= bit
            self._double |= bit if size > 1 else 0
            self._quad |= bit if size > 2 else 0
        return bit

    def weight(self, live: int) -> int:
        """Registers that these values take."""
        doubles, quads = (live & self._double).bit_count(), (live & self._quad).bit_count()
        return live.bit_count() + doubles + 2 * quads


def _size(kind: str) -> int:
    return 0 if kind == "pred" else max(1, int(kind[1:]) // 32)


def _of_body(body: str) -> int:
    names = _Names(body)
    nodes, labels = _nodes(body, names)
    successors = [
        [
            *(labels[t] for t in (labels if node.everywhere else node.targets) if t in labels),
            *([n + 1] if node.falls and n + 1 < len(nodes) else []),
        ]
        for n, node in enumerate(nodes)
    ]
    before = [0] * len(nodes)
    changed = True
    while changed:
        changed = False
        for n in range(len(nodes) - 1, -1, -1):
            live = _after(successors[n], before)
            for reads, writes in nodes[n].steps:
                live = (live & ~writes) | reads
            if live != before[n]:
                before[n] = live
                changed = True
    most = 0
    for n, node in enumerate(nodes):
        live = _after(successors[n], before)
        most = max(most, names.weight(live))
        for reads, writes in node.steps:
            live = (live & ~writes) | reads
            most = max(most, names.weight(live))
    return most


def _after(successors: list[int], before: list[int]) -> int:
    live = 0
    for n in successors:
        live |= before[n]
    return live


def _nodes(body: str, names: _Names) -> tuple[list[_Node], dict[str, int]]:
    nodes = [_Node([], [])]
    labels: dict[str, int] = {}
    for statement in _statements(body):
        text = statement
        while match := _LABEL.match(text):
            nodes.append(_Node([], []))
            labels[match[1]] = len(nodes) - 1
            text = text[match.end() :]
        if not text or text[0] == ".":
            continue
        node = nodes[-1]
        guarded = _GUARD.match(text)
        rest = text[guarded.end() :] if guarded else text
        opcode, _, operands = rest.partition(" ")
        kind = opcode.split(".")[0]
        writes = 0 if kind in _NO_RESULT else names.mask(_first(operands))
        reads = names.mask(operands[len(_first(operands)) :] if writes else operands)
        if guarded:  # the old value may stay
            reads |= writes
            writes = 0
        node.steps.insert(0, (reads, writes))
        if kind == "bra":
            node.targets = [operands.split()[-1]] if operands.split() else []
            node.falls = guarded is not None
        elif kind == "brx":
            node.everywhere, node.falls = True, False
        elif kind in _ENDS:
            node.falls = guarded is not None
        else:
            continue
        nodes.append(_Node([], []))
    return nodes, labels


def _statements(body: str) -> Iterator[str]:
    """Instructions and directives, with the labels before them."""
    for part in body.split(";"):
        text = " ".join(part.split())
        # Braces by themselves only enclose; those among operands hold vectors.
        while text[:1] in {"{", "}"}:
            text = text[1:].lstrip()
        if text:
            yield text


def _first(operands: str) -> str:
    """The first operand: a register, or several in braces; "" for memory."""
    text = operands.lstrip()
    lead = len(operands) - len(text)
    if text.startswith("["):
        return ""
    end = text.find("}") + 1 if text.startswith("{") else text.find(",")
    return operands[: lead + (end if end > 0 else len(text))]
