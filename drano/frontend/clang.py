"""From a source file to device IR: finds what clang needs, runs it, and reads its messages.

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

import dataclasses
import os
import re
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from drano.frontend import triton_cache
from drano.frontend.clang_flags import (
    ARCHITECTURE,
    GO_ON,
    MESSAGES,
    QUIET,
    prelude_arguments,
    user_arguments,
)
from drano.frontend.clang_messages import MAX_DIAGNOSTICS, parse_dependencies, parse_messages
from drano.frontend.commands.compile_database import with_compile_commands
from drano.frontend.constant_tables import with_constant_tables
from drano.frontend.headers import include_pch as preamble
from drano.frontend.headers import integer_names, old_cccl, prelude_pch, stand_ins
from drano.frontend.headers.common_headers import common_headers
from drano.frontend.headers.configured_headers import made_of
from drano.frontend.headers.overlay import overlay_flags
from drano.frontend.headers.project_headers import directories_for, directories_of, places_of
from drano.frontend.ptx_input import read_binary, read_ptx
from drano.frontend.ptx_notes import PtxNotes, ptx_notes
from drano.frontend.repair import dialect_fixups, rescue
from drano.frontend.repair.build_macros import defined_in
from drano.frontend.repair.next_try import (
    Outcome,
    Plan,
    Side,
    next_plan,
    with_common_again,
    with_kernels,
)
from drano.frontend.sdk.headers import CudaHeaders, cuda_headers
from drano.frontend.text.block_sizes import with_block_sizes
from drano.frontend.text.cpp_lexer import includes
from drano.frontend.text.text_scan import TextScan, scan_text
from drano.frontend.toolchain import Clang, HostHeaders, find_clang, host_headers
from drano.model.finding import Severity
from drano.model.report import Diagnostic, Found, MissingHeader
from drano.model.settings import CompileOptions
from drano.model.translation_unit import CompiledUnit
from drano.support.errors import IRError
from drano.support.input_files import MAX_IR_BYTES, InputKind, check_content, input_kind, read_input
from drano.support.limited_process import Completed, run_limited

__all__ = ["compile_host", "compile_unit", "find_clang", "prelude_arguments", "user_arguments"]

_MAX_TRIES = 12
_STD = re.compile(r"[\w+:]+\Z")
_TRIPLE = re.compile(r'^target triple = "([^"]*)"', re.MULTILINE)
_DIRECTORY_FLAGS = ("-I", "-isystem", "-iquote", "-idirafter")
_FATAL = re.compile(r"fatal error: (?!too many errors)")
_MEMORY_SIGNS = (
    "out of memory",
    "bad_alloc",
    "failed to map",
    "Cannot allocate memory",  # the loader, before clang itself runs
)

_DISASSEMBLE = """
import sys, llvmlite.binding as llvm
with open(sys.argv[1], "rb") as file:
    module = llvm.parse_bitcode(file.read())
with open(sys.argv[2], "w", encoding="utf-8") as file:
    file.write(str(module))
