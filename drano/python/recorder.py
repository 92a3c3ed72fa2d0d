"""Records what a Python program compiles for GPUs, from within its own process.

Means: put on the program's path by ``capture.py``, this file hooks into the compilers of CuPy, JAX,
Numba, PyCUDA, PyTorch, Triton and Warp and into NVIDIA's bindings when these are imported, and
writes what they are given or make into the directory that ``DRANO_CAPTURE`` names: CUDA source with
its options, Triton's IR, PTX, binaries with PTX. The program runs as it would.
Assumptions: it is read by whichever Python runs the program, so it imports the standard library
only, and nothing of drano; ``driver_hooks.py``, ``jax_hooks.py``, ``numba_ptx.py`` lie beside it.
Limits: a hook that fails is silent: the program comes first. Kernels that a library has compiled
before, and takes from a cache of its own, are recorded if the library still hands out their IR.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

DIRECTORY = "DRANO_CAPTURE"
_ENDS = {
    "triton": ".llir", "pallas": ".ttir", "numba": ".captured.ptx", "warp": ".captured.ptx",
    "module": ".captured.ptx", "unrecorded": ".txt",
}  # fmt: skip


def write(kind: str, text: str, facts: dict[str, Any], beside: dict[str, str]) -> None:
    """One record: the text under a name of its content, what is known of it, and more texts."""
    folder = Path(os.environ[DIRECTORY])
    digest = hashlib.sha256(f"{text}{facts}".encode("utf-8", "surrogateescape")).hexdigest()[:24]
    stem = folder / f"{kind}-{digest}"
    for suffix, more in {**beside, ".json": json.dumps({"kind": kind, **facts})}.items():
        stem.with_suffix(suffix).write_text(more, encoding="utf-8", errors="surrogateescape")
    stem.with_suffix(_ENDS.get(kind, ".cu")).write_text(
        text, encoding="utf-8", errors="surrogateescape"
    )


def _guarded(record: Callable[..., None]) -> Callable[..., None]:
    """A record that fails is none."""

    @functools.wraps(record)
    def guarded(*arguments: Any, **keywords: Any) -> None:
        with contextlib.suppress(Exception):
            record(*arguments, **keywords)

    return guarded


# --- libraries -------------------------------------------------------------------------------


@_guarded
def _record_triton(source: Any, kernel: Any) -> None:
    made = kernel.asm
    function = getattr(getattr(source, "fn", None), "fn", None)
    code = getattr(function, "__code__", None)
    facts = {
        "name": getattr(function, "__name__", ""),
        "source": os.path.abspath(code.co_filename) if code is not None else "",
    }
    write("triton", made["llir"], facts, {".ttgir": made.get("ttgir", "")})


@_guarded
def _record_cuda(
    library: str, source: Any, options: Sequence[str], names: Sequence[str] = ()
) -> None:
    text = source.decode("utf-8", "surrogateescape") if isinstance(source, bytes) else str(source)
    facts = {"library": library, "options": [str(o) for o in options]}
    write("cuda", text, facts | {"instances": [str(name) for name in names]}, {})


def hook_triton(module: ModuleType) -> None:
    """``triton.compiler.compiler``: every compiled kernel, those from Triton's cache as well."""
    original = module.compile

    @functools.wraps(original)
    def compiled(src: Any, *arguments: Any, **keywords: Any) -> Any:
        kernel = original(src, *arguments, **keywords)
        _record_triton(src, kernel)
        return kernel

    vars(module)["compile"] = compiled


def hook_cupy(module: ModuleType) -> None:
    """``cupy.cuda.compiler``: sources as they come to NVRTC or nvcc, generated ones as well."""
    for name in ("compile_with_cache", "_compile_module_with_cache"):
        original = getattr(module, name, None)
        if original is None:
            continue

        @functools.wraps(original)
        def compiled(
            source: Any, options: Sequence[str] = (), *rest: Any, _call: Any = original, **more: Any
        ) -> Any:
            _record_cuda("cupy", source, options, more.get("name_expressions") or ())
            return _call(source, options, *rest, **more)

        setattr(module, name, compiled)


def hook_extension(module: ModuleType) -> None:
    """``torch.utils.cpp_extension``: the CUDA source of ``load_inline``."""
    original = module.load_inline

    @functools.wraps(original)
    def load(name: Any, cpp_sources: Any, cuda_sources: Any = None, *r: Any, **more: Any) -> Any:
        texts = [cuda_sources] if isinstance(cuda_sources, str) else list(cuda_sources or ())
        if texts:
            head = "#include <torch/types.h>\n#include <cuda.h>\n#include <cuda_runtime.h>"
            flags = more.get("extra_cuda_cflags") or ()
            _record_cuda("torch", "\n".join([head, *texts]), flags)
        return original(name, cpp_sources, cuda_sources, *r, **more)

    vars(module)["load_inline"] = load


def hook_warp(module: ModuleType) -> None:
    """``warp.build``: modules that are compiled to PTX, not those that become machine code."""
    original = getattr(module, "build_cuda", None)
    if original is None:
        return

    @functools.wraps(original)
    def build(cu_path: Any, arch: Any, output_path: Any, *rest: Any, **more: Any) -> Any:
        made = original(cu_path, arch, output_path, *rest, **more)
        _record_warp(output_path)
        return made

    vars(module)["build_cuda"] = build


@_guarded
def _record_warp(path: Any) -> None:
    made = Path(os.fspath(path))
    if made.suffix == ".ptx":
        write("warp", made.read_bytes().rstrip(b"\0").decode("utf-8"), {}, {})


