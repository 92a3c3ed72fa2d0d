"""What of a JAX program is recorded: Pallas's kernels, and what XLA compiles.

Means: Pallas makes Triton's IR of a kernel before XLA compiles it for a GPU. It is recorded as
text, with the function that it is of, its grid and its warps. Where a program has no GPU, or asks
for Pallas's interpreter, the same IR is made besides. XLA is told by ``XLA_FLAGS`` to dump what it
compiles into a directory of ours.
Assumptions: whoever calls this has JAX. Imports the standard library only, and nothing of drano:
the recorder takes this file into other Pythons.
Limits: what is not recorded leaves a note: kernels of Mosaic, kernels that Triton's IR cannot be
made of, executables from JAX's cache, and everything of XLA if the program sets its flags later.
"""

from __future__ import annotations

import atexit
import functools
import inspect
import os
import re
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import Any

Write = Callable[[str, str, dict[str, Any], dict[str, str]], None]
"""``recorder.write``, which never fails."""
FLAGS = "XLA_FLAGS"
DUMPS = "xla-dumps"
_DUMP = "--xla_dump_to="
_EMITTERS = "--xla_dump_emitter_re="
_PTX = f"{_EMITTERS}ptx"
_FIRST_BY_EMITTER = (0, 11)
_CAPABILITY = 90
_PLACE = re.compile(r" at (.*):(\d+)$", re.DOTALL)
_MAX_REASON = 200


def note(write: Write, text: str) -> None:
    """Something that is not recorded, for who reads the report."""
    write("unrecorded", text, {}, {})


# --- XLA -------------------------------------------------------------------------------------


def hook_xla(folder: str, write: Write) -> None:
    """Before XLA reads its flags: the user's own, and where to dump."""
    given = os.environ.get(FLAGS, "")
    if _DUMP in given:
        note(write, "XLA's kernels are not recorded: the program dumps them by its own XLA_FLAGS")
        return
    # Modules are numbered in each process.
    ours = f"{_DUMP}{Path(folder, DUMPS, str(os.getpid()))}"
    asked = f"{ours} {_PTX}" if _dumps_by_emitter() and _EMITTERS not in given else ours
    os.environ[FLAGS] = f"{given} {asked}".strip()
    atexit.register(_look_again, ours, write)


def _dumps_by_emitter() -> bool:
    """Whether XLA dumps PTX where it is asked to only; older ones know no such flag, and abort."""
    try:
        found = re.match(r"(\d+)\.(\d+)", version("jaxlib"))
    except PackageNotFoundError:
        return False
    return found is not None and (int(found[1]), int(found[2])) >= _FIRST_BY_EMITTER


def _look_again(ours: str, write: Write) -> None:
    if ours not in os.environ.get(FLAGS, ""):
        note(
            write, "XLA's kernels are not recorded: the program sets XLA_FLAGS after importing JAX"
        )


def hook_compilation_cache(module: ModuleType, write: Write) -> None:
    """``jax._src.compilation_cache``: what was compiled before is not dumped."""
    original = module.get_executable_and_time

    @functools.wraps(original)
    def get(*arguments: Any, **keywords: Any) -> Any:
        found = original(*arguments, **keywords)
        if found[0] is not None:
            note(
                write,
                "XLA's kernels are recorded in part: JAX took some from its cache of compiled "
                "programs (JAX_ENABLE_COMPILATION_CACHE=false compiles all)",
            )
        return found

    vars(module)["get_executable_and_time"] = get


# --- Pallas ----------------------------------------------------------------------------------


_lowered: list[Any] = []
"""The parameters for the compiler of calls that are being lowered."""


def hook_lowering(module: ModuleType, write: Write) -> None:
    """``jax._src.pallas.triton.lowering``: Triton's IR of a kernel, as it is made."""
    original = module.lower_jaxpr_to_triton_module

    @functools.wraps(original)
    def lowered(jaxpr: Any, *arguments: Any, **keywords: Any) -> Any:
        result = original(jaxpr, *arguments, **keywords)
        _, platform, capability, *_ = (*arguments, None, None, None)
        if keywords.get("platform", platform) != "rocm":
            params = _lowered[-1] if _lowered else None
            _record(jaxpr, result, params, keywords.get("compute_capability", capability), write)
        return result

    vars(module)["lower_jaxpr_to_triton_module"] = lowered


