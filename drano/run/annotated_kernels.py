"""Triton's and Numba's kernels with a signature in a comment, compiled in a process of their own.

Means: the Python source is imported there, by the interpreter that the user has named, and its
kernels are compiled as ``check_triton`` and ``check_numba`` do. Only for who has said so:
``--compile-triton PYTHON``, or the editor's setting, never a file of a repository.
Assumptions: that interpreter has Triton and this drano's dependencies, or Numba, which needs
nothing of what drano needs. It has this drano by its path.
Limits: time and memory are those of a compilation; a source that is imported may do anything else.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct, to_builtins

from drano.embedded.numba_comments import NumbaRequest
from drano.embedded.triton_comments import TritonRequest
from drano.model.settings import CompileOptions
from drano.support.errors import IRError
from drano.support.limited_process import run_limited

MAX_OUTPUT = 256 << 20
_TRITON = """
import json, sys
sys.path.insert(0, sys.argv[1])
from drano.python.triton_requests import answer
answer(sys.argv[2], sys.argv[3])
"""
_NUMBA = """
import importlib.util, os, sys
def load(name):
    path = os.path.join(sys.argv[1], "drano", "python", name + ".py")
    spec = importlib.util.spec_from_file_location("_drano_" + name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
load("numba_requests").answer(sys.argv[2], sys.argv[3], load("numba_ptx"))
"""


Request: TypeAlias = TritonRequest | NumbaRequest


class Made(Struct, frozen=True):
    """What became of a request: ``code``, Triton's IR or Numba's PTX, or the ``problem``."""

    request: Request
    code: str = ""
    problem: str = ""


def compile_triton(
    path: str, source: str, requests: Sequence[TritonRequest], options: CompileOptions
) -> list[Made]:
    """The kernels of the source of ``path``, compiled. Raises IRError where no process can be."""
    return _made(path, source, requests, _TRITON, "Triton", options)


def compile_numba(
    path: str, source: str, requests: Sequence[NumbaRequest], options: CompileOptions
) -> list[Made]:
    """The kernels of the source of ``path``, compiled. Raises IRError where no process can be."""
    return _made(path, source, requests, _NUMBA, "Numba", options)


def _made(
    path: str,
    source: str,
    requests: Sequence[Request],
    script: str,
    compiler: str,
    options: CompileOptions,
) -> list[Made]:
    good = [to_builtins(request) for request in requests if not request.problem]
    made = iter(_answers(path, source, good, script, compiler, options))
    return [
        Made(request, problem=request.problem) if request.problem else Made(request, **next(made))
        for request in requests
    ]


def _answers(
    path: str,
    source: str,
    requests: Sequence[dict[str, object]],
    script: str,
    compiler: str,
    options: CompileOptions,
) -> list[dict[str, str]]:
    """What a process of the named Python answers to ``requests`` about the source of ``path``.

    ``script``: what it runs, with the place of this drano, and of the files with question and
    answer. Raises IRError where no process can be, or it does not answer.
    """
    assert options.triton_python is not None
    with tempfile.TemporaryDirectory(prefix="drano-") as name:
        # A kernel's text is read from its file: of what is not saved, from a copy.
        folder = Path(name)
        copy = folder / "source" / Path(path).name
        copy.parent.mkdir()
        copy.write_text(source, encoding="utf-8", errors="surrogateescape")
        asked = {"path": path, "copy": str(copy), "requests": list(requests)}
        (folder / "asked.json").write_text(json.dumps(asked))
        root = str(Path(__file__).parents[2])
        answer = folder / "answer.json"
        command = [options.triton_python, "-c", script, root, str(folder / "asked.json"),
                   str(answer)]  # fmt: skip
        try:
            ran = run_limited(
                command, timeout=options.timeout, memory=options.memory * 4, file_size=MAX_OUTPUT
            )
        except OSError as error:
            raise IRError(options.triton_python, error.strerror or "cannot be run") from error
        said = [line for line in ran.stderr.splitlines() if line.strip()]
        if ran.timed_out:
            raise IRError(path, f"{compiler} took more than {options.timeout:g} s")
        try:
            found = json.loads(answer.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            reason = said[-1] if said else f"status {ran.status}"
            raise IRError(path, f"its kernels cannot be compiled by {compiler}: {reason}") from None
    assert len(found) == len(requests)
    return list(found)


def interpreter(named: str) -> str:
    """A Python by its name; ``"self"`` is the one that runs drano."""
    return sys.executable if named == "self" else os.path.expanduser(named)
