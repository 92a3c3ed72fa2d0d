"""What compiles kernels with signatures in comments, for ``run.annotated_kernels``."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path
from typing import Any

from drano.frontend.compiled.triton_cache import at_source
from drano.python.triton_kernels import compiled


def answer(asked: str, output: str) -> None:
    """Import the source that the file ``asked`` names, compile, and write what became of it."""
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
    made = [_made(module, request, path) for request in given["requests"]]
    Path(output).write_text(json.dumps(made), encoding="utf-8")


def _made(module: Any, request: dict[str, Any], path: str) -> dict[str, str]:
    options = dict(request["options"])
    try:
        numbers = {name: int(text) for name, text in options.items() if name != "arch"}
        kernel = compiled(
            getattr(module, request["kernel"]), dict(request["signature"]),
            dict(request["constexprs"]), options.get("arch", "sm_90"), numbers,
        )  # fmt: skip
    except Exception as error:
        return {"problem": " ".join(f"{type(error).__name__}: {error}".split())[:300]}
    return {"code": at_source(kernel.llir, kernel.name, path)}