"""


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
        return _failed(absolute, start, error.reason)
    match kind:
        case InputKind.CUDA | InputKind.PYTHON:
            edited = None if source_text is None else content
            texts = {} if edited is None else {absolute: edited}
            plan = Plan(precompiled=precompiled, preambles=preambles, partial=partial, texts=texts)
            unit = _compile_cuda(absolute, options, content, plan, start)
            noted = unit.ir and with_block_sizes(with_constant_tables(unit.ir))
            return dataclasses.replace(unit, ir=noted)
        case InputKind.IR:
            return _read_ir(absolute, content, start)
        case InputKind.BITCODE:
            return _disassemble(absolute, content, options, start)
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
        return _failed(absolute, start, error.reason)
    side = Side(("--cuda-host-only", *QUIET, *MESSAGES, *flags), output)
    own = dialect_fixups.plain_managed(content)
    texts = {} if own == content else {absolute: own}
    return _compile_cuda(absolute, options, content, Plan(side=side, texts=texts), start)


def _encoded(text: str | bytes) -> bytes:
    return text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text


def _failed(path: str, start: float, reason: str) -> CompiledUnit:
    diagnostic = Diagnostic(path, 0, 0, Severity.ERROR, reason)
    return CompiledUnit(path, None, (path,), (diagnostic,), time.monotonic() - start)


def _check_options(path: str, options: CompileOptions) -> None:
    """Raises IRError for options clang would mistake for something else or only crash on."""
    if ARCHITECTURE.match(options.architecture) is None:
        raise IRError(
            path, f"unknown GPU architecture '{options.architecture}': expected e.g. sm_70"
        )
    if options.std is not None and _STD.match(options.std) is None:
        raise IRError(path, f"unknown language standard '{options.std}'")


# --- one CUDA file ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Toolchain:
    clang: Clang
    headers: CudaHeaders
    host: HostHeaders


def _compile_cuda(
    path: str, options: CompileOptions, content: bytes, plan: Plan, start: float
) -> CompiledUnit:
    clang = find_clang()
    tools = _Toolchain(clang, cuda_headers(options.cuda_path), host_headers(clang))
    if tools.host.problem is not None:
        return _failed(path, start, tools.host.problem)
    searched = _searched(options, tools)
    plan = dataclasses.replace(plan, found=Found(directories_for(path, content, searched)))
    with tempfile.TemporaryDirectory(prefix="drano-") as name:
        directory = Path(name)
        for _ in range(_MAX_TRIES):
            left = options.timeout - (time.monotonic() - start)
            if left <= 0:
                return _timed_out(path, options, start)
            outcome = _try(path, content, options, tools, plan, directory, left)
            if outcome.completed.timed_out:
                return _timed_out(path, options, start, outcome.completed.stuck)
            changed = _with_found(path, plan, outcome)
            if changed is None and outcome.completed.status == 0:
                ir = _output(plan, directory)
                changed = with_kernels(path, content, options, plan, ir)
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
    if not diagnostics or any(map(_is_out_of_memory, diagnostics)):
        diagnostics = (_unexplained(path, options, outcome.completed),)
    return CompiledUnit(
        path,
        None,
        (path,),
        diagnostics,
        time.monotonic() - start,
        missing_headers=_told_missing(path, content, outcome.missing, ()),
    )


def _searched(options: CompileOptions, tools: _Toolchain) -> list[str]:
    """Directories that clang looks into for headers, most of them."""
    flags = iter(options.flags)
    given = []
    for flag in flags:
        kind = next((k for k in _DIRECTORY_FLAGS if flag.startswith(k)), None)
        if kind is not None:
            given.append(flag.removeprefix(kind) or next(flags, ""))
    headers = tools.headers
    own = [headers.root / "include", *headers.extra_includes, Path("/usr/include")]
    return [*options.include_dirs, *given, *map(str, own)]


def _with_found(path: str, plan: Plan, outcome: Outcome) -> Plan | None:
    """The next plan when the repository holds what was missing."""
    more = directories_of(outcome.missing, path)
    wider = plan.found.joined(Found(more))
    return dataclasses.replace(plan, found=wider) if wider != plan.found else None


def _rescued(
    path: str,
    content: bytes,
    options: CompileOptions,
    tools: _Toolchain,
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
    plan = dataclasses.replace(with_common_again(plan, outcome), preambles=False)

    def command(texts: dict[str, bytes], *, precompiled: bool) -> list[str]:
        now = dataclasses.replace(plan, texts=texts, precompiled=plan.precompiled and precompiled)
        return _command(path, content, options, tools, now, directory)[0]

    result = rescue.rescue(
        rescue.Job(path, command, tools.clang.version[:2], tools.headers.root, directory),
        plan.texts,
        until=start + options.timeout,
        memory=options.memory,
    )
    if result is None:
        late = time.monotonic() - start >= options.timeout
        return _timed_out(path, options, start) if late else None
    dependencies, missing = _dependencies(path, directory, None, options.force_includes)
    used = dataclasses.replace(plan.found, directories=_used(plan.found.directories, dependencies))
    return CompiledUnit(
        path,
        result.ir,
        (*dependencies, *_sources_of(path, used)),
        (),
        time.monotonic() - start,
        missing_headers=_told_missing(path, content, missing, dependencies),
        found=used,
        not_analysed=result.not_analysed,
        host_errors=result.host_errors,
    )


def _timed_out(path: str, options: CompileOptions, start: float, stuck: str = "") -> CompiledUnit:
    unit = _failed(path, start, f"clang {stuck or f'took more than {options.timeout:g} s'}")
    return dataclasses.replace(unit, timed_out=True)


def _try(
    path: str,
    content: bytes,
    options: CompileOptions,
    tools: _Toolchain,
    plan: Plan,
    directory: Path,
    timeout: float,
) -> Outcome:
    arguments, prelude, used = _command(path, content, options, tools, plan, directory)
    output = plan.side.output or str(directory / "unit.ll")
    arguments += ["-MD", "-MF", str(directory / "unit.d"), *GO_ON, "-o", output]
    if plan.all_errors:
        arguments.append("-ferror-limit=0")
    arguments += _input(path, directory)
    try:
        completed = run_limited(
            arguments, timeout=timeout, memory=options.memory, file_size=MAX_IR_BYTES
        )
    except OSError as error:
        raise IRError(tools.clang.path, error.strerror or "cannot be run") from error
    except ValueError as error:  # a NUL or what has no byte encoding
        raise IRError(path, f"cannot pass on a compiler flag: {error}") from error
    files, missing = _dependencies(path, directory, used, options.force_includes)
    most = None if plan.all_errors else MAX_DIAGNOSTICS
    said = parse_messages(completed.stderr, path, most)
    return Outcome(completed, said, prelude, used, files, missing)


def _command(
    path: str,
    content: bytes,
    options: CompileOptions,
    tools: _Toolchain,
    plan: Plan,
    directory: Path,
) -> tuple[list[str], Path | None, Path | None]:
    """The command but for input and outputs, the prelude and the preamble that it reads."""
    options = dataclasses.replace(options, std=plan.found.standard or options.std)
    base = _base(options, tools, plan.side)
    if plan.relocatable:
        base += ["-fgpu-rdc", "-D__CUDACC_RDC__"]
    user = user_arguments(options)
    last = [*plan.found.flags, *stand_ins.OWN_STUB_FLAGS]
    prelude = None
    if plan.precompiled:
        shared = plan.common and not plan.sdk_first
        text = plan.texts.get(path, content)
        scan = scan_text(path, [*user, *last], text) if shared else None
        prelude = _prelude(base, user, tools, scan)
    first = _preamble(path, content, options, base, prelude, user)
    used = None
    texts = plan.texts
    if first is not None and plan.preambles and _untouched(plan, path, content):
        used = first.pch if preamble.usable(first, user) else None
    if first is not None and used is not None:
        texts = {**texts, path: preamble.without_block(content, len(first.block))}
    arguments = list(base)
    if prelude is not None:
        arguments += prelude_pch.included(used or prelude)
    else:
        arguments += ["-include", str(prelude_pch.PRELUDE)]
    if plan.sdk_first:
        arguments.append(f"-I{tools.headers.root / 'include'}")
    if plan.standard_library:
        arguments += ["-include", str(prelude_pch.STANDARD_LIBRARY)]
    if plan.old_cccl:
        arguments += old_cccl.FLAGS
    if plan.thrust_headers:
        arguments += old_cccl.THRUST_FLAGS
    arguments += integer_names.flags(plan.found.integers)
    arguments += [*user, *last]
    arguments += overlay_flags(texts, directory)
    return arguments, prelude, used


def _base(options: CompileOptions, tools: _Toolchain, side: Side) -> list[str]:
    return [
        tools.clang.path,
        *prelude_arguments(options, tools.headers, tools.host),
        *side.flags,
    ]


def _prelude(
    base: Sequence[str], user: Sequence[str], tools: _Toolchain, scan: TextScan | None
) -> Path | None:
    """The precompiled prelude, with what ``scan`` found that a unit includes of the SDK."""
    choices = () if scan is None else common_headers(scan, user)
    macros = frozenset[str]() if scan is None else scan.macros
    command = (*base, *prelude_pch.prelude_flags(user))
    key = f"{tools.clang.version_text} {tools.headers.key}"
    return prelude_pch.prelude_pch(command, key, choices, macros)


def _preamble(
    path: str,
    content: bytes,
    options: CompileOptions,
    base: Sequence[str],
    prelude: Path | None,
    user: Sequence[str],
) -> preamble.Preamble | None:
    """The source's leading block; one that needs an empty stand-in cannot be precompiled."""
    if prelude is None:
        return None
    return preamble.preamble_of(path, content, base, prelude, (*user, *stand_ins.OWN_STUB_FLAGS))


