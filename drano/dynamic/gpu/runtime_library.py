"""The GPU's run-time library, and CUDA's own beside it: what a program is linked with.

Means: ``runtime/gpu/*.c`` and the parts of ``runtime`` that serve both back ends become one object,
cached like the CPU's. The linker's ``--wrap`` routes the program's calls through it to CUDA's
library. That is the SDK's (static or shared) if an SDK was named or the headers are not CUDA 13's,
else the shared one of the pip package, which is looked for beside the program and there.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
from pathlib import Path

from drano.dynamic.cpu.runtime_library import SOURCES, build_object
from drano.frontend.sdk.headers import CudaHeaders
from drano.frontend.toolchain import Clang
from drano.support.cache_directory import cache_dir, keep_newest, publish_verified, verified
from drano.support.errors import IRError

_COMMON = (
    "profile.c", "signals.c", "say.c", "array_names.c", "block.c", "proved.c", "tally.c"
)  # fmt: skip
_MAJOR = 13
_PACKAGE, _SHARED = "nvidia-cuda-runtime", f"nvidia/cu{_MAJOR}/lib/libcudart.so.{_MAJOR}"
WRAPPED = (
    "__cudaRegisterFatBinary", "__cudaRegisterFatBinaryEnd", "__cudaRegisterFunction",
    "cudaLaunchKernel",
    "cudaLaunchKernel_ptsz", "cudaLaunchCooperativeKernel", "cudaLaunchCooperativeKernel_ptsz",
    "cudaLaunchKernelExC", "cudaDeviceSynchronize", "cudaThreadSynchronize",
    "cudaStreamSynchronize", "cudaEventSynchronize", "cudaMemcpy", "cudaDeviceReset",
    "cudaThreadExit", "cudaMalloc", "cudaMallocAsync", "cudaMallocHost", "cudaHostAlloc",
    "cudaMallocManaged", "cudaMallocPitch", "cudaMalloc3D", "cudaHostRegister", "cudaFree",
    "cudaFreeAsync", "cudaFreeHost", "cudaHostUnregister", "cudaGraphAddKernelNode",
    "cudaGraphKernelNodeSetParams", "cudaGraphExecKernelNodeSetParams",
    "cudaLaunchCooperativeKernelMultiDevice", "cudaMemcpy_ptds", "cudaMemcpyPeer",
    "cudaMemcpyPeerAsync", "cudaIpcGetMemHandle", "cudaGetDriverEntryPoint",
    "cudaMemcpyBatchAsync", "cudaMemcpy3DBatchAsync", "cudaMemcpyWithAttributesAsync",
    "cudaMemcpy3DWithAttributesAsync", "cudaGetDriverEntryPointByVersion",
    *(f"{name}{end}" for name in (
        "cudaMemset", "cudaMemcpy2D", "cudaMemcpy3D", "cudaMemcpy3DPeer", "cudaMemset2D",
        "cudaMemset3D", "cudaMemcpyFromSymbol", "cudaMemcpyFromArray", "cudaMemcpy2DFromArray",
    ) for end in ("", "_ptds", "Async", "Async_ptsz")),
    "cudaMemcpyAsync", "cudaMemcpyAsync_ptsz", "cudaGraphLaunch", "cudaGraphLaunch_ptsz",
)  # fmt: skip


def gpu_runtime_object(clang: Clang, headers: CudaHeaders) -> Path:
    """The library, built when it is not in the cache. Raises IRError when it cannot be."""
    sources = [*sorted((SOURCES / "gpu").glob("*.c")), *(SOURCES / name for name in _COMMON)]
    read = [*sources, *sorted(SOURCES.glob("*.h")), *sorted((SOURCES / "gpu").glob("*.h"))]
    digest = hashlib.sha256(f"{clang.version_text}\0{headers.key}".encode())
    for path in (*read, Path(__file__)):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    directory = cache_dir("runtime")
    place = directory / f"gpu-{digest.hexdigest()[:24]}.o"
    if not verified(place):
        publish_verified(
            place,
            lambda target: build_object(target, lambda _: sources, clang, headers, portable=True),
        )
        keep_newest(directory, "gpu-*.o", 4)
    return place


def gpu_link_words(clang: Clang, headers: CudaHeaders, sdk: str | None) -> list[str]:
    """What the linker gets behind the program's own objects."""
    words = [str(gpu_runtime_object(clang, headers))]
    words += [f"-Wl,--wrap={name}" for name in WRAPPED]
    return [*words, *_cudart(sdk or _older_sdk(headers)), "-lpthread", "-ldl", "-lrt", "-lm"]


def _older_sdk(headers: CudaHeaders) -> str | None:
    """Where the library of headers lies that the pip package's library does not fit."""
    if headers.version // 1000 == _MAJOR:
        return None
    return str((headers.root / "include/cuda_runtime.h").resolve().parents[1])


def _cudart(sdk: str | None) -> list[str]:
    if sdk is None:
        path = packaged_cudart()
        return [str(path), "-Wl,-rpath,$ORIGIN", f"-Wl,-rpath,{path.parent}"]
    for directory in ("lib64", "lib", "targets/x86_64-linux/lib"):
        for name in ("libcudart_static.a", "libcudart.so"):
            path = Path(sdk) / directory / name
            if path.is_file():
                return [str(path), f"-Wl,-rpath,{path.parent}"]
    raise IRError(sdk, "has no libcudart in lib64, lib or targets/x86_64-linux/lib")


def packaged_cudart() -> Path:
    """The shared library of the pip package."""
    try:
        path = Path(str(importlib.metadata.distribution(_PACKAGE).locate_file(_SHARED)))
    except importlib.metadata.PackageNotFoundError:
        raise IRError(_PACKAGE, "Python package is not installed; use --cuda-path") from None
    if not path.is_file():
        raise IRError(_PACKAGE, f"package is incomplete: {path} is missing; reinstall it")
    return path
