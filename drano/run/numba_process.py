"""Numba kernels with a signature in a comment, compiled in a process of their own.

As ``triton_process``: the Python source is imported there, by the interpreter that the user has
named for that. It needs Numba, but nothing of what drano needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from drano.embedded.numba_comments import NumbaRequest
from drano.model.settings import CompileOptions
from drano.run.triton_process import Made, answers

_SCRIPT = """
import importlib.util, os, sys
def load(name):
    path = os.path.join(sys.argv[1], "drano", "python", name + ".py")
    spec = importlib.util.spec_from_file_location("_drano_" + name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
load("numba_requests").answer(sys.argv[2], sys.argv[3], load("numba_ptx"))
"""


def compile_numba(
    path: str, source: str, requests: Sequence[NumbaRequest], options: CompileOptions
) -> list[Made]:
    """The kernels of the source of ``path``, compiled. Raises IRError where no process can be."""
    good = [request for request in requests if not request.problem]
    made = iter(answers(path, source, [asdict(r) for r in good], _SCRIPT, "Numba", options))
    return [
        Made(request, problem=request.problem) if request.problem else Made(request, **next(made))
        for request in requests
    ]
