"""One run of clang: what it leaves and says, and what is to be said where it says nothing.

Assumptions: clang writes nothing but what we name in a temporary directory.
"""

from __future__ import annotations

import signal
from pathlib import Path

from drano.frontend.clang_command import Toolchain, command_of, input_of
from drano.frontend.clang_flags import GO_ON
from drano.frontend.clang_messages import MAX_DIAGNOSTICS, parse_messages
from drano.frontend.repair.next_try import Outcome, Plan
from drano.frontend.unit_files import files_of
from drano.model.finding import Severity
from drano.model.report import Diagnostic
from drano.model.settings import CompileOptions
from drano.support.errors import IRError
from drano.support.input_files import MAX_IR_BYTES
from drano.support.limited_process import Completed, run_limited

_MEMORY_SIGNS = (
    "out of memory",
    "bad_alloc",
    "failed to map",
    "annot allocate",  # the loader (memory, TLS data structures), before clang itself runs
)


def try_plan(
    path: str,
    content: bytes,
    options: CompileOptions,
    tools: Toolchain,
    plan: Plan,
    directory: Path,
    timeout: float,
) -> Outcome:
    """Compile ``content`` as ``plan`` says, within ``timeout`` seconds. Raises IRError where clang
    cannot be run, or not with such flags.
    """
    arguments, prelude, used = command_of(path, content, options, tools, plan, directory)
    output = plan.side.output or str(directory / "unit.ll")
    arguments += ["-MD", "-MF", str(directory / "unit.d"), *GO_ON, "-o", output]
    if plan.all_errors:
        arguments.append("-ferror-limit=0")
    arguments += input_of(path, directory)
    try:
        completed = run_limited(
            arguments, timeout=timeout, memory=options.memory, file_size=MAX_IR_BYTES
        )
    except OSError as error:
        raise IRError(tools.clang.path, error.strerror or "cannot be run") from error
    except ValueError as error:  # a NUL or what has no byte encoding
        raise IRError(path, f"cannot pass on a compiler flag: {error}") from error
    files, missing = files_of(path, directory, used, options.force_includes)
    most = None if plan.all_errors else MAX_DIAGNOSTICS
    said = parse_messages(completed.stderr, path, most)
    return Outcome(completed, said, prelude, used, files, missing)


def ir_of(plan: Plan, directory: Path) -> str:
    """The IR that was made; "" where something else was."""
    if plan.side.output is not None:
        return ""
    return (directory / "unit.ll").read_text(encoding="utf-8", errors="replace")


def is_out_of_memory(diagnostic: Diagnostic) -> bool:
    """Whether it is clang's own end, which it may tell several times, and not about the source."""
    return not diagnostic.line and any(sign in diagnostic.message for sign in _MEMORY_SIGNS)


def unexplained(path: str, options: CompileOptions, completed: Completed) -> Diagnostic:
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
