"""The user's cache directory, and how files and directories get into it atomically.

Everything in it can be deleted at any time. A reader never sees a half-written entry: an entry is
built under a temporary name beside its place and renamed into it, so that of several processes
that build the same entry one wins and the others use its result (what takes long they build
``one_at_a_time``), and a killed one leaves only a
temporary that a later run removes. ``DRANO_CACHE_DIR`` overrides the place.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import platformdirs

from drano.support.errors import IRError

_TEMPORARY = ".tmp-"
_STALE_SECONDS = 3600.0
_IDLE_SECONDS = 3600.0
_LOCK_SECONDS = 60.0
_LOCK_INTERVAL = 0.02


def cache_dir(part: str = "") -> Path:
    """The cache directory (or its sub-directory ``part``), created when missing.

    Raises IRError when it cannot be created or written, or when others than this user may write to
    it: what they put there would be linked, and run.
    """
    override = os.environ.get("DRANO_CACHE_DIR", "")
    named = Path(override) if override else Path(platformdirs.user_cache_dir("drano"))
    root = Path(os.path.abspath(named))
    place = Path(os.path.abspath(root / part))
    try:
        root.parent.mkdir(parents=True, exist_ok=True)
        for directory in reversed([place, *(p for p in place.parents if p.is_relative_to(root))]):
            directory.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise _unusable(place, error) from error
    _require_own(root, place)
    if not os.access(place, os.W_OK | os.X_OK):
        raise IRError(str(place), "cache directory is not writable; set DRANO_CACHE_DIR")
    return place


def _require_own(root: Path, place: Path) -> None:
    """Raises IRError unless the cache's directories are this user's alone."""
    for directory in (place, *(p for p in place.parents if p.is_relative_to(root))):
        try:
            status = directory.stat()
        except OSError as error:
            raise _unusable(directory, error) from error
        if status.st_uid not in {os.geteuid(), 0}:
            raise IRError(
                str(directory), "cache directory belongs to another user; set DRANO_CACHE_DIR"
            )
        if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise IRError(
                str(directory),
                "cache directory can be written by others: chmod go-w, or set DRANO_CACHE_DIR",
            )


def verified(place: Path) -> bool:
    """Whether a file that ``publish_verified`` put at ``place`` is there, and whole."""
    try:
        wanted = _sum_of(place).read_text(encoding="ascii")
        return hashlib.sha256(place.read_bytes()).hexdigest() == wanted
    except (OSError, UnicodeDecodeError):
        return False


def publish_verified(place: Path, build: Callable[[Path], bool]) -> None:
    """``publish_file``, with a sum by which damage is noticed: for what is linked and run."""

    def built(target: Path) -> bool:
        if not build(target):
            return False
        found = hashlib.sha256(target.read_bytes()).hexdigest()
        return publish_file(_sum_of(place), lambda sums: bool(sums.write_text(found)))

    publish_file(place, built)


def _sum_of(place: Path) -> Path:
    return place.with_name(place.name + ".sha256")


def publish_directory(place: Path, build: Callable[[Path], None]) -> Path:
    """Fill ``place`` by ``build(empty directory)`` unless another process was faster.

    Returns ``place``. Raises IRError when the cache cannot be written; what ``build`` raises
    passes through, and leaves nothing behind.
    """
    _remove_stale(place.parent)
    try:
        temporary = Path(tempfile.mkdtemp(prefix=_TEMPORARY, dir=place.parent))
    except OSError as error:
        raise _unusable(place.parent, error) from error
    try:
        build(temporary)
        temporary.chmod(0o755)
        _rename_directory(temporary, place)
    except OSError as error:
        raise _unusable(place, error) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return place


def replace_directory(place: Path, build: Callable[[Path], None]) -> Path:
    """Like ``publish_directory`` for a ``place`` that exists but is broken: it is set aside."""
    try:
        aside = Path(tempfile.mkdtemp(prefix=_TEMPORARY, dir=place.parent))
        place.rename(aside / "old")
    except OSError:
        aside = place.parent / f"{_TEMPORARY}none"
    shutil.rmtree(aside, ignore_errors=True)
    return publish_directory(place, build)


def publish_file(place: Path, build: Callable[[Path], bool]) -> bool:
    """Put the file that ``build(temporary path)`` writes at ``place``; False when it says so.

    Raises IRError when the cache cannot be written.
    """
    _remove_stale(place.parent)
    try:
        handle, name = tempfile.mkstemp(prefix=_TEMPORARY, suffix=place.suffix, dir=place.parent)
        os.close(handle)
    except OSError as error:
        raise _unusable(place.parent, error) from error
    temporary = Path(name)
    try:
        if not build(temporary):
            return False
        temporary.replace(place)
    except OSError as error:
        raise _unusable(place, error) from error
    finally:
        temporary.unlink(missing_ok=True)
    return True


@contextlib.contextmanager
def one_at_a_time(directory: Path, digest: str) -> Iterator[None]:
    """Have processes that make the same wait for each other, so that the second one finds it made.

    For up to a minute; where files cannot be locked, for no time.
    """
    if sys.platform == "win32":
        yield
        return
    import fcntl  # noqa: PLC0415 - not on all systems

    with contextlib.ExitStack() as stack:
        ends = time.monotonic() + _LOCK_SECONDS
        with contextlib.suppress(OSError):
            lock = stack.enter_context((directory / f"{digest[:1]}.lock").open("ab"))
            while time.monotonic() < ends:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    time.sleep(_LOCK_INTERVAL)
        yield


def touch(path: Path) -> None:
    """Mark a file as used. Its time of modification, which clang compares, stays.

    Raises OSError when it is not there.
    """
    os.utime(path, ns=(time.time_ns(), path.stat().st_mtime_ns))


def keep_newest(directory: Path, pattern: str, count: int, at_work: int = 0) -> None:
    """Delete all but the ``count`` most recently used files that match ``pattern``, or all but
    ``at_work`` of them, if those are more, as long as they were used within the last hour: who goes
    round among more than ``count`` would make each anew.
    """
    dated: list[tuple[float, Path]] = []
    for path in directory.glob(pattern):
        try:
            status = path.stat()
            dated.append((max(status.st_atime, status.st_mtime), path))
        except OSError:  # another process deleted it
            continue
    dated.sort(reverse=True)
    idle = time.time() - _IDLE_SECONDS
    for place, (used, path) in enumerate(dated):
        if place >= (count if used < idle else max(count, at_work)):
            path.unlink(missing_ok=True)


def _rename_directory(temporary: Path, place: Path) -> None:
    """Rename; when ``place`` is there already, its winner's content is as good as ours."""
    try:
        temporary.rename(place)
    except OSError:
        if not place.is_dir():
            raise


def _remove_stale(directory: Path) -> None:
    """Remove temporaries that processes killed long ago have left."""
    limit = time.time() - _STALE_SECONDS
    for path in directory.glob(f"{_TEMPORARY}*"):
        try:
            if path.lstat().st_mtime > limit:
                continue
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
        except OSError:  # another process was faster
            continue


def _unusable(place: Path, error: OSError) -> IRError:
    reason = error.strerror or str(error)
    return IRError(str(place), f"cache is unusable ({reason}); set DRANO_CACHE_DIR")
