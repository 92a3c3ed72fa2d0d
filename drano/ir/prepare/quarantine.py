"""Prepares IR that strangers wrote in a process of its own: LLVM trusts its input.

Means: deep nesting overflows LLVM's stack, cyclic debug scopes make it loop, wrong metadata kinds
trip its assertions; none of that can be caught within a process. What comes back is the text of
the prepared module as LLVM printed it and read it again, which is safe to read here.
Limits: costs the start of an interpreter, about 0.4 s. Time and memory are limited (memory on
Linux only).
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from drano.model.settings import View
from drano.support.errors import IRError, IRTimeoutError
from drano.support.limited_process import run_limited

TIMEOUT = 60.0
MEMORY = 8 << 30
MAX_OUTPUT = 1 << 30
REFUSED = 3

_SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from drano.ir.prepare.quarantined import main
sys.exit(main(*sys.argv[2:6]))
"""


def prepared_text(
    ir_text: str,
    path: str,
    timeout: float = TIMEOUT,
    memory: int = MEMORY,
    view: View = View.WRITTEN,
) -> str:
    """The text of the prepared module. IRError when there is none, for whatever reason."""
    try:
        data = ir_text.encode()
    except UnicodeEncodeError:
        raise IRError(path, "not LLVM IR: holds bytes that are not UTF-8") from None
    with tempfile.TemporaryDirectory(prefix="drano-") as name:
        source, target = Path(name) / "unit.ll", Path(name) / "prepared.ll"
        source.write_bytes(data)
        root = Path(__file__).parents[3]
        arguments = [sys.executable, "-I", "-c", _SCRIPT, str(root), str(source), str(target), path]
        arguments.append(str(view))
        completed = run_limited(arguments, timeout=timeout, memory=memory, file_size=MAX_OUTPUT)
        if completed.timed_out:
            raise IRTimeoutError(path, f"LLVM did not get through this IR in {timeout:g} seconds")
        if completed.status == REFUSED:
            raise IRError(path, target.read_text(encoding="utf-8"))
        if completed.status != 0:
            raise IRError(path, f"LLVM breaks down on this IR{_last_words(completed.stderr)}")
        return target.read_text(encoding="utf-8")


def _last_words(messages: str) -> str:
    """The assertion that LLVM died of, or nothing."""
    for line in reversed(messages.splitlines()):
        _, found, rest = line.partition("Assertion `")
        if found:
            return f": {rest[:200]}"
    return ""
