"""Reads an input file, and says in one line why it cannot be used."""

from __future__ import annotations

import contextlib
import itertools
import stat
from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path

from drano.support.errors import IRError
from drano.support.regular_files import first_bytes, read_regular

MAX_BYTES = 64 << 20
MAX_IR_BYTES = 512 << 20
MAX_PYTHON_BYTES = 8 << 20
_BITCODE_MAGICS = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
_BINARY_MAGICS = (b"\x7fELF", b"\x50\xed\x55\xba")


class InputKind(Enum):
    """What a file holds, by its extension."""

    CUDA = "cuda"
    IR = "ir"
    BITCODE = "bitcode"
    PTX = "ptx"
    BINARY = "binary"  # that may hold PTX
    PYTHON = "python"


CUDA_SOURCES = (".cu", ".cu.cc", ".cu.cpp")
"""What CUDA's sources are called; ``.cu.cc`` by TensorFlow, JAX and others that Bazel builds."""
_EXTENSIONS = {
    ".cu": InputKind.CUDA,
    ".cuh": InputKind.CUDA,
    ".ll": InputKind.IR,
    ".llir": InputKind.IR,
    ".bc": InputKind.BITCODE,
    ".ptx": InputKind.PTX,
    **dict.fromkeys((".cubin", ".fatbin", ".o", ".so", ".a"), InputKind.BINARY),
    ".py": InputKind.PYTHON,
    # Whoever names such a file means it as CUDA.
    **dict.fromkeys(
        (".cpp", ".cc", ".cxx", ".c", ".h", ".hh", ".hpp", ".hxx", ".inl"), InputKind.CUDA
    ),
}


def input_kind(path: str, flags: Sequence[str] = ()) -> InputKind:
    """Kind of ``path``; ``-x cuda`` in ``flags`` makes any source CUDA. Raises IRError."""
    if "\n" in path or "\r" in path:
        raise IRError(path, "its path contains a line break")
    kind = _EXTENSIONS.get(Path(path).suffix.lower())
    if kind is not None:
        return kind
    if "-xcuda" in flags or ("-x", "cuda") in itertools.pairwise(flags):
        return InputKind.CUDA
    if _begins_as_binary(path):
        return InputKind.BINARY
    raise IRError(
        path, "unknown kind of file: expected .cu, .cuh, C++, .py, .ptx, .ll, .llir or .bc"
    )


def is_source(path: str) -> bool:
    """Whether it is source for our own compiler, not IR, PTX or a binary that somebody made."""
    kind = _EXTENSIONS.get(Path(path).suffix.lower())
    if kind is None:
        return not _begins_as_binary(path)
    return kind in {InputKind.CUDA, InputKind.PYTHON}


def _begins_as_binary(path: str) -> bool:
    """Whether a file of any name is an ELF file or a container of device code."""
    return first_bytes(path, 4) in _BINARY_MAGICS


def holds_kernel(path: str) -> bool:
    """Whether the text mentions ``__global__``; False when it cannot be read."""
    try:
        return b"__global__" in read_regular(path, MAX_BYTES)
    except (OSError, ValueError):
        return False


_LIMITS = {InputKind.CUDA: MAX_BYTES, InputKind.PTX: MAX_BYTES, InputKind.PYTHON: MAX_PYTHON_BYTES}


def _limit(kind: InputKind) -> int:
    return _LIMITS.get(kind, MAX_IR_BYTES)


def check_file(path: str, kind: InputKind) -> None:
    """Raises IRError when ``path`` is not a regular file of a size that is read."""
    limit = _limit(kind)
    with _in_words(path):
        status = Path(path).stat()
        if stat.S_ISDIR(status.st_mode):
            raise IRError(path, "is a directory")
        if not stat.S_ISREG(status.st_mode):
            raise IRError(path, "is not a regular file")
        if status.st_size > limit:
            raise IRError(path, f"is larger than {limit >> 20} MB")


def read_input(path: str, kind: InputKind) -> bytes:
    """The file's bytes. Raises IRError when it is not a readable regular file of that kind."""
    check_file(path, kind)
    with _in_words(path):
        content = read_regular(path, _limit(kind))
    check_content(path, kind, content)
    return content


@contextlib.contextmanager
def _in_words(path: str) -> Iterator[None]:
    """What the system says, as an IRError."""
    try:
        yield
    except FileNotFoundError:
        raise IRError(path, "no such file") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or str(error)
        raise IRError(path, f"cannot be read: {reason}") from error


def check_content(path: str, kind: InputKind, content: bytes) -> None:
    """Raises IRError when ``content`` cannot be of that kind."""
    if kind is InputKind.BITCODE:
        if not content.startswith(_BITCODE_MAGICS):
            raise IRError(path, "is not LLVM bitcode")
        return
    if kind is not InputKind.BINARY and b"\0" in content.removesuffix(b"\0"):
        raise IRError(path, "is a binary file, not text")
