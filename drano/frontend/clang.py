"""From a source file to device IR, by as many tries of clang as its messages ask for.

``.cu`` and ``.cuh`` are compiled for the device only, with unoptimised IR that keeps names,
columns, types and inlined call sites (``-O1`` without passes: no ``optnone``). ``.ll`` is read,
``.bc`` disassembled, PTX translated (``ptx_input``). Old sources are retried with repairs
(``repair.dialect_fixups``). A missing header stops nobody: it is looked for in the repository
(``project_headers``), there are stand-ins for a few (``stand_ins``), and without the others clang
goes on. A unit with errors is made to give the IR of what is sound in it (``repair.rescue``); where
that fails, there is no IR, only clang's messages.

Assumptions: the virtual architecture makes no difference to what is analysed. clang writes nothing
but what we name in a temporary directory. All tries of one file share its time limit.
"""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from drano.frontend.clang_command import (
    Toolchain,
    base_of,
    command_of,
    own_preamble,
    prelude_of,
    searched_directories,
)
from drano.frontend.clang_flags import (
    ARCHITECTURE,
    MESSAGES,
    QUIET,
    prelude_arguments,
    user_arguments,
)
from drano.frontend.clang_messages import MAX_DIAGNOSTICS
from drano.frontend.clang_run import ir_of, is_out_of_memory, try_plan, unexplained
from drano.frontend.commands.compile_database import with_compile_commands
from drano.frontend.compiled.ir_input import read_bitcode, read_ir
from drano.frontend.compiled.ptx_input import read_binary, read_ptx
from drano.frontend.constant_tables import with_constant_tables
from drano.frontend.failed_unit import failed, timed_out
from drano.frontend.headers import include_pch as preamble
from drano.frontend.headers import stand_ins
from drano.frontend.headers.project_headers import directories_for, directories_of
from drano.frontend.repair import dialect_fixups, rescue
from drano.frontend.repair.next_try import (
    Outcome,
    Plan,
    Side,
    next_plan,
    with_common_again,
    with_kernels,
)
from drano.frontend.sdk.headers import cuda_headers
from drano.frontend.text.block_sizes import with_block_sizes
from drano.frontend.text.text_scan import scan_text
from drano.frontend.toolchain import find_clang, host_headers
from drano.frontend.unit_files import files_of, sources_of, told_missing, used_directories
from drano.model.finding import Severity
from drano.model.report import Found
from drano.model.settings import CompileOptions
from drano.model.translation_unit import CompiledUnit
from drano.support.errors import IRError
from drano.support.input_files import InputKind, check_content, input_kind, read_input

__all__ = ["compile_host", "compile_unit", "find_clang", "prelude_arguments", "user_arguments"]

_MAX_TRIES = 12
_STD = re.compile(r"[\w+:]+\Z")
_FATAL = re.compile(r"fatal error: (?!too many errors)")


def compile_unit(
    path: str,
    options: CompileOptions,
    source_text: str | bytes | None = None,
    *,
    precompiled: bool = True,
    preambles: bool = False,
    partial: bool = False,
) -> CompiledUnit:
    """Device IR of the file at ``path``; of ``source_text`` in its place when given: of a Python
    source the CUDA that is within it.

    ``precompiled``: use a precompiled prelude; without one the result is the same, only later.
    ``preambles``: also use what ``precompile_preamble`` has made. ``partial``: of a unit with
    errors give what compiles, without the kernels that the errors cost.

    What is wrong with the input is in the result's diagnostics. Raises IRError when the toolchain
    itself cannot be used (no clang, no CUDA headers, a bad ``cuda_path`` or compile database).
    """
    start = time.monotonic()
    absolute = os.path.abspath(path)
    if options.compile_commands is not None:
        options = with_compile_commands(absolute, options)
    try:
        kind = input_kind(absolute, options.flags)
        if source_text is None:
            content = read_input(absolute, kind)
        else:
            content = _encoded(source_text)
            check_content(absolute, kind, content)
        if kind in (InputKind.CUDA, InputKind.PYTHON):
            _check_options(absolute, options)
    except IRError as error:
        return failed(absolute, start, error.reason)
    match kind:
        case InputKind.CUDA | InputKind.PYTHON:
            edited = None if source_text is None else content
            texts = {} if edited is None else {absolute: edited}
            plan = Plan(precompiled=precompiled, preambles=preambles, partial=partial, texts=texts)
            unit = _compile_cuda(absolute, options, content, plan, start)
            noted = unit.ir and with_block_sizes(with_constant_tables(unit.ir))
            return replace(unit, ir=noted)
        case InputKind.IR:
            return read_ir(absolute, content, start)
        case InputKind.BITCODE:
            return read_bitcode(absolute, content, options, start)
        case InputKind.PTX:
            return read_ptx(absolute, content, options.timeout)
        case InputKind.BINARY:
            return read_binary(absolute, content, options.timeout)