def _untouched(plan: Plan, path: str, content: bytes) -> bool:
    """Whether nothing of the plan changes what the leading block means."""
    repaired = plan.sdk_first or plan.relocatable or plan.standard_library or plan.old_cccl
    repaired = repaired or plan.thrust_headers
    repaired = repaired or bool(plan.found.integers)
    return not repaired and plan.texts in ({}, {path: content})


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
        tools = _Toolchain(clang, cuda_headers(options.cuda_path), host_headers(clang))
        base, user = _base(options, tools, Side()), user_arguments(options)
        scan = scan_text(path, [*user, *stand_ins.OWN_STUB_FLAGS], content)
        prelude = _prelude(base, user, tools, scan)
        first = _preamble(path, content, options, base, prelude, user)
    except IRError:
        return False
    return first is not None and preamble.make(first, options.timeout, options.memory)


def _input(path: str, directory: Path) -> list[str]:
    """The input; text of a file that does not exist yet is included into an empty one.

    The driver looks for its input on the disk only, the preprocessor in the overlay, too.
    """
    if Path(path).exists():
        return [path]
    empty = directory / "unit.cu"
    empty.write_bytes(b"")
    return ["-include", path, str(empty)]


def _output(plan: Plan, directory: Path) -> str:
    """The IR that was made; "" where something else was."""
    if plan.side.output is not None:
        return ""
    return (directory / "unit.ll").read_text(encoding="utf-8", errors="replace")


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
    used = dataclasses.replace(plan.found, directories=_used(plan.found.directories, dependencies))
    return CompiledUnit(
        path,
        ir,
        (*dependencies, *_sources_of(path, used)),
        (),
        time.monotonic() - start,
        preamble=outcome.preamble is not None,
        missing_headers=_told_missing(path, content, missing, dependencies),
        found=used,
    )


