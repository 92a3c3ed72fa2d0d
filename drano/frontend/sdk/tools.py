"""Programs of a CUDA SDK that may be run: those of who runs drano, never of a repository.

Looked for in the SDK that the user has named, in that of `CUDA_HOME` or `CUDA_PATH`, on `PATH`,
beside nvcc, and in pip packages: NVIDIA's own, and Triton, which brings some of them.
"""

from __future__ import annotations

import os
import shutil
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from drano.frontend.sdk.headers import sdk_of_compiler
from drano.support.errors import IRError

_PACKAGES = ("nvidia/cu13", "triton/backends/nvidia")


def find_tool(name: str, sdk: str | None) -> str:
    """The program. ``sdk``: the one that the user has named. Raises IRError where there is none."""
    for directory in _sdks(sdk):
        program = Path(directory, "bin", name)
        if program.is_file() and os.access(program, os.X_OK):
            return str(program)
    if sdk is None and (found := shutil.which(name)):
        return os.path.abspath(found)
    where = f"in {sdk}" if sdk else "on PATH or in CUDA_HOME"
    raise IRError(name, f"not found {where}; --cuda-path names a CUDA SDK that has it")


def _sdks(named: str | None) -> Iterator[str]:
    if named is not None:
        yield named
    else:
        given = filter(None, (os.environ.get(n) for n in ("CUDA_HOME", "CUDA_PATH")))
        yield from map(os.path.abspath, given)
        nvcc = shutil.which("nvcc")
        beside = sdk_of_compiler(nvcc) if nvcc else None
        if beside:
            yield beside
    for package in _PACKAGES:
        yield os.path.join(sysconfig.get_path("purelib"), package)
