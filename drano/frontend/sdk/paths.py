"""Which CUDA SDK a path of a compile command belongs to, told by files, running nothing.

An *SDK* is a directory that clang takes for ``--cuda-path``: headers and libdevice. Its include
directory is ``include``, or ``targets/x86_64-linux/include``, of which ``include`` is a link.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from drano.support.regular_files import is_file

_HEADERS = ("cuda.h", "cuda_runtime.h", "crt/host_config.h")
_LIBDEVICE = "nvvm/libdevice/libdevice.10.bc"


@lru_cache(maxsize=256)
def is_sdk_include(directory: str) -> bool:
    """Whether ``directory`` holds an SDK's headers: no other SDK may come behind it."""
    return all(is_file(Path(directory, name)) for name in _HEADERS)


@lru_cache(maxsize=256)
def sdk_of_include(directory: str) -> str | None:
    """The SDK whose include directory ``directory`` is."""
    if not is_sdk_include(directory):
        return None
    parents = Path(directory).parents
    for root in (*parents[:1], *parents[2:3]):
        if _is_sdk(root):
            return str(root)
    return None


@lru_cache(maxsize=64)
def sdk_of_program(program: str) -> str | None:
    """The SDK that ``…/bin/nvcc`` is in; None for other programs, and names without a directory."""
    path = Path(program)
    if path.name not in {"nvcc", "nvcc.exe"} or not path.is_absolute():
        return None
    root = path.parent.parent
    return str(root) if _is_sdk(root) else None


def is_sdk(root: str) -> bool:
    """Whether clang can take ``root`` for ``--cuda-path``."""
    return _is_sdk(Path(root))


def _is_sdk(root: Path) -> bool:
    return is_sdk_include(str(root / "include")) and is_file(root / _LIBDEVICE)
