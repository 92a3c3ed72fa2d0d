"""What compiles Numba kernels with signatures in comments, for ``run.annotated_kernels``.

Imports the standard library and ``numba_ptx`` only: the interpreter need not have drano's own
requirements.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

_NEWEST = "sm_90"


def answer(asked: str, output: str, numba_ptx: Any) -> None:
    """Compile what the file ``asked`` asks for, and write what became of it."""
    answer_with(asked, output, partial(_made, numba_ptx))


def answer_with(
    asked: str, output: str, made: Callable[[Any, dict[str, Any], str], dict[str, str]]
) -> None:
    """Import the source that the file ``asked`` names, and write what is ``made`` of each request
    with its module and path.
    """
    given = json.loads(Path(asked).read_text(encoding="utf-8"))
    path = given["path"]
    sys.path.insert(0, os.path.dirname(path))
    name = Path(path).stem
    spec = importlib.util.spec_from_file_location(name, given["copy"])
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    answers = [made(module, request, path) for request in given["requests"]]
    Path(output).write_text(json.dumps(answers), encoding="utf-8")


def _made(numba_ptx: Any, module: Any, request: dict[str, Any], path: str) -> dict[str, str]:
    try:
        digits = (request["arch"] or _NEWEST).removeprefix("sm_")
        kernel = getattr(module, request["kernel"])
        launches = [(request["grid"], request["block"])] if request["block"] else []
        ptx = numba_ptx.kernel_ptx(
            kernel, request["signature"], (int(digits[:-1]), int(digits[-1])), launches
        )
        copy = getattr(kernel, "py_func", kernel).__code__.co_filename
    except Exception as error:
        return {"problem": " ".join(f"{type(error).__name__}: {error}".split())[:300]}
    return {"code": ptx.replace(f'"{copy}"', f'"{path}"')}
