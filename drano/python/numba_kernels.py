"""A Numba kernel, compiled and checked without a GPU.

Means: Numba compiles for a GPU that is named, not one that is there; its PTX is analysed like any
other, and findings are at the lines of the Python source. Whoever calls this has the kernel's
module imported, and Numba runs its own compiler on the user's function, called by the user.
Assumptions: arrays are as the signature says: ``float32[:, ::1]`` is contiguous, as arrays are that
no slice was taken of, ``float32[:, :]`` may have any strides.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

from drano.model.report import Report
from drano.model.settings import Config
from drano.python.compiled_source import check_code
from drano.python.numba_ptx import SimulatedError, kernel_ptx

_ARCHITECTURE = re.compile(r"(?:sm_|compute_)?(\d{1,3})(\d)[af]?")


def check_numba(
    fn: Any,
    *,
    signature: Any,
    block: tuple[int, ...] | None = None,
    grid: tuple[int, ...] | None = None,
    arch: str | int = 90,
    config: Config | None = None,
    **options: object,
) -> Report:
    """The report of the kernel ``fn``, a function under ``@cuda.jit`` (or one that could be).

    ``signature``: as Numba takes it, ``"void(float32[:, ::1], int32)"`` or a tuple of types.
    ``block``, ``grid``: of the launch, ``kernel[grid, block]``; ``arch``: of the GPU, as ``90`` or
    ``"sm_90"``; ``options``: of Numba's ``cuda.compile`` (``fastmath``, ``launch_bounds``).
    Findings are at the lines of the kernel's source. Raises ValueError for what is no kernel, and
    where Numba simulates; ImportError without Numba, and what Numba raises where the kernel does
    not compile.

    >>> check_numba(scale, signature="void(float32[::1], int32)", block=(256,))
    ... # doctest: +SKIP
    """
    match = _ARCHITECTURE.fullmatch(str(arch))
    if match is None:
        raise ValueError(f"unknown GPU architecture '{arch}': expected e.g. 90 or sm_90")
    function = numba_function(fn)
    launches = [] if block is None else [(grid or (), block)]
    try:
        capability = int(match[1]), int(match[2])
        ptx = kernel_ptx(fn, signature, capability, launches, **options)
    except SimulatedError as error:
        raise ValueError(str(error)) from None
    source = inspect.getsourcefile(function) or ""
    return check_code(ptx, ".ptx", source, config or Config())


def numba_function(fn: Any) -> Any:
    """The plain function of a kernel. Raises ValueError where there is none."""
    function = getattr(fn, "py_func", fn)
    if not inspect.isfunction(function):
        raise ValueError(f"{fn!r} is no Numba kernel")
    return function
