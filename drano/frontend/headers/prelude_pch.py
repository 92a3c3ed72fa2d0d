"""A precompiled prelude: clang's CUDA wrapper and ``prelude/``, parsed once instead of per file.

The prelude takes about five times as long to parse as a small kernel file to compile. It is built
with just the flags that its meaning depends on (architecture, language, predefined macros), which
are its key in the cache; user macros and include directories do not reach it, so that a user's own
``cuda.h`` cannot shadow the SDK's there. clang itself checks that a prelude fits (same language
options, headers unchanged); where it does not, the caller compiles without.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile
from pathlib import Path

from drano.frontend.clang_messages import parse_dependencies
from drano.frontend.headers.unread_lists import without_unread_lists
from drano.support.cache_directory import cache_dir, keep_newest, one_at_a_time, publish_file, touch
from drano.support.errors import IRError
from drano.support.limited_process import run_limited
from drano.support.regular_files import regular_or_empty

PRELUDE = Path(__file__).parents[1] / "prelude" / "prelude.h"
STANDARD_LIBRARY = PRELUDE.parent / "later" / "standard_library.h"
_BEGIN = PRELUDE.parent / "later" / "begin.h"
_END = PRELUDE.parent / "later" / "end.h"
_KEPT = 32
_KEPT_AT_WORK = 96  # of 25 MB each; a matrix of architectures, standards and views needs some more
_NAMES = ".words"
_LISTS = "without lists"  # which earlier versions' had
_MAX_HEADER = 16 << 20
_NAME = re.compile(rb"[A-Za-z_]\w*", re.ASCII)
# Not from the middle of a name, and nothing of a name given back: four times as fast.
_CALLED = re.compile(rb"(?<!\w)([A-Za-z_]\w*+)\s*+\(", re.ASCII)
_DIRECTIVE = re.compile(rb"^[ \t]*#(?:[^\n\\]|\\\r?\n|\\.)*", re.MULTILINE | re.DOTALL)
_COMMENTS = re.compile(rb"/\*.*?\*/|^[ \t]*//[^\n]*", re.DOTALL | re.MULTILINE)
_BUILD_SECONDS = 60.0
_MEMORY = 8 << 30
FILE_SIZE = 256 << 20
# Flags that take their value as the next argument and do not change the prelude's meaning.
_PAIRED = frozenset(
    ("-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-ivfsoverlay", "-x")
)
_IRRELEVANT = ("-I", "-W", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-w", "-M")
# Templates that the prelude uses itself are instantiated in it, not in each unit again: half
# of the time that clang would take for an empty unit.
EMIT = ("-fpch-instantiate-templates", "-Xclang", "-emit-pch")
_LIBRARY_MACROS = (
    "_", "NDEBUG", "CUDA", "CU_", "NV_", "CUB_", "THRUST_", "CCCL_", "LIBCUDACXX_", "CG_",
    "CURAND_",
)  # fmt: skip


# Flags about the code that is made: a precompiled header is the same for all of them.
_OF_CODE = ("-cuid=", "-funroll-loops")
_OF_CODE_PAIRED = "-fcuda-include-gpubinary"


def prelude_flags(flags: Sequence[str]) -> list[str]:
    """Those of the user's flags that the prelude must be built with.

    ``["-DN=4", "-D_GNU_SOURCE", "-Wall", "-ffast-math"]`` gives ``-D_GNU_SOURCE -ffast-math``: only
    macros with a library's names can change what the SDK's and C library's headers mean.
    """
    kept: list[str] = []
    rest = iter(flags)
    for flag in rest:
        if flag in _PAIRED:
            next(rest, None)
        elif flag in {"-D", "-U"}:
            name = next(rest, "")
            if name.startswith(_LIBRARY_MACROS):
                kept.append(flag + name)
        elif flag.startswith(("-D", "-U")):
            if flag[2:].startswith(_LIBRARY_MACROS):
                kept.append(flag)
        elif not flag.startswith(_IRRELEVANT):
            kept.append(flag)
    return kept


def prelude_pch(
    command: tuple[str, ...],
    key: str,
    choices: Sequence[tuple[str, ...]] = (),
    macros: frozenset[str] = frozenset(),
) -> Path | None:
    """The precompiled prelude for ``command`` (clang and all flags but input and output).

    Behind it the first of ``choices``, which are names of headers, that parse and have no name of
    ``macros`` in them, which are defined before them, as ``NAME(`` if they have parameters; where
    there is none, nothing.

    ``key`` stands for what the flags do not show: versions of clang and headers. None when it
    cannot be built or the cache cannot be written: the caller then compiles without.
    """
    command = tuple(_without_code(command))
    for headers in choices:
        path = _used(command, key, headers)
        if path is not None and not _mentions(path, macros):
            return path
    return _used(command, key, ())


def _used(command: tuple[str, ...], key: str, headers: tuple[str, ...]) -> Path | None:
    cache = os.environ.get("DRANO_CACHE_DIR", "")
    path = _prelude_pch(command, key, headers, cache)
    if path is None:
        return None
    try:
        for each in (path, path.with_suffix(_NAMES)):
            touch(each)  # the least recently used are deleted first
    except OSError:
        _prelude_pch.cache_clear()
        path = _prelude_pch(command, key, headers, cache)
    return path


def _mentions(path: Path, macros: frozenset[str]) -> bool:
    """Whether the headers that are precompiled in ``path`` have one of these names in them."""
    try:
        return bool(macros) and not _names(path).isdisjoint(macros)
    except (OSError, UnicodeDecodeError):
        return True


@functools.lru_cache(maxsize=8)
def _names(path: Path) -> frozenset[str]:
    return frozenset(path.with_suffix(_NAMES).read_text(encoding="ascii").split())


def _is_whole(path: Path) -> bool:
    return path.is_file() and path.with_suffix(_NAMES).is_file()


def _names_in(dependencies: str) -> str:
    """The names in the files of a make rule behind ``_BEGIN``, comments left out, a line each; as
    ``NAME(``, too, those that a macro with parameters may change: called, or in a directive.
    """
    names: set[bytes] = set()
    called: set[bytes] = set()
    files = dropwhile(lambda name: name != str(_BEGIN), parse_dependencies(dependencies))
    for name in files:
        text = _COMMENTS.sub(b" ", regular_or_empty(name, _MAX_HEADER))
        names.update(_NAME.findall(text))
        called.update(_CALLED.findall(text))
        for directive in _DIRECTIVE.finditer(text):
            called.update(_NAME.findall(directive[0]))
    names |= {name + b"(" for name in called}
    return "\n".join(sorted(name.decode("ascii") for name in names))


def _without_code(command: Sequence[str]) -> Iterator[str]:
    """``-c -Xclang -fcuda-include-gpubinary -Xclang F -w`` gives ``-c -w``."""
    words = iter(command)
    for word in words:
        if word == "-Xclang":
            option = next(words, "")
            if option == _OF_CODE_PAIRED:
                next(words, None), next(words, None)
            else:
                yield from (word, option)
        elif not word.startswith(_OF_CODE):
            yield word


def included(path: Path) -> list[str]:
    """The flags that have clang read a precompiled header."""
    return ["-Xclang", "-include-pch", "-Xclang", str(path)]


def forget(path: Path) -> None:
    """Delete a prelude that clang has found stale or damaged."""
    _prelude_pch.cache_clear()
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


@functools.lru_cache(maxsize=32)
def _prelude_pch(
    command: tuple[str, ...], key: str, headers: tuple[str, ...], _cache: str
) -> Path | None:
    # clang compares times: after a new installation of the same text the old prelude is stale.
    texts: list[str] = []
    for header in sorted(PRELUDE.parent.rglob("*.h")):
        texts += (str(header), header.read_text(encoding="utf-8"), str(header.stat().st_mtime_ns))
    inputs = [str(PRELUDE)]
    if headers:
        names = (str(PRELUDE), str(_BEGIN), *headers)
        forced = [word for name in names for word in ("-include", name)]
        inputs = [*forced, str(_END)]
    parts = [key, *command, *EMIT, _NAMES, _LISTS, *texts, *inputs]
    digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()

    def build(target: Path) -> bool:
        made_of = target.with_suffix(".d")
        arguments = [*command, *EMIT, "-MD", "-MF", str(made_of), "-o", str(target), *inputs]
        try:
            completed = run_limited(
                arguments, timeout=_BUILD_SECONDS, memory=_MEMORY, file_size=FILE_SIZE
            )
            if completed.status != 0 or target.stat().st_size == 0:
                return False
            without_unread_lists(target)
            names = _names_in(made_of.read_text(encoding="utf-8", errors="surrogateescape"))
            return publish_file(path.with_suffix(_NAMES), lambda to: to.write_text(names) >= 0)
        except OSError:
            return False
        finally:
            made_of.unlink(missing_ok=True)

    try:
        directory = cache_dir("pch")
        path = directory / f"{digest[:24]}.pch"
        if _is_whole(path):
            return path
        with one_at_a_time(directory, digest):
            if not _is_whole(path) and not publish_file(path, build):
                return None
        for pattern in ("*.pch", f"*{_NAMES}"):
            keep_newest(directory, pattern, _KEPT, _KEPT_AT_WORK)
    except IRError:
        return None
    return path