def compile_host(
    path: str, options: CompileOptions, flags: Sequence[str], output: str
) -> CompiledUnit:
    """Compile the host side of the CUDA source at ``path`` to the file ``output``.

    ``flags``: what is made, and how (``-c -O2 …``). Sources are repaired as for the device; the
    result's ``ir`` is None when it did not compile, else empty. Raises IRError as ``compile_unit``.
    """
    start = time.monotonic()
    absolute = os.path.abspath(path)
    try:
        content = read_input(absolute, InputKind.CUDA)
        _check_options(absolute, options)
    except IRError as error:
        return failed(absolute, start, error.reason)
    side = Side(("--cuda-host-only", *QUIET, *MESSAGES, *flags), output)
    own = dialect_fixups.plain_managed(content)
    texts = {} if own == content else {absolute: own}
    return _compile_cuda(absolute, options, content, Plan(side=side, texts=texts), start)


def _encoded(text: str | bytes) -> bytes:
    return text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text


def _check_options(path: str, options: CompileOptions) -> None:
    """Raises IRError for options clang would mistake for something else or only crash on."""
    if ARCHITECTURE.match(options.architecture) is None:
        raise IRError(
            path, f"unknown GPU architecture '{options.architecture}': expected e.g. sm_70"
        )
    if options.std is not None and _STD.match(options.std) is None:
        raise IRError(path, f"unknown language standard '{options.std}'")


# --- one CUDA file ---------------------------------------------------------------------------


def _compile_cuda(
    path: str, options: CompileOptions, content: bytes, plan: Plan, start: float
) -> CompiledUnit:
    clang = find_clang()
    tools = Toolchain(clang, cuda_headers(options.cuda_path), host_headers(clang))
    if tools.host.problem is not None:
        return failed(path, start, tools.host.problem)
    searched = searched_directories(options, tools)
    plan = replace(plan, found=Found(directories_for(path, content, searched)))
    with tempfile.TemporaryDirectory(prefix="drano-") as name:
        directory = Path(name)
        for _ in range(_MAX_TRIES):
            left = options.timeout - (time.monotonic() - start)
            if left <= 0:
                return timed_out(path, options, start)
            outcome = try_plan(path, content, options, tools, plan, directory, left)
            if outcome.completed.timed_out:
                return timed_out(path, options, start, outcome.completed.stuck)
            changed = _with_found(path, plan, outcome)
            if changed is None and outcome.completed.status == 0:
                ir = ir_of(plan, directory)
                changed = with_kernels(path, content, options, plan, ir, outcome.files)
                if changed is None:
                    return _succeeded(path, content, options, plan, outcome, ir, directory, start)
            changed = changed or next_plan(path, content, options, plan, outcome)
            if changed is None:
                break
            plan = changed
        unit = _rescued(path, content, options, tools, plan, outcome, directory, start)
    if unit is not None:
        return unit
    diagnostics = outcome.diagnostics[:MAX_DIAGNOSTICS]
    if not diagnostics or any(map(is_out_of_memory, diagnostics)):
        diagnostics = (unexplained(path, options, outcome.completed),)
    return CompiledUnit(
        path,
        None,
        (path,),
        diagnostics,
        time.monotonic() - start,
        missing_headers=told_missing(path, content, outcome.missing, ()),
    )


