"""Stands in for missing headers of libraries that host code uses: see ``stubs/``.

They declare the names that code commonly uses of NVIDIA's libraries and RMM, PyTorch's extensions,
MPI, OpenGL, OpenMP, OpenCV, GoogleTest, glog, {fmt}, protobuf and the SDK samples' helpers, and are
searched after all real directories. They include what the real headers do of the run-time's, since
device code relies on that. Functions take any arguments. What kernels use (c10::Half, tensor
accessors, PtrStepSz) is complete.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

OWN_STUBS = Path(__file__).parents[1] / "stubs"
_COMMON = "drano_"
OWN_STUB_FLAGS = ("-idirafter", str(OWN_STUBS))


def used(dependencies: Sequence[str]) -> tuple[str, ...]:
    """The stand-ins among what a unit includes, as an ``#include`` names them, but for what they
    have in common (``drano_….h``), which no library has.
    """
    below = f"{OWN_STUBS}{os.sep}"  # text, as a unit may include thousands
    names = (name.removeprefix(below) for name in dependencies if name.startswith(below))
    return tuple(name for name in names if f"{os.sep}{_COMMON}" not in f"{os.sep}{name}")
