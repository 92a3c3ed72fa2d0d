"""What Numba makes of a kernel: PTX for a GPU that need not be there, with what is known besides.

Means: Numba's own ``cuda.compile`` with lines of the Python source, and comments for drano behind
it: the names of the kernel's parameters, of which an array is seven and more, and how it is
launched. Device functions that the kernel calls are compiled with lines, too.
Assumptions: whoever calls this has Numba, and wants its compiler run. Imports the standard library
only, and nothing of drano: the recorder takes this file into other Pythons.
Limits: a signature says nothing of where an array starts: drano takes its own assumption.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from typing import Any

Launch = tuple[Sequence[int], Sequence[int]]
"""Grid, empty where it is not known, and block."""
_ARCHITECTURE = (9, 0)
_KEPT = ("fastmath", "opt", "launch_bounds")
_lock = threading.RLock()


class SimulatedError(Exception):
    """Numba simulates kernels in this process, and compiles none."""


def kernel_ptx(
    function: Any,
    signature: Any,
    architecture: tuple[int, int] | None = None,
    launches: Sequence[Launch] = (),
    **options: Any,
) -> str:
    """The PTX of a function under ``@cuda.jit``, or of a plain one, with its notes.

    ``signature``: as Numba takes it: ``"void(float32[::1])"``, a tuple of types; ``launches``:
    grids and blocks; ``options``: those of ``cuda.compile`` in the place of the decorator's.
    Raises SimulatedError, and what Numba raises where it does not compile.
    """
    from numba import cuda  # noqa: PLC0415 - an extra
    from numba.core import config  # noqa: PLC0415 - an extra

    if config.ENABLE_CUDASIM:
        raise SimulatedError("NUMBA_ENABLE_CUDASIM is set: Numba simulates, and compiles nothing")
    plain = getattr(function, "py_func", function)
    given = {**_options_of(function), **options}
    with _lock, _without_gpu(architecture or _ARCHITECTURE) as capability:
        ptx, _ = cuda.compile(
            plain, signature, lineinfo=True, device=False, abi="numba", output="ptx",
            cc=architecture or capability, **given,
        )  # fmt: skip
    return with_notes(ptx, parameter_names(plain, argument_types(signature)), launches)


def _options_of(function: Any) -> dict[str, Any]:
    """What the decorator was told, as far as it changes the code."""
    told = getattr(function, "targetoptions", {})
    return {name: told[name] for name in _KEPT if told.get(name) is not None}


@contextlib.contextmanager
def _without_gpu(architecture: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Numba asks a GPU for its architecture when a kernel calls device functions, and compiles
    these without lines unless each of them says so.
    """
    from numba.cuda import dispatcher  # noqa: PLC0415 - an extra

    with contextlib.suppress(Exception):
        architecture = tuple(dispatcher.get_current_device().compute_capability)
    device = type("Device", (), {"compute_capability": architecture})
    names = vars(dispatcher)
    saved = {name: names.get(name) for name in ("get_current_device", "compile_cuda")}
    original = saved["compile_cuda"]

    def with_lines(*arguments: Any, **keywords: Any) -> Any:
        assert original is not None
        return original(*arguments, **{**keywords, "lineinfo": not keywords.get("debug")})

    changed = {"get_current_device": lambda: device, "compile_cuda": with_lines}
    names.update({name: new for name, new in changed.items() if saved[name] is not None})
    try:
        yield architecture
    finally:
        names.update({name: old for name, old in saved.items() if old is not None})


def argument_types(signature: Any) -> tuple[Any, ...]:
    """The types of the arguments, of whatever Numba takes for a signature."""
    from numba.cuda.core import sigutils  # noqa: PLC0415 - an extra

    found, _ = sigutils.normalize_signature(signature)
    return tuple(found)


# --- names -----------------------------------------------------------------------------------


def parameter_names(function: Any, types: Sequence[Any]) -> list[str]:
    """What the parameters of the PTX are called in the source: ``x.strides[0]``, or ``*``."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    return [part for name, given in zip(names, types, strict=False) for part in _parts(name, given)]


def _parts(name: str, given: Any) -> Iterator[str]:
    """An argument as Numba passes it."""
    kind = type(given).__name__
    if "ndim" in dir(given) and "layout" in dir(given):
        yield from (f"{name}.meminfo", f"{name}.parent", f"{name}.size", f"{name}.itemsize", name)
        yield from (f"{name}.shape[{axis}]" for axis in range(given.ndim))
        yield from (f"{name}.strides[{axis}]" for axis in range(given.ndim))
    elif kind in {"UniTuple", "Tuple", "NamedUniTuple", "NamedTuple"}:
        for place, part in enumerate(given.types):
            yield from _parts(f"{name}[{place}]", part)
    elif kind == "Complex":
        yield from (f"{name}.real", f"{name}.imag")
    else:
        yield name


def with_notes(ptx: str, names: Sequence[str], launches: Sequence[Launch]) -> str:
    """The PTX with comments of ``compiled.ptx_notes`` behind it, where no line moves."""
    head = ptx.partition(".visible .entry ")[2]
    kernel = head[: head.find("(")].strip()
    notes = ["language numba"]
    if kernel:
        notes.append(f"parameters {kernel} {' '.join(names)}")
        for grid, block in launches:
            shape = f"block={_text(block)}" + (f" grid={_text(grid)}" if grid else "")
            notes.append(f"launch {kernel} {shape}")
    return "\n".join([ptx.rstrip("\0\n"), *(f"// drano: {note}" for note in notes), ""])


def _text(dim: Sequence[int]) -> str:
    return ",".join(map(str, dim))
