"""Counting how often blocks of code are executed: by warps, and by their lanes.

Means: a block's counter is two numbers (``drano_visits``) in the worker's own table. Each time a
warp enters the block, the number of its active lanes is added to one and 1 to the other. Nothing
waits for it.
"""

from __future__ import annotations

from drano.dynamic.cpu import abi


def table_lines(first_block: int) -> list[str]:
    """Instructions that give the counters of a function's blocks the name ``%visits``."""
    return [
        f"%visits.block.at = getelementptr inbounds i8, ptr %w, i64 {abi.WARP_BLOCK}",
        "%visits.block = load ptr, ptr %visits.block.at, align 8",
        f"%visits.all.at = getelementptr inbounds i8, ptr %visits.block, i64 {abi.BLOCK_WORK}",
        "%visits.all = load ptr, ptr %visits.all.at, align 8",
        f"%visits.base.at = getelementptr inbounds i8, ptr @drano.unit, i64 {abi.UNIT_WORK_BASE}",
        "%visits.base = load i32, ptr %visits.base.at, align 4",
        f"%visits.first.32 = add i32 %visits.base, {first_block}",
        "%visits.first = zext i32 %visits.first.32 to i64",
        "%visits = getelementptr inbounds { i64, i64 }, ptr %visits.all, i64 %visits.first",
    ]


def count_lines(block: int, mask: str, name: str) -> list[str]:
    """Instructions that count the lanes ``mask`` at block ``block``; ``name``: not used before."""
    pair = "<2 x i64>"
    return [
        f"{name}.n = call i32 @llvm.ctpop.i32(i32 {mask})",
        f"{name}.w = zext i32 {name}.n to i64",
        f"{name}.p = getelementptr inbounds i8, ptr %visits, i64 {16 * block}",
        f"{name}.v = load {pair}, ptr {name}.p, align 16",
        f"{name}.i = insertelement {pair} <i64 1, i64 poison>, i64 {name}.w, i64 1",
        f"{name}.s = add {pair} {name}.v, {name}.i",
        f"store {pair} {name}.s, ptr {name}.p, align 16",
    ]


def full_lines(block: int, times: str, name: str) -> list[str]:
    """Instructions that count as many visits by full warps as the word at ``times`` says."""
    pair = "<2 x i64>"
    return [
        f"{name}.n = load i64, ptr {times}, align 8",
        f"{name}.w = shl i64 {name}.n, 5",
        f"{name}.p = getelementptr inbounds i8, ptr %visits, i64 {16 * block}",
        f"{name}.v = load {pair}, ptr {name}.p, align 16",
        f"{name}.f = insertelement {pair} poison, i64 {name}.n, i64 0",
        f"{name}.i = insertelement {pair} {name}.f, i64 {name}.w, i64 1",
        f"{name}.s = add {pair} {name}.v, {name}.i",
        f"store {pair} {name}.s, ptr {name}.p, align 16",
    ]
