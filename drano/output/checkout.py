"""The directory that reported paths are relative to, and which version of which repository it is.

Reports that leave the machine speak of files from the repository's root on. git is asked, with a
time limit and without a shell; without git or a checkout the root is the working directory, or
where the files are. Credentials in a remote's URL never get into a report.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path, PurePath
from urllib.parse import quote, urlsplit, urlunsplit

from msgspec import Struct

_GIT_SECONDS = 10.0
_URL_SCHEMES = frozenset({"http", "https", "ssh", "git"})


class Revision(Struct, frozen=True):
    """What is checked out. ``uri``: of the repository; ``branch``: "" when none is checked out."""

    uri: str
    commit: str
    branch: str = ""


class SourceRoot(Struct, frozen=True):
    """``path``: absolute, as the files' paths have it; ``revision``: None outside of checkouts."""

    path: str
    revision: Revision | None = None

    @property
    def uri(self) -> str:
        """The root as a URI, which ends in "/" so that relative ones can be joined to it."""
        return file_uri(self.path).rstrip("/") + "/"

    def relative(self, path: str) -> str | None:
        """``path`` from the root on, with "/"; None for one that is not below it."""
        try:
            inside = PurePath(path).relative_to(self.path)
        except ValueError:
            return None
        return inside.as_posix() if inside.parts and ".." not in inside.parts else None

    def shown(self, path: str) -> str:
        """``path`` from the root on, or as it is when it is not below the root."""
        return self.relative(path) or path

    def uri_of(self, path: str) -> tuple[str, bool]:
        """``path`` as a URI reference, and whether it is relative to the root."""
        inside = self.relative(path)
        return (file_uri(path), False) if inside is None else (_quoted(inside), True)


def file_uri(path: str) -> str:
    """An absolute path as a URI; bytes that are no text stay what they are.

    >>> file_uri("/a b/c#1.cu")
    'file:///a%20b/c%231.cu'
    """
    posix = PurePath(path).as_posix()
    return "file://" + _quoted(posix if posix.startswith("/") else f"/{posix}")


def _quoted(path: str) -> str:
    return quote(os.fsencode(path))


def source_root(paths: Sequence[str]) -> SourceRoot:
    """The root for files (or directories) ``paths``: the checkout that we are in if any of them is
    in it, else the first path's checkout, else the working directory, else the files' directory.
    """
    here = str(Path.cwd())
    places = list(dict.fromkeys([here, *(str(Path(path).parent) for path in paths[:1])]))
    for place in places:
        top = _toplevel(place)
        if top is not None and (not paths or any(SourceRoot(top).relative(p) for p in paths)):
            return SourceRoot(top, _revision(top))
    if not paths or any(SourceRoot(here).relative(path) for path in paths):
        return SourceRoot(here)
    try:
        return SourceRoot(os.path.commonpath([str(Path(path).parent) for path in paths]))
    except ValueError:  # several drives
        return SourceRoot(here)


# --- git -------------------------------------------------------------------------------------


def _toplevel(directory: str) -> str | None:
    """The checkout's root, in the spelling of ``directory``: git resolves links, we do not."""
    up = _git(directory, "rev-parse", "--show-cdup")
    if up is None or _git(directory, "rev-parse", "--is-inside-work-tree") != "true":
        return None
    return os.path.normpath(Path(directory) / up)


def _revision(top: str) -> Revision | None:
    commit = _git(top, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    if not commit:
        return None  # nothing committed yet
    remote = _git(top, "config", "--get", "remote.origin.url") or ""
    branch = _git(top, "symbolic-ref", "--quiet", "--short", "HEAD") or ""
    return Revision(repository_uri(remote) or file_uri(top), commit, branch)


def repository_uri(remote: str) -> str:
    """A remote's URL without user, password, query and fragment; "" for what is none.

    >>> repository_uri("https://user:secret@example.org/a/b.git?token=1")
    'https://example.org/a/b.git'
    >>> repository_uri("git@example.org:a/b.git"), repository_uri("../b")
    ('ssh://example.org/a/b.git', '')
    """
    if "://" not in remote:
        host, colon, path = remote.rpartition("@")[2].partition(":")
        if not colon or not path or "/" in host or path.startswith(":"):
            return ""
        remote = f"ssh://{host}/{path.lstrip('/')}"
    try:
        parts = urlsplit(remote)
        port = f":{parts.port}" if parts.port else ""
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
    except ValueError:
        return ""
    if parts.scheme not in _URL_SCHEMES or not host.isascii() or not host:
        return ""
    return urlunsplit((parts.scheme, host + port, quote(parts.path, safe="/%~"), "", ""))


def _git(directory: str, *arguments: str) -> str | None:
    """One line of git's output; None where it fails, for whatever reason."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_TRACE")}
    environment |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            ["git", "-C", directory, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment,
            timeout=_GIT_SECONDS,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return os.fsdecode(done.stdout).strip("\r\n") if done.returncode == 0 else None
