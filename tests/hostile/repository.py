"""A hostile repository, made where a test wants it: pipes and devices cannot be committed."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import threading
import time
from pathlib import Path

from msgspec import Struct

from drano.frontend.sdk.headers import cuda_headers
from tests.warm_cli import CLI, environment

SECRET = "correct horse battery staple"
KERNEL = "__global__ void k(float* a) { a[threadIdx.x * 2] = 1; }\n"
HOST = '#ifndef __CUDA_ARCH__\n#include "INCLUDED"\n#endif\nvoid f(float* a) { k<<<1, 32>>>(a); }\n'
NAME = "a" * 200 + ".cu"


class Hostile(Struct, frozen=True):
    """``root``: the repository; ``ran``: is there once anything of it was run; ``secret``: a file
    outside of it.
    """

    root: Path
    ran: Path
    secret: Path


class Ended(Struct, frozen=True):
    """``memory``: the most that the process and its children held, in bytes."""

    status: int
    stdout: str
    stderr: str
    seconds: float
    memory: int


def hostile(place: Path) -> Hostile:
    """Everything of it at once."""
    root, ran, secret = place / "repository", place / "ran", place / "secret.txt"
    root.mkdir()
    secret.write_text(f"{SECRET}\n" * 9)
    program = _program(root / "evil", ran)
    _sdk(root / "sdk", program)
    (root / "drano.toml").write_text(
        'extend-select = ["DRN501"]\n'
        f'exclude = ["{"*a" * 6}b", "{"*a/" * 9}b"]\n'
        f'per-file-ignores = {{"{"*a" * 6}b" = ["DRN001"]}}\n'
        '[compile]\ncuda-path = "sdk"\n'
    )
    os.mkfifo(root / "pipe")
    (root / "zero").symlink_to("/dev/zero")
    (root / NAME).write_text(KERNEL)
    for number, named in enumerate((secret, "/dev/zero", root / "pipe", root / "zero")):
        (root / f"line{number}.cu").write_text(f'#line 1 "{named}"\n{KERNEL}')
        (root / f"host{number}.cu").write_text(KERNEL + HOST.replace("INCLUDED", str(named)))
    (root / "profile.json").write_text(_profile(secret))
    _git(root, program)
    return Hostile(root, ran, secret)


def run(where: Path, *arguments: str | Path, limit: float = 120.0) -> Ended:
    """`drano …` as a user would, its memory watched."""
    began = time.monotonic()
    watches: list[Watch] = []
    try:
        status, stdout, stderr = CLI.run(
            list(map(str, arguments)), where, environment(), limit,
            lambda pid: watches.append(Watch(pid)),
        )  # fmt: skip
    finally:
        memory = max((watch.end() for watch in watches), default=0)
    return Ended(status, stdout, stderr, time.monotonic() - began, memory)


class Watch:
    """The most memory that a process and its children hold."""

    def __init__(self, pid: int) -> None:
        self._pid, self._most, self._done = pid, 0, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def end(self) -> int:
        """In bytes."""
        self._done.set()
        self._thread.join()
        return self._most

    def _look(self) -> None:
        while not self._done.wait(0.05):
            self._most = max(self._most, sum(map(_resident, _processes(self._pid))))


def _processes(pid: int) -> list[int]:
    found = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += [p for child in task.read_text().split() for p in _processes(int(child))]
        except OSError:
            continue
    return found


def _resident(pid: int) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _program(path: Path, ran: Path) -> Path:
    """A program that says that it was run, and passes its input on."""
    path.write_text(f"#!/bin/sh\ntouch {ran}\ncat\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def _sdk(place: Path, program: Path) -> None:
    """Real headers with programs of the repository."""
    (place / "bin").mkdir(parents=True)
    real = cuda_headers().root
    for name in ("include", "nvvm"):
        (place / name).symlink_to(real / name)
    for name in ("ptxas", "nvcc", "fatbinary"):
        (place / "bin" / name).symlink_to(program)


def _profile(secret: Path) -> str:
    site = {
        "path": str(secret), "line": 3, "column": 1, "kernel": "k", "function": "k",
        "kind": "store", "space": "global", "bytes": 4, "ordinal": 0, "inlined_at": [],
        "loops": [], "pruned": True, "executions": 8, "shared_executions": 0, "active_lanes": 256,
        "lines": 64, "sectors": 256, "sectors_ideal": 32, "wavefronts": 0, "wavefronts_ideal": 0,
        "conflicts": 0, "least": 32, "most": 32, "histogram": [0] * 31 + [8],
    }  # fmt: skip
    kernel = {
        "name": "k", "display": "k", "launches": 1, "threads": 32, "nanoseconds": 1,
        "static_shared_bytes": 0, "other_shapes": 0, "shapes": [],
    }  # fmt: skip
    head = {"format": "drano-profile", "version": 2, "program": "p", "gpu": "g", "ended": "exit"}
    return json.dumps(
        {**head, "workers": 1, "nanoseconds": 1, "kernels": [kernel], "arrays": [], "sites": [site]}
    )


def _git(root: Path, program: Path) -> None:
    """A commit, and then settings that run a program at each occasion."""

    def git(*arguments: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=n", "-c", "user.email=e", *arguments],
            cwd=root, check=True, capture_output=True,
        )  # fmt: skip

    git("init", "-q")
    git("add", "*.cu", "drano.toml")
    git("commit", "-qm", "first")
    (root / NAME).write_text(KERNEL.replace("* 2", "* 3"))
    (root / ".gitattributes").write_text("* filter=evil diff=evil merge=evil\n")
    (root / ".git/info").mkdir(exist_ok=True)
    (root / ".git/info/attributes").write_text("* filter=evil diff=evil\n")
    hooks = root / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    for name in (
        "post-index-change",
        "fsmonitor-watchman",
        "post-checkout",
        "reference-transaction",
    ):
        (hooks / name).unlink(missing_ok=True)
        (hooks / name).symlink_to(program)
    with (root / ".git/config").open("a") as file:
        file.write(
            f"[core]\n\tfsmonitor = {program}\n\thooksPath = {hooks}\n\tpager = {program}\n"
            f"\tsshCommand = {program}\n\tattributesFile = {root}/.gitattributes\n"
            f'[filter "evil"]\n\tclean = {program}\n\tsmudge = {program}\n\trequired = true\n'
            f"[diff]\n\texternal = {program}\n"
            f'[diff "evil"]\n\ttextconv = {program}\n\tcommand = {program}\n'
            f'[remote "origin"]\n\turl = ext::{program}\n\tpromisor = true\n'
        )