def _record(jaxpr: Any, result: Any, params: Any, capability: Any, write: Write) -> None:
    try:
        about = jaxpr.debug_info
        place = _PLACE.search(str(about.func_src_info))
        facts = {
            "name": str(about.func_name),
            "source": os.path.abspath(place[1]) if place else "",
            "line": int(place[2]) if place else 0,
            "parameters": [str(name or "") for name in about.arg_names],
            "grid": _grid(result.grid),
            # As Pallas has them where nothing else is asked for.
            "num_warps": getattr(params, "num_warps", None) or 4,
            "num_stages": getattr(params, "num_stages", None) or 3,
            "capability": capability if isinstance(capability, int) else _CAPABILITY,
            "python": sys.executable,
        }
        text = result.module.operation.get_asm(enable_debug_info=True)
    except Exception as error:
        _missed(jaxpr, f"this version of JAX is not known: {_reason(error)}", write)
    else:
        write("pallas", text, facts, {})


def _grid(sizes: Any) -> list[int]:
    given: Sequence[Any] = (sizes,) if isinstance(sizes, int) else tuple(sizes)
    return [int(size) for size in given]


def hook_pallas(module: ModuleType, write: Write) -> None:
    """``jax._src.pallas.pallas_call``: each call, as JAX lowers it for whatever it runs on."""
    original = module._pallas_call_lowering

    @functools.wraps(original)
    def lowered(ctx: Any, *in_nodes: Any, **params: Any) -> Any:
        _lowered.append(params.get("compiler_params"))
        try:
            _lower_besides(ctx, params, write)
            return original(ctx, *in_nodes, **params)
        finally:
            _lowered.pop()

    vars(module)["_pallas_call_lowering"] = lowered
    module.mlir.register_lowering(module.pallas_call_p, lowered)


def _lower_besides(ctx: Any, params: dict[str, Any], write: Write) -> None:
    """Triton's IR of a call that becomes none by itself."""
    jaxpr = params.get("jaxpr")
    try:
        if _is_mosaics(params["compiler_params"]):
            said = "it is one of Mosaic's; Triton's have compiler_params=plgpu.CompilerParams()"
            _missed(jaxpr, said, write)
            return
        platforms = set(ctx.platforms or ctx.module_context.platforms)
        if platforms & {"cuda", "gpu", "rocm"} and not params["interpret"]:
            return
        from jax._src.pallas.triton import lowering  # noqa: PLC0415 - after the program has it

        lower = lowering.lower_jaxpr_to_triton_module
        # Versions differ in what they ask for besides the platform.
        more = {"compute_capability": _CAPABILITY, "mlir_ctx": ctx.module_context}
        asked = inspect.signature(lower).parameters
        more = {name: given for name, given in more.items() if name in asked}
        lower(jaxpr, params["grid_mapping"], "cuda", **more)
    except Exception as error:
        _missed(jaxpr, f"Triton's IR cannot be made of it: {_reason(error)}", write)


def _is_mosaics(compiler_params: Any) -> bool:
    """Whether JAX has Mosaic compile such a kernel for a GPU, or it is one for TPUs."""
    if compiler_params is not None:
        return "mosaic" in type(compiler_params).__module__
    from jax._src import config  # noqa: PLC0415 - after the program has it

    setting = getattr(config, "jax_pallas_use_mosaic_gpu", None) or getattr(
        config, "pallas_use_mosaic_gpu", None
    )
    return bool(setting is not None and setting.value)


def _missed(jaxpr: Any, reason: str, write: Write) -> None:
    name = getattr(getattr(jaxpr, "debug_info", None), "func_name", "")
    note(write, f"the Pallas kernel {name} is not recorded: {reason}")


def _reason(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:_MAX_REASON]
