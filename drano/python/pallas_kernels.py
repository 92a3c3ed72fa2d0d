"""Pallas's kernels, as ``jax_hooks.py`` has recorded them, compiled by Triton.

Means: Triton's IR of a kernel, from JAX, becomes what Triton's cache holds of one of its own
kernels: the same two files, with the names of the function's parameters and its lines. XLA
compiles the same IR in the same way, by a Triton of its own.
Assumptions: Triton is there: where drano is, or where the program ran. Arrays are aligned as
drano assumes of allocations.
Limits: XLA's Triton and the one that is installed may be of different versions; what they make of
an access, its layout, is chosen by the same rules, but these may have changed.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Final

from drano.support.limited_process import run_limited

SUFFIX: Final = ".ttir"
# Not `triton.compile`: of a file with Triton's IR it leaves out the passes over that IR, which XLA
# runs, and knows less of strides then.
_COMPILE = """
import inspect, json, pathlib, sys
from triton._C.libtriton import ir
from triton.backends import compiler
from triton.compiler.compiler import make_backend
def made(path, capability, given):
    backend = make_backend(compiler.GPUTarget("cuda", capability, 32))
    options = backend.parse_options(given)
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = ir.parse_mlir_module(str(path), context)
    module.context = context
    stages, more = {}, ()
    if len(inspect.signature(backend.add_stages).parameters) > 2:
        more = (compiler.Language.TRITON,)
    backend.add_stages(stages, options, *more)
    metadata, texts = dict(vars(options)), {}
    for name in ("ttir", "ttgir", "llir"):
        module = stages[name](module, metadata)
        texts[name] = str(module)
    return texts
for line in sys.stdin:
    path, capability, options = json.loads(line)
    path = pathlib.Path(path)
    try:
        texts = made(path, capability, options)
        path.with_suffix(".ttgir").write_text(texts["ttgir"], encoding="utf-8")
        path.with_suffix(".made").write_text(texts["llir"], encoding="utf-8")
    except Exception as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        path.with_suffix(".problem").write_text(said, encoding="utf-8")