def _used(found: Sequence[str], dependencies: Sequence[str]) -> tuple[str, ...]:
    """Of the directories those with a header that was read."""
    return tuple(
        directory
        for directory in found
        if any(path.startswith(directory + "/") for path in dependencies)
    )


def _sources_of(path: str, found: Found) -> tuple[str, ...]:
    """What headers that we made were made of, and where macros are defined that we took."""
    made = (file for place in found.directories for file in made_of(place))
    return tuple(dict.fromkeys((*made, *defined_in(path, found.macros))))


def _told_missing(
    path: str, content: bytes, missing: Sequence[str], dependencies: Sequence[str]
) -> tuple[MissingHeader, ...]:
    """Headers that were not found: those that clang went on without, and those of stand-ins."""
    names = dict.fromkeys(missing, False) | dict.fromkeys(stand_ins.used(dependencies), True)
    return tuple(
        MissingHeader(
            name,
            path,
            _line_of_include(content, name),
            stand_in,
            () if stand_in else places_of(name, path),
        )
        for name, stand_in in names.items()
    )


def _line_of_include(content: bytes, name: str) -> int:
    """Where the source itself includes ``name``; 0 where a header does."""
    wanted = name.encode("utf-8", "surrogateescape")
    places = (include.start for include in includes(content) if include.name == wanted)
    place = next(places, None)
    return 0 if place is None else content.count(b"\n", 0, place) + 1


