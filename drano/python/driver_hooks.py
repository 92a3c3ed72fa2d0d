"""What a Python program hands to NVIDIA's driver, linker and run-time compiler by itself.

Means: PTX and binaries that are loaded (``cuModuleLoadData``, PyCUDA's ``module_from_file``) or
linked (nvJitLink), and CUDA source that NVRTC or PyCUDA compiles, are recorded. What libraries
with a hook of their own hand over is known better there.
Assumptions: data are bytes, or arrays of such. Imports the standard library only, and nothing of
drano: the recorder takes this file into other Pythons.
Limits: a bare address is not followed.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, Final

Code = Callable[[bytes], None]
"""Records PTX or a binary."""
Source = Callable[[str, Any, Any], None]
"""Records CUDA source: of which library, the text, the options."""
LOADS: Final = {
    "cuda.bindings.driver": {
        "cuModuleLoad": 0, "cuModuleLoadData": 0, "cuModuleLoadDataEx": 0,
        "cuModuleLoadFatBinary": 0, "cuLibraryLoadData": 0, "cuLibraryLoadFromFile": 0,
        "cuLinkAddData": 2, "cuLinkAddFile": 2,
    },
    "cuda.bindings.nvjitlink": {"add_data": 2, "add_file": 2},
    "pycuda.driver": {"module_from_buffer": 0, "module_from_file": 0},
}  # fmt: skip
"""The place of the code, or of its file, among a function's arguments."""
_OF_FILES: Final = ("cuModuleLoad", "cuLibraryLoadFromFile", "cuLinkAddFile", "add_file",
                    "module_from_file")  # fmt: skip
_RECORDED: Final = ("numba", "cupy", "warp", "triton", "torch", "jax", "jaxlib", "pycuda")


def hook_loads(module: ModuleType, record: Code) -> None:
    """The functions of a module that take code."""
    for name, place in LOADS[module.__name__].items():
        original = getattr(module, name, None)
        if original is not None:
            vars(module)[name] = _recording(original, place, record, of_file=name in _OF_FILES)


def _recording(original: Any, place: int, record: Code, *, of_file: bool) -> Any:
    @functools.wraps(original)
    def called(*arguments: Any, **keywords: Any) -> Any:
        with contextlib.suppress(Exception):
            given = arguments[place]
            if _caller() not in _RECORDED:
                record(Path(os.fsdecode(given)).read_bytes() if of_file else bytes(_whole(given)))
        return original(*arguments, **keywords)

    return called


def _caller() -> str:
    """The package that has called what is recorded."""
    name = sys._getframe(2).f_globals.get("__name__", "")
    return str(name).partition(".")[0]


def _whole(given: Any) -> Any:
    """What has bytes; of a number, ``bytes`` would make as many zeros."""
    return given.encode() if isinstance(given, str) else memoryview(given)


def hook_nvrtc(module: ModuleType, record: Source) -> None:
    """``cuda.bindings.nvrtc``: sources, once their options are known."""
    create, compile_ = module.nvrtcCreateProgram, module.nvrtcCompileProgram
    sources: dict[int, Any] = {}

    @functools.wraps(create)
    def created(src: Any, *rest: Any, **more: Any) -> Any:
        made = create(src, *rest, **more)
        with contextlib.suppress(Exception):
            sources[int(made[1])] = src if _caller() not in _RECORDED else None
        return made

    @functools.wraps(compile_)
    def compiled(prog: Any, count: Any = 0, options: Any = (), *rest: Any, **more: Any) -> Any:
        with contextlib.suppress(Exception):
            source = sources.get(int(prog))
            if source is not None:
                record("nvrtc", source, [os.fsdecode(option) for option in options or ()])
        return compile_(prog, count, options, *rest, **more)

    vars(module).update(nvrtcCreateProgram=created, nvrtcCompileProgram=compiled)


def hook_pycuda(module: ModuleType, record: Source) -> None:
    """``pycuda.compiler``: what ``SourceModule`` gives to nvcc."""
    original = module.compile

    @functools.wraps(original)
    def compiled(source: Any, *rest: Any, **more: Any) -> Any:
        _nvcc, options, _keep, plain, *_ = (*rest, *(None,) * 4)
        text = source if more.get("no_extern_c", plain) else f'extern "C" {{ {source}\n}}\n'
        record("pycuda", text, more.get("options", options) or ())
        return original(source, *rest, **more)

    vars(module)["compile"] = compiled


def hook_core(module: ModuleType, code: Code, source: Source) -> None:
    """``cuda.core``: its types cannot be changed, so that others stand in for them."""
    program, objects = module.Program, module.ObjectCode

    def init(self: Any, text: Any, code_type: Any, options: Any = None) -> None:
        with contextlib.suppress(Exception):
            if _caller() not in _RECORDED:
                if str(code_type).lower() == "c++":
                    source("cuda.core", text, _flags(options))
                elif str(code_type).lower() == "ptx":
                    code(bytes(_whole(text)))
        program.__init__(self, text, code_type, options)

    vars(module)["Program"] = _kind_of(program, {"__init__": init})
    loads = {}
    for name in ("from_ptx", "from_cubin", "from_fatbin"):
        if hasattr(objects, name):
            loads[name] = staticmethod(_loading(getattr(objects, name), code))
    vars(module)["ObjectCode"] = _kind_of(objects, loads)


def _kind_of(original: type, members: dict[str, Any]) -> type:
    """A type with other members, which what is of the original is an instance of, too."""
    checks = {
        "__instancecheck__": lambda _, given: isinstance(given, original),
        "__subclasscheck__": lambda _, given: issubclass(given, original),
    }
    kind = type("Kind", (type(original),), checks)
    made = {**members, "__doc__": original.__doc__, "__module__": original.__module__}
    found: type = kind(original.__name__, (original,), made)
    return found


def _loading(original: Any, record: Code) -> Any:
    @functools.wraps(original)
    def load(given: Any, *rest: Any, **more: Any) -> Any:
        with contextlib.suppress(Exception):
            if _caller() not in _RECORDED:
                is_code = isinstance(given, bytes | bytearray | memoryview)
                record(bytes(given) if is_code else Path(given).read_bytes())
        return original(given, *rest, **more)

    return load


def _flags(options: Any) -> list[str]:
    """Options of ``cuda.core`` as NVRTC takes them."""
    if options is None:
        return []
    return [os.fsdecode(option) for option in options.as_bytes("nvrtc")]
