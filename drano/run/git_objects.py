"""What a git repository holds, read without running anything that the repository names.

Only commands that read objects and the index are called, never one that looks at the working tree:
those run the repository's filters. Hooks, file-system monitors, external diffs and fetches of
missing objects are off, and no shell is used. Files of a commit are written by drano itself.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Final

from drano.support.regular_files import regular_or_empty

_SECONDS: Final = 600.0
_SAFE: Final = (
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "core.attributesFile="),
    *("-c", "protocol.allow=never"),
)
_REGULAR: Final = frozenset({"100644", "100755"})
_LINK: Final = "120000"
_MAX_FILE: Final = 64 << 20
_DIFFERENT: Final = 1
"""What ``git diff --no-index`` gives back for files that differ."""


class ChangesError(Exception):
    """``str()`` is one line: why git cannot tell."""


def git(directory: str, *arguments: str, given: bytes = b"", fine: Sequence[int] = (0,)) -> bytes:
    """What a git command prints; ``fine``: exit statuses that are no error. Raises ChangesError."""
    dropped = ("GIT_TRACE", "GIT_EXTERNAL_DIFF")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(dropped)}
    environment |= {
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "",
        "GIT_ATTR_NOSYSTEM": "1",
        "LC_ALL": "C",
    }
    try:
        done = subprocess.run(
            ["git", "--no-pager", "-C", directory, *_SAFE, *arguments],
            input=given,
            capture_output=True,
            env=environment,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise ChangesError(f"cannot run git: {error}") from None
    if done.returncode not in fine:
        last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise ChangesError(f"git {arguments[0]}: {last or f'status {done.returncode}'}")
    return done.stdout


def tree_of(top: str, commit: str) -> dict[str, tuple[str, str]]:
    """(mode, object) of each file of a commit, by its path; those with no proper path left out."""
    listed = git(top, "ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0")[:-1]
    found = {}
    for entry in listed:
        head, _, name = entry.partition(b"\t")
        mode, _, identity = head.decode().split(" ")
        path = os.fsdecode(name)
        if _is_proper(path):
            found[path] = (mode, identity)
    return found


def staged(top: str) -> dict[str, str]:
    """Object of each file in the index, by its path."""
    found = {}
    for entry in git(top, "ls-files", "-s", "-z").split(b"\0")[:-1]:
        head, _, name = entry.partition(b"\t")
        found[os.fsdecode(name)] = head.decode().split(" ")[1]
    return found


def is_same(path: Path, identity: str) -> bool:
    """Whether a file holds an object, its line ends aside, as far as no filter is asked."""
    if path.is_symlink():
        content = os.fsencode(path.readlink())
    else:
        content = regular_or_empty(path, _MAX_FILE)
        if not content and not path.is_file():
            return False
    texts = (content, content.replace(b"\r\n", b"\n"))
    return any(_identity(text, len(identity)) == identity for text in texts)


def write_tree(top: str, commit: str, place: Path) -> None:
    """The files of a commit below ``place``, as they are stored. Links stay within it."""
    files = tree_of(top, commit)
    wanted = {path: item for path, item in files.items() if item[0] in {*_REGULAR, _LINK}}
    contents = _contents(top, [identity for _, identity in wanted.values()])
    root = place.resolve()
    for path, (mode, identity) in wanted.items():
        target, content = place / path, contents.get(identity)
        if content is None or not target.parent.resolve().is_relative_to(root):
            continue
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if mode == _LINK:
                _link(target, os.fsdecode(content), root)
            else:
                target.write_bytes(content)
        except OSError as error:
            raise ChangesError(f"cannot write {path}: {error.strerror or error}") from None


def blob(top: str, commit: str, path: str) -> bytes:
    """A file of a commit as it is stored; empty where there is none."""
    item = tree_of(top, commit).get(path)
    return b"" if item is None else _contents(top, [item[1]]).get(item[1], b"")


def patch(old: bytes, new: bytes) -> bytes:
    """How two texts differ, without lines around: told by git outside of any repository."""
    with tempfile.TemporaryDirectory(prefix="drano-") as name:
        Path(name, "old").write_bytes(old)
        Path(name, "new").write_bytes(new)
        plain = ("--no-index", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--text")
        return git(name, "diff", *plain, "old", "new", fine=(0, _DIFFERENT))


def _link(target: Path, content: str, root: Path) -> None:
    if (target.parent / content).resolve().is_relative_to(root):
        target.symlink_to(content)


def _contents(top: str, identities: Sequence[str]) -> Mapping[str, bytes]:
    wanted = list(dict.fromkeys(identities))
    if not wanted:
        return {}
    printed = git(top, "cat-file", "--batch", given="\n".join([*wanted, ""]).encode())
    found: dict[str, bytes] = {}
    at = 0
    while at < len(printed):
        end = printed.index(b"\n", at)
        words = printed[at:end].decode("utf-8", "replace").split(" ")
        at = end + 1
        if len(words) != 3 or not words[2].isdigit():
            continue  # missing
        size = int(words[2])
        if words[1] == "blob" and size <= _MAX_FILE:
            found[words[0]] = printed[at : at + size]
        at += size + 1
    return found


def _identity(content: bytes, length: int) -> str:
    """Git's name for a text: by SHA-1 or SHA-256, as the repository has it."""
    whole = b"blob %d\0" % len(content) + content
    if length == hashlib.sha256().digest_size * 2:
        return hashlib.sha256(whole).hexdigest()
    return hashlib.sha1(whole, usedforsecurity=False).hexdigest()


def _is_proper(path: str) -> bool:
    parts = path.split("/")
    plain = all(part not in {"", ".", ".."} and part.lower() != ".git" for part in parts)
    return plain and not PurePosixPath(path).is_absolute()
