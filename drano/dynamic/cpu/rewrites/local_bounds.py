"""Accesses of arrays in a thread's own memory, checked to be within them.

Means: in front of an access whose place in its array is computed, ``__drano_local_place`` gives the
address if all of the access lies in the array; if not, it names the access, ends the kernel, and
gives the array's start, so that nothing else is overwritten until the warp stops.
Assumptions: ``prepared`` and ``module`` are the same module.
Limits: a pointer that may go to several arrays is not checked; copies and fills are not.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from drano.dynamic.cpu.helpers.definition import CONTEXT, define
from drano.dynamic.cpu.translated_text import constant_text
from drano.dynamic.instrument.measured_sites import LOCAL_PLACE
from drano.dynamic.instrument.printed_instructions import (
    PrintedInstruction,
    argument_tokens,
    printed_function,
    split_top,
)
from drano.ir import model as m
from drano.ir.prepare.passes import PreparedModule
from drano.model.span import Location
from drano.model.system_headers import user_location

Rows = Mapping[str, Mapping[int, tuple[str, ...]]]
DECLARATION = (
    f"declare ptr @{LOCAL_PLACE}(ptr, i64, ptr, i64, i32) nounwind willreturn memory(none)"
)
_MOST_STEPS = 64
_POINTER = re.compile(r"(ptr(?: addrspace\(5\))?) (%(?:\"[^\"]*\"|[-\w.$]+))")


def local_checks(prepared: PreparedModule, module: m.Module) -> Rows:
    """By function and row of its body, the lines that are to stand there."""
    found: dict[str, dict[int, tuple[str, ...]]] = {}
    for function in module.functions.values():
        definitions = {i.index: i for block in function.blocks for i in block.instructions}
        places = [
            (i, root) for i in definitions.values()
            if isinstance(i, m.Load | m.Store | m.Atomic)
            and (root := _array(i, definitions)) is not None
        ]  # fmt: skip
        if not places:
            continue
        text = prepared.split.functions[function.name]
        printed = printed_function(text, argument_tokens(text)).instructions
        rows: dict[int, tuple[str, ...]] = {}
        for i, root in places:
            line = printed[i.index]
            lines = _checked(i, root, line, printed[root.index].token, text.body[line.row])
            if lines is not None:
                rows[line.row] = lines
        found[function.name] = rows
    return found


def _array(
    access: m.Load | m.Store | m.Atomic, definitions: Mapping[int, m.Instruction]
) -> m.Alloca | None:
    """The one array that is accessed, at a place that is not just a number within it."""
    roots: set[int] = set()
    seen: set[int] = set()
    pending: list[tuple[m.Operand, int | None]] = [(access.pointer, 0)]
    computed = False
    while pending:
        operand, offset = pending.pop()
        if not isinstance(operand, m.Local) or operand.index not in definitions:
            return None
        i = definitions[operand.index]
        if isinstance(i, m.Alloca):
            roots.add(i.index)
            inside = offset is not None and 0 <= offset <= i.size - access.size
            computed = computed or not inside
            continue
        if operand.index in seen:
            continue
        seen.add(operand.index)
        if len(seen) > _MOST_STEPS:
            return None
        match i:
            case m.Gep():
                known = offset is not None and not i.steps
                pending.append((i.base, (offset or 0) + i.offset if known else None))
            case m.Cast(op="addrspacecast" | "bitcast"):
                pending.append((i.value, offset))
            case m.Freeze():
                pending.append((i.value, offset))
            case m.Select():
                pending += [(i.if_true, None), (i.if_false, None)]
            case m.Phi():
                pending += [(value, None) for value, _ in i.incoming]
            case _:
                return None
    if len(roots) != 1 or not computed:
        return None
    root = definitions[roots.pop()]
    assert isinstance(root, m.Alloca)
    return root if root.size >= access.size else None


def _checked(
    access: m.Load | m.Store | m.Atomic,
    root: m.Alloca,
    line: PrintedInstruction,
    array: str,
    row: str,
) -> tuple[str, ...] | None:
    """The lines for one access; None where it is not printed as expected."""
    part = split_top(line.text)[0 if isinstance(access, m.Atomic) else 1]
    match = next(iter(_POINTER.finditer(part)), None)
    if match is None or row.count(f"{match[0]}") != 1:
        return None
    at = f", !dbg {line.location}" if line.location else ""
    name = f"%drano.local.{access.index}"
    pointer, lines = match[2], []
    if match[1] != "ptr":
        pointer = f"{name}.generic"
        lines.append(f"  {pointer} = addrspacecast {match[1]} {match[2]} to ptr{at}")
    writes = 0 if isinstance(access, m.Load) else 1
    given = f"ptr {array}, i64 {root.size}, ptr {pointer}, i64 {access.size}, i32 {writes}"
    lines.append(f"  {name} = call ptr @{LOCAL_PLACE}({given}){at}")
    if match[1] != "ptr":
        lines.append(f"  {name}.own = addrspacecast ptr {name} to {match[1]}{at}")
        name = f"{name}.own"
    return (*lines, row.replace(match[0], f"{match[1]} {name}"))


def local_place_helper(location: Location | None) -> tuple[str, str]:
    """Name and definition of the function that checks the accesses of one place."""
    span = user_location(location).span if location is not None else None
    path, line, column = (span.path, span.line, span.column) if span else ("", 0, 0)
    key = hashlib.sha256(f"{path}\0{line}\0{column}".encode()).hexdigest()[:16]
    name = f"drano.local.{key}"
    text = constant_text(f"@{name}.path", path.encode("utf-8", "surrogateescape"))
    parameters = f"{CONTEXT}, ptr %array, i64 %size, ptr %p, i64 %bytes, i32 %writes"
    code = define(name, "ptr", parameters, f"""
        %first = ptrtoint ptr %array to i64
        %place = ptrtoint ptr %p to i64
        %offset = sub i64 %place, %first
        %last = sub i64 %size, %bytes
        %inside = icmp ule i64 %offset, %last
        br i1 %inside, label %fine, label %fault, !prof !12
        fault:
        call void @drano_local_fault(ptr %w, ptr @{name}.path, i32 {line}, i32 {column}, \
i64 %lane, i64 %offset, i64 %size, i64 %bytes, i32 %writes)
        ret ptr %array
        fine:
        ret ptr %p""")  # fmt: skip
    return name, f"{text}\n{code}"
