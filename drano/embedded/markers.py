"""Which Python sources are worth parsing, told by a few words in them."""

from __future__ import annotations

from drano.support.input_files import MAX_PYTHON_BYTES
from drano.support.regular_files import regular_or_empty

PYTHON_SUFFIX = ".py"
_REQUESTS = (b"drano: triton", b"drano: numba")
_MARKERS = (
    b"RawKernel", b"RawModule", b"ElementwiseKernel", b"SourceModule", b"load_inline",
    b"_compile_kernel", b"__global__",
)  # fmt: skip


def is_python(path: str) -> bool:
    """Whether a file is Python source by its name."""
    return path.lower().endswith(PYTHON_SUFFIX)


def may_hold_cuda(content: bytes) -> bool:
    """Whether a Python source may have CUDA source in it."""
    return any(marker in content for marker in _MARKERS)


def may_hold_requests(content: bytes) -> bool:
    """Whether comments may say how to compile kernels of Triton or Numba."""
    return any(marker in content for marker in _REQUESTS)


def holds_cuda(path: str) -> bool:
    """The same of a file; False when it cannot be read."""
    return may_hold_cuda(regular_or_empty(path, MAX_PYTHON_BYTES))