"""
_MEMORY: Final = 8 << 30
_ENTRY = re.compile(r"^define (?:ptx_kernel )?void @([\w$.-]+)\(", re.MULTILINE)
_THREADS = re.compile(r'"nvvm\.reqntid"="(\d+)"')
_PARAMETER = re.compile(r"(%arg(\d+): [^%]*?) loc\((?:unknown|#loc\d*)\)")
_END = re.compile(r"^  \} loc\((?:unknown|#loc\d*)\)$", re.MULTILINE)
_PLACE = re.compile(r'(loc\("[^"\n]+":\d+:)(\d+)(?: to (?:\d+)?:\d+)?\)')
_CALLED = re.compile(r"loc\(callsite\((#loc\d*) at #loc\d*\)\)")
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def compile_recorded(folder: Path, timeout: float, old: Collection[Path]) -> list[str]:
    """Triton's IR in ``folder``, compiled beside itself; what is to be said of what is not. The
    Python that an ``old`` file names, from before the command was run, is never started.
    """
    facts = {
        path: _facts(path)
        for path in sorted(folder.glob(f"*{SUFFIX}"))
        if not path.with_suffix(".llir").exists() and not _leads_elsewhere(path)
    }
    for path, known in facts.items():
        text = path.read_text(encoding="utf-8", errors="replace")
        path.write_text(with_source(text, known), encoding="utf-8", errors="replace")
    waiting, said = list(facts), ""
    named = (
        str(known.get("python"))
        for path, known in facts.items()
        if path.with_suffix(".json") not in old
    )
    pythons = dict.fromkeys((sys.executable, *named))
    for python in pythons:
        while waiting:
            said = _compiled(python, waiting, facts, timeout)
            rest = [path for path in waiting if not _done(path)]
            if len(rest) == len(waiting):
                break
            # What Triton ends at, it ends at again.
            waiting = rest
    return _finished(facts, said)


def _leads_elsewhere(path: Path) -> bool:
    """Whether a file that is read or written here is a link: of a folder that others filled."""
    ends = (SUFFIX, ".json", ".ttgir", ".made", ".problem", ".llir")
    return any(path.with_suffix(end).is_symlink() for end in ends)


def _finished(facts: dict[Path, dict[str, Any]], said: str) -> list[str]:
    notes: list[str] = []
    for path, known in facts.items():
        made, problem = path.with_suffix(".made"), path.with_suffix(".problem")
        if made.exists():
            text = made.read_text(encoding="utf-8", errors="replace")
            path.with_suffix(".llir").write_text(with_notes(text, known), encoding="utf-8")
            made.unlink()
            continue
        reason = problem.read_text(encoding="utf-8") if problem.exists() else said
        problem.unlink(missing_ok=True)
        notes.append(f"the Pallas kernel {known.get('name')} is not analysed: {reason}")
    return notes


def _done(path: Path) -> bool:
    return path.with_suffix(".made").exists() or path.with_suffix(".problem").exists()


def _compiled(
    python: str, paths: Sequence[Path], facts: dict[Path, dict[str, Any]], timeout: float
) -> str:
    """Why a Python has not compiled all of them."""
    asked = [
        [
            str(path),
            _number(facts[path].get("capability"), 90),
            {
                "num_warps": _number(facts[path].get("num_warps"), 4),
                "num_stages": _number(facts[path].get("num_stages"), 3),
            },
        ]
        for path in paths
    ]
    given = "".join(f"{json.dumps(one)}\n" for one in asked).encode()
    try:
        ran = run_limited(
            [python, "-c", _COMPILE], timeout=timeout * len(paths), memory=_MEMORY, stdin=given
        )
    except OSError as error:
        return error.strerror or "Python cannot be run"
    if ran.timed_out:
        return "Triton takes too long"
    if "No module named 'triton'" in ran.stderr:
        return "Triton is needed to compile it (pip install 'drano[triton]')"
    return f"Triton ended with status {ran.status}" if ran.status else ""


def _number(given: object, otherwise: int) -> int:
    return given if isinstance(given, int) and 0 < given < 1 << 20 else otherwise


def _facts(path: Path) -> dict[str, Any]:
    try:
        facts = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return facts if isinstance(facts, dict) else {}


def with_source(text: str, facts: dict[str, Any]) -> str:
    """JAX's module with what it leaves out: where the function is, and its parameters' names.

    JAX counts columns from 0, and Triton from 1. Some versions of JAX say who called
    ``pallas_call`` as if the kernel had been inlined there: what counts is the innermost place.

    >>> with_source('#loc3 = loc(callsite(#loc1 at #loc2))', {})
    '#loc3 = loc("call"(#loc1))'
    """
    names = facts.get("parameters")
    known = [str(name) for name in names] if isinstance(names, list) else []

    def named(match: re.Match[str]) -> str:
        place = int(match[2])
        name = known[place] if place < len(known) else ""
        return f'{match[1]} loc("{name}")' if _NAME.fullmatch(name) else match[0]

    text = _PLACE.sub(lambda match: f"{match[1]}{int(match[2]) + 1})", text)
    text = _CALLED.sub(r'loc("call"(\1))', text)
    text = _PARAMETER.sub(named, text)
    source, line = str(facts.get("source", "")), facts.get("line")
    if not source or '"' in source or "\\" in source or not isinstance(line, int):
        return text
    return _END.sub(f'  }} loc("{source}":{line}:1)', text, count=1)


def with_notes(llir: str, facts: dict[str, Any]) -> str:
    """Triton's LLVM IR with its launch and the language of its source, in comments behind it."""
    notes = ["language pallas"]
    entry, threads, grid = _ENTRY.search(llir), _THREADS.search(llir), facts.get("grid")
    if entry is not None and threads is not None:
        block = f"block={threads[1]}"
        sizes = grid if isinstance(grid, list) and 0 < len(grid) <= 3 else []
        shape = f" grid={','.join(map(str, sizes))}" if sizes else ""
        notes.append(f"launch {entry[1]} {block}{shape}")
    return "\n".join([llir.rstrip("\n"), *(f"; drano: {note}" for note in notes), ""])
