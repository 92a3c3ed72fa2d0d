"""The files of a repository that tell how its sources are compiled, by their names."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_NAMES: Final = frozenset(
    {"CMakeLists.txt", "setup.py", "Makefile", "makefile", "GNUmakefile", "meson.build", "BUILD",
     "BUILD.bazel", "SConstruct"}
)  # fmt: skip
_BUILDERS: Final = ("extension.py", "extensions.py", "builder.py")
_ENDINGS: Final = (".cmake", ".mk", ".make", ".bzl", ".mak")


def is_build_file(name: str) -> bool:
    """Whether a file of this name may define macros or name directories of headers.

    >>> is_build_file("CMakeLists.txt"), is_build_file("build_kernels.py"), is_build_file("a.cu")
    (True, True, False)
    >>> is_build_file("cuda_extension.py")  # what compiles when the program runs
    True
    """
    script = name.endswith(".py") and (name.startswith("build") or name.endswith(_BUILDERS))
    return name in _NAMES or name.endswith(_ENDINGS) or script


def build_files_in(folder: Path) -> list[Path]:
    """Those in a directory itself, by name; none where it cannot be read."""
    try:
        return sorted(path for path in folder.iterdir() if is_build_file(path.name))
    except OSError:
        return []
