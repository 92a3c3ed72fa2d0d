"""Whose code a place is in: the user's, or the headers of the compiler, the SDK or the C++ library.

``atomicAdd`` and ``__ldg`` are functions of such headers: an access in them is the access of the
user's line that calls them.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from drano.model.span import Location

_OURS = f"{Path(__file__).parents[1] / 'frontend'}/"
_LIBRARY_ROOTS = ("/usr/include/", "/usr/lib/", "/usr/local/cuda")
_SDK_MARK = "cuda_runtime.h"
_COMPILERS_OWN = ("/lib/clang/", "/c++/v1/", "-packages/warp/native/")
_PACKAGED = (
    "/cmeel.prefix/include/", "/cutlass_library/source/", "/nvidia/nvshmem/include/",
    "-packages/libcudf/include/", "-packages/libcuvs/include/", "-packages/libraft/include/",
    "-packages/librmm/include/",
)  # fmt: skip
_OTHERS = _COMPILERS_OWN + _PACKAGED
_MAX_DEPTH = 8


def user_location(location: Location) -> Location:
    """``location``, or the innermost call in the user's own code through which it was reached.

    Where all of the path is in system headers (a kernel of thrust's) it stays as it is.
    """
    if not is_system_header(location.span.path):
        return location
    for depth, frame in enumerate(location.inlined_at):
        if not is_system_header(frame.span.path):
            return Location(frame.span, frame.function, location.inlined_at[depth + 1 :])
    return location


@lru_cache(maxsize=4096)
def is_system_header(path: str) -> bool:
    """Whether ``path`` is of headers of clang's, the SDK's, Warp's or the system's, of a library
    from a Python package, or our own.
    """
    if path.startswith((_OURS, *_LIBRARY_ROOTS)):
        return True
    return any(own in path for own in _OTHERS) or _in_sdk(str(Path(path).parent))


@lru_cache(maxsize=1024)
def _in_sdk(folder: str) -> bool:
    """Whether ``folder`` is, or is below, an include directory of a CUDA SDK."""
    directory = Path(folder)
    for candidate in (directory, *directory.parents)[:_MAX_DEPTH]:
        try:
            if (candidate / _SDK_MARK).is_file():
                return True
        except OSError:
            return False
    return False
