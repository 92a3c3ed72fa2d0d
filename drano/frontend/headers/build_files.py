"""The files of a repository that tell how its sources are compiled: by their names, and Python
programs that compile them with PyTorch when they run.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from drano.support.regular_files import regular_or_empty

_NAMES: Final = frozenset(
    {"CMakeLists.txt", "setup.py", "Makefile", "Makefile.am", "Makefile.in", "makefile",
     "GNUmakefile", "meson.build", "BUILD", "BUILD.bazel", "SConstruct"}
)  # fmt: skip
_BUILDERS: Final = ("extension.py", "extensions.py", "builder.py")
_OF_MAKE: Final = (".mk", ".make", ".mak")
_ENDINGS: Final = (*_OF_MAKE, ".cmake", ".bzl")
_COMPILES: Final = b"cpp_extension"
_MOST_PROGRAMS: Final = 64  # of a directory, that are looked into
_MOST_BYTES: Final = 1 << 20


def is_build_file(name: str) -> bool:
    """Whether a file of this name may define macros or name directories of headers.

    >>> is_build_file("CMakeLists.txt"), is_build_file("build_kernels.py"), is_build_file("a.cu")
    (True, True, False)
    >>> is_build_file("cuda_extension.py")  # what compiles when the program runs
    True
    """
    script = name.endswith(".py") and (name.startswith("build") or name.endswith(_BUILDERS))
    return name in _NAMES or name.endswith(_ENDINGS) or script


def is_makefile(path: str) -> bool:
    """Whether a build file is one of make's.

    >>> is_makefile("src/common.mk"), is_makefile("GNUmakefile"), is_makefile("CMakeLists.txt")
    (True, True, False)
    """
    name = path.rpartition("/")[2]
    return name.lower().startswith(("makefile", "gnumakefile")) or name.endswith(_OF_MAKE)


def build_files_in(folder: Path) -> list[Path]:
    """Those in a directory itself, by name; none where it cannot be read."""
    try:
        paths = sorted(folder.iterdir())
    except OSError:
        return []
    named = [path for path in paths if is_build_file(path.name)]
    others = [path for path in paths if path.suffix == ".py" and path not in named]
    return [*named, *filter(_compiles, others[:_MOST_PROGRAMS])]


def _compiles(program: Path) -> bool:
    return _COMPILES in regular_or_empty(program, _MOST_BYTES)
