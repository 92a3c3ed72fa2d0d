"""Time of preparing and reading device IR: ``python benchmarks/reader.py FILE.cu|FILE.ll…``.

Prints, per file, seconds of our part, microseconds per instruction read, and the cost of merely
walking the same instructions with llvmlite, as a ratio that does not depend on the machine.
"""

from __future__ import annotations

import sys
import time
from itertools import pairwise
from pathlib import Path

from drano.frontend.clang import compile_unit
from drano.ir.prepare.passes import PreparedModule, prepare
from drano.ir.read.reader import read_module
from drano.model.settings import CompileOptions


def walk(prepared: PreparedModule) -> int:
    """What any reader pays: each instruction's opcode and operands' names."""
    count = 0
    for function in prepared.module.functions:
        if function.name not in prepared.roots:
            continue
        for block in function.blocks:
            for instruction in block.instructions:
                count += 1
                [(instruction.opcode, operand.name) for operand in instruction.operands]
    return count


def text_of(path: str) -> str:
    if path.endswith(".ll"):
        return Path(path).read_text()
    unit = compile_unit(path, CompileOptions())
    if unit.ir is None:
        raise SystemExit("\n".join(map(str, unit.diagnostics)))
    return unit.ir


def main() -> None:
    print(f"{'file':32} {'instr':>7} {'prepare s':>9} {'read s':>7} {'us/instr':>8} {'x walk':>7}")
    for path in sys.argv[1:]:
        text = text_of(path)
        times = [time.process_time()]
        prepared = prepare(text, path, trusted=True)
        times.append(time.process_time())
        read_module(prepared)
        times.append(time.process_time())
        count = walk(prepared)
        times.append(time.process_time())
        preparing, reading, walking = (b - a for a, b in pairwise(times))
        print(
            f"{Path(path).name:32} {count:7} {preparing:9.3f} {reading:7.3f}"
            f" {1e6 * reading / max(1, count):8.1f} {reading / walking:7.2f}"
        )


if __name__ == "__main__":
    main()
