"""What compiles kernels with signatures in comments, for ``run.annotated_kernels``."""

from __future__ import annotations

from typing import Any

from drano.frontend.compiled.triton_cache import at_source
from drano.python.numba_requests import answer_with
from drano.python.triton_kernels import compiled


def answer(asked: str, output: str) -> None:
    """Compile what the file ``asked`` asks for, and write what became of it."""
    answer_with(asked, output, _made)


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