def _with_found(path: str, plan: Plan, outcome: Outcome) -> Plan | None:
    """The next plan when the repository holds what was missing."""
    more = directories_of(outcome.missing, path)
    wider = plan.found.joined(Found(more))
    return replace(plan, found=wider) if wider != plan.found else None


def _rescued(
    path: str,
    content: bytes,
    options: CompileOptions,
    tools: Toolchain,
    plan: Plan,
    outcome: Outcome,
    directory: Path,
    start: float,
) -> CompiledUnit | None:
    """What can be compiled of a unit with errors; None when that is nothing."""
    errors = [d for d in outcome.diagnostics if d.severity is Severity.ERROR and d.line]
    # What is fatal (endless templates, includes that include themselves) stops clang there, too.
    fatal = _FATAL.search(outcome.completed.stderr) is not None
    if not plan.partial or not errors or fatal:
        return None
    plan = replace(with_common_again(plan, outcome), preambles=False)

    def command(texts: dict[str, bytes], *, precompiled: bool) -> list[str]:
        now = replace(plan, texts=texts, precompiled=plan.precompiled and precompiled)
        return command_of(path, content, options, tools, now, directory)[0]

    result = rescue.rescue(
        rescue.Job(path, command, tools.clang.version[:2], tools.headers.root, directory),
        plan.texts,
        until=start + options.timeout,
        memory=options.memory,
    )
    if result is None:
        late = time.monotonic() - start >= options.timeout
        return timed_out(path, options, start) if late else None
    dependencies, missing = files_of(path, directory, None, options.force_includes)
    used = replace(plan.found, directories=used_directories(plan.found.directories, dependencies))
    return CompiledUnit(
        path,
        result.ir,
        (*dependencies, *sources_of(path, used)),
        (),
        time.monotonic() - start,
        missing_headers=told_missing(path, content, missing, dependencies),
        found=used,
        not_analysed=result.not_analysed,
        host_errors=result.host_errors,
    )


def precompile_preamble(path: str, options: CompileOptions, content: bytes) -> bool:
    """Have later compilations of the source begin behind its leading ``#include`` block.

    ``path``: absolute. Whether that is so now; raises nothing.
    """
    try:
        if options.compile_commands is not None:
            options = with_compile_commands(path, options)
        if input_kind(path, options.flags) is not InputKind.CUDA:
            return False
        clang = find_clang()
        tools = Toolchain(clang, cuda_headers(options.cuda_path), host_headers(clang))
        base, user = base_of(options, tools, Side()), user_arguments(options)
        scan = scan_text(path, [*user, *stand_ins.OWN_STUB_FLAGS], content)
        prelude = prelude_of(base, user, tools, scan)
        first = own_preamble(path, content, options, base, prelude, user)
    except IRError:
        return False
    return first is not None and preamble.make(first, options.timeout, options.memory)


def _succeeded(
    path: str,
    content: bytes,
    options: CompileOptions,
    plan: Plan,
    outcome: Outcome,
    ir: str,
    directory: Path,
    start: float,
) -> CompiledUnit:
    dependencies, missing = outcome.files, outcome.missing
    used = replace(plan.found, directories=used_directories(plan.found.directories, dependencies))
    return CompiledUnit(
        path,
        ir,
        (*dependencies, *sources_of(path, used)),
        (),
        time.monotonic() - start,
        preamble=outcome.preamble is not None,
        missing_headers=told_missing(path, content, missing, dependencies),
        found=used,
    )