@functools.cache
def _beside(name: str) -> ModuleType:
    """A file of ours, which nobody else is to import by its name."""
    path = Path(__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"_drano_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@_guarded
def _record_numba(dispatcher: Any, types: Any, launches: Sequence[tuple[Any, Any]]) -> None:
    function = dispatcher.py_func
    key = (id(dispatcher), tuple(map(str, types)), tuple(launches))
    if key in _RECORDED:
        return
    _RECORDED[key] = dispatcher  # and keeps it, so that no other one has its number
    ptx = _beside("numba_ptx").kernel_ptx(dispatcher, tuple(types), launches=launches)
    code = function.__code__
    facts = {"name": function.__name__, "source": os.path.abspath(code.co_filename)}
    write("numba", ptx, facts, {})


_RECORDED: dict[tuple[Any, ...], Any] = {}


def hook_numba(module: ModuleType) -> None:
    """``numba.cuda.dispatcher``: kernels by the types that they are compiled for or launched with,
    before Numba asks for a GPU.
    """
    kernels = module.CUDADispatcher
    compile_, call = kernels.compile, kernels.call

    @functools.wraps(compile_)
    def compiled(self: Any, sig: Any, *rest: Any, **more: Any) -> Any:
        if not _busy:
            with contextlib.suppress(Exception):
                _record_numba(self, _beside("numba_ptx").argument_types(sig), ())
        return compile_(self, sig, *rest, **more)

    @functools.wraps(call)
    def called(self: Any, args: Any, *rest: Any, **more: Any) -> Any:
        with contextlib.suppress(Exception):
            grid, block = _shape(*rest, **more)
            types = [self.typeof_pyval(given) for given in args]
            _record_numba(self, types, ((grid, block),))
        _busy.append(self)
        try:
            return call(self, args, *rest, **more)
        finally:
            _busy.pop()

    kernels.compile, kernels.call = compiled, called


_busy: list[Any] = []
"""Kernels that are being launched: what is compiled then has been recorded with its launch."""


def _shape(launch: Any = None, block: Any = None, *_: Any, **more: Any) -> tuple[Any, Any]:
    """Grid and block of a launch: a configuration, or in older versions the numbers themselves."""
    launch = more.get("launch_config", launch)
    block = getattr(launch, "blockdim", more.get("blockdim", block))
    grid = getattr(launch, "griddim", more.get("griddim", launch))
    return tuple(grid), tuple(block)


def hook_simulator(_module: ModuleType) -> None:
    """``numba.cuda.simulator``: nothing is compiled, which is worth a word."""
    if os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0"):
        said = "NUMBA_ENABLE_CUDASIM is set: Numba simulates kernels, and compiles none"
        write("unrecorded", said, {}, {})


def _jax(hook: str) -> Callable[[ModuleType], None]:
    return lambda module: getattr(_beside("jax_hooks"), hook)(module, _guarded(write))


def hook_xla(_module: ModuleType) -> None:
    """``jaxlib.xla_client``: XLA reads its flags when it is first used."""
    _beside("jax_hooks").hook_xla(os.environ[DIRECTORY], _guarded(write))


_BINARY = (b"\x7fELF", b"\x50\xed\x55\xba")


@_guarded
def _record_code(code: bytes) -> None:
    """PTX, or a binary that may hold some."""
    if code.startswith(_BINARY):
        digest = hashlib.sha256(code).hexdigest()[:24]
        Path(os.environ[DIRECTORY], f"module-{digest}.fatbin").write_bytes(code)
        return
    text = code.rstrip(b"\0").decode("utf-8")
    if ".version" in text and ".entry" in text:
        write("module", text, {}, {})


def _driver(hook: str, *records: Callable[..., None]) -> Callable[[ModuleType], None]:
    return lambda module: getattr(_beside("driver_hooks"), hook)(module, *records)


HOOKS: dict[str, Callable[[ModuleType], None]] = {
    "triton.compiler.compiler": hook_triton,
    "cupy.cuda.compiler": hook_cupy,
    "torch.utils.cpp_extension": hook_extension,
    "warp.build": hook_warp,
    "warp._src.build": hook_warp,
    "numba.cuda.dispatcher": hook_numba,
    "numba.cuda.simulator": hook_simulator,
    "cuda.bindings.driver": _driver("hook_loads", _record_code),
    "cuda.bindings.nvjitlink": _driver("hook_loads", _record_code),
    "cuda.bindings.nvrtc": _driver("hook_nvrtc", _record_cuda),
    "cuda.core": _driver("hook_core", _record_code, _record_cuda),
    "pycuda.driver": _driver("hook_loads", _record_code),
    "pycuda.compiler": _driver("hook_pycuda", _record_cuda),
    "jaxlib.xla_client": hook_xla,
    "jax._src.compilation_cache": _jax("hook_compilation_cache"),
    "jax._src.pallas.pallas_call": _jax("hook_pallas"),
    "jax._src.pallas.triton.lowering": _jax("hook_lowering"),
}


# --- imports ---------------------------------------------------------------------------------


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the modules with hooks as everybody else does, and hooks them when they are loaded."""

    def __init__(self) -> None:
        self._busy: set[str] = set()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The module's own, with a loader around its loader."""
        if fullname not in HOOKS or fullname in self._busy:
            return None
        self._busy.add(fullname)
        try:
            spec = importlib.util.find_spec(fullname)
        finally:
            self._busy.discard(fullname)
        if spec is None or spec.loader is None:
            return None
        loader = spec.loader
        execute = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            execute(module)
            try:
                HOOKS[fullname](module)
            except Exception:
                said = f"nothing of {fullname} is recorded: its version is not known"
                _guarded(write)("unrecorded", said, {}, {})

        vars(loader)["exec_module"] = exec_module
        return spec


def install() -> None:
    """Hook what will be imported."""
    if os.environ.get(DIRECTORY):
        sys.meta_path.insert(0, _Finder())
