"""Registers that may be read before they are set."""

from __future__ import annotations

from typing import Final

from drano.ptx.model import Function, Label, Name
from drano.ptx.operands import read, written

_MOST_BITS: Final = 1 << 31


def unset_registers(function: Function) -> list[str]:
    """Registers that some way through the function reads before it sets them: those alive at its
    start, by the usual equations over its blocks; of functions too large for that, all.
    """
    numbers: dict[str, int] = {}
    for name, v in function.variables.items():
        if v.space == "reg":
            numbers[name] = len(numbers)
    parameters = {v.name for v in function.parameters}
    if len(numbers) * sum(isinstance(s, Label) for s in function.body or ()) > _MOST_BITS:
        return [name for name in numbers if name not in parameters]
    blocks, follow = _blocks(function, numbers)
    alive = [reads for reads, _ in blocks]
    before: list[list[int]] = [[] for _ in blocks]
    for k, targets in enumerate(follow):
        for target in targets:
            before[target].append(k)
    pending = list(range(len(blocks)))
    waiting = [True] * len(blocks)
    while pending:
        k = pending.pop()
        waiting[k] = False
        out = 0
        for target in follow[k]:
            out |= alive[target]
        reads, sets = blocks[k]
        new = reads | (out & ~sets)
        if new != alive[k]:
            alive[k] = new
            for p in before[k]:
                if not waiting[p]:
                    waiting[p] = True
                    pending.append(p)
    first = (alive[0] if alive else 0).to_bytes(len(numbers) // 8 + 1, "little")
    return [n for n, k in numbers.items() if first[k >> 3] >> (k & 7) & 1 and n not in parameters]


def _blocks(
    function: Function, numbers: dict[str, int]
) -> tuple[list[tuple[int, int]], list[list[int]]]:
    """Of each block the registers that it reads first and those that it sets, as bits; and the
    blocks behind it.
    """
    blocks: list[tuple[int, int]] = []
    jumps: list[tuple[list[str], bool]] = []
    labels: dict[str, int] = {}
    reads: set[int] = set()
    sets: set[int] = set()

    def close(targets: list[str], *, falls: bool) -> None:
        blocks.append((_bits(reads), _bits(sets)))
        jumps.append((targets, falls))
        reads.clear()
        sets.clear()

    for s in function.body or ():
        if isinstance(s, Label):
            close([], falls=True)
            labels[s.name] = len(blocks)
            continue
        for name in read(s):
            bit = numbers.get(name)
            if bit is not None and bit not in sets:
                reads.add(bit)
        if s.guard is None:
            for name in written(s):
                bit = numbers.get(name)
                if bit is not None:
                    sets.add(bit)
        if s.opcode in ("bra", "brx"):
            last = s.operands[-1] if s.operands else None
            name = last.text if isinstance(last, Name) else ""
            targets = list(function.tables.get(name, (name,)))
            close(targets, falls=s.guard is not None)
        elif s.opcode in ("ret", "exit", "trap"):
            close([], falls=s.guard is not None)
    for v in function.results:
        bit = numbers.get(v.name)
        if bit is not None and bit not in sets:
            reads.add(bit)
    close([], falls=False)
    follow = [
        [labels[t] for t in targets if t in labels]
        + ([k + 1] if falls and k + 1 < len(blocks) else [])
        for k, (targets, falls) in enumerate(jumps)
    ]
    return blocks, follow


def _bits(numbers: set[int]) -> int:
    """A number with these bits set."""
    if not numbers:
        return 0
    data = bytearray(max(numbers) // 8 + 1)
    for number in numbers:
        data[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(data, "little")