def _dependencies(
    path: str, directory: Path, used: Path | None, forced: Sequence[str] = ()
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The file and what it includes, without what we made, and headers that are missing: they alone
    have no absolute path. ``used``: the preamble, included; ``forced``: files that are included
    first, looked for in the working directory.
    """
    block = None if used is None else str(used.with_suffix(".h"))
    below = f"{directory}{os.sep}"
    try:
        text = (directory / "unit.d").read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return (path,), ()
    found = [path]
    missing = []
    for name in parse_dependencies(text):
        if not os.path.isabs(name) and name not in forced:  # noqa: PTH117 - text
            missing.append(name)
            continue
        absolute = os.path.abspath(name)
        ours = absolute.startswith(below) or absolute.endswith(".pch")
        if not ours and absolute != block:
            found.append(absolute)
    return tuple(dict.fromkeys(found)), tuple(dict.fromkeys(missing))


def _is_out_of_memory(diagnostic: Diagnostic) -> bool:
    """Whether it is clang's own end, which it may tell several times, and not about the source."""
    return not diagnostic.line and any(sign in diagnostic.message for sign in _MEMORY_SIGNS)


def _unexplained(path: str, options: CompileOptions, completed: Completed) -> Diagnostic:
    """One line for a clang that failed without a message of its own."""
    silent_abort = completed.status == -signal.SIGABRT and not completed.stderr
    if silent_abort or any(sign in completed.stderr for sign in _MEMORY_SIGNS):
        reason = f"clang ran out of memory (limit {options.memory >> 20} MB)"
    elif "File too large" in completed.stderr or completed.status == -signal.SIGXFSZ:
        reason = f"its device IR is larger than {MAX_IR_BYTES >> 20} MB"
    elif completed.status < 0:
        reason = f"clang crashed (signal {-completed.status})"
    else:
        last = completed.stderr.strip().rpartition("\n")[2][:300]
        reason = f"clang failed with status {completed.status}: {last}"
    return Diagnostic(path, 0, 0, Severity.ERROR, reason)


# --- IR as input -----------------------------------------------------------------------------


def _read_ir(path: str, content: bytes, start: float) -> CompiledUnit:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return _failed(path, start, "is not UTF-8 text")
    triple = _TRIPLE.search(text)
    if triple is not None and not triple[1].startswith("nvptx"):
        return _failed(path, start, f"is not device IR: its target is '{triple[1]}'")
    sources: tuple[str, ...] = ()
    notes = PtxNotes()
    if path.endswith(triton_cache.SUFFIX):
        notes = ptx_notes(text, path)
        text, sources = triton_cache.described(text, path), triton_cache.sources_of(text, path)
    return CompiledUnit(
        path, text, (path, *sources), (), time.monotonic() - start,
        launches=notes.launches, language=notes.language,
    )  # fmt: skip


def _disassemble(path: str, content: bytes, options: CompileOptions, start: float) -> CompiledUnit:
    """In a process of its own: LLVM's bitcode reader aborts on some damaged files."""
    with tempfile.TemporaryDirectory(prefix="drano-") as name:
        source, target = Path(name) / "unit.bc", Path(name) / "unit.ll"
        source.write_bytes(content)
        arguments = [sys.executable, "-c", _DISASSEMBLE, str(source), str(target)]
        completed = run_limited(
            arguments, timeout=options.timeout, memory=options.memory, file_size=MAX_IR_BYTES
        )
        if completed.timed_out:
            unit = _failed(path, start, "LLVM took too long to read this bitcode")
            return dataclasses.replace(unit, timed_out=True)
        if completed.status != 0:
            return _failed(path, start, "is not bitcode readable by this LLVM version")
        text = target.read_bytes()
    return _read_ir(path, text, start)
