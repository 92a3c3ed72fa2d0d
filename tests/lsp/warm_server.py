"""``drano …`` for editors and shells in processes that need not load the modules anew, of which the
protocol of ``drano lsp`` alone has six hundred classes.

Means: one process of a session has the modules loaded and has run none of drano's code. An editor
starts a small program that hands over its streams, arguments, directory and environment to a copy
of that process, and ends with the copy's exit status.
Limits: variables that Python reads when it starts are the session's (``tests.warm_cli``); the
process that an editor has started is not the server itself.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import runpy
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_ENOUGH = 1 << 20
_PATIENCE = 60.0
_HAND_OVER = """
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect(sys.argv[1])
    request = {"arguments": sys.argv[2:], "cwd": os.getcwd(), "env": dict(os.environ)}
    socket.send_fds(server, [json.dumps(request).encode()], [0, 1, 2])
    server.shutdown(socket.SHUT_WR)
    for number in (0, 1, 2):
        os.close(number)
    os._exit(int(server.recv(16) or b"1") & 255)
"""


class WarmServer:
    """Mutable: starts when first needed, and ends with this process."""

    def __init__(self, *modules: str) -> None:
        self._modules = modules
        self._process: subprocess.Popen[bytes] | None = None
        self._folder = ""

    def command(self, *arguments: str) -> list[str]:
        """What an editor is to start in the place of ``python -m drano``."""
        if self._process is None:
            self._folder = tempfile.mkdtemp(prefix="drano-warm-")
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.lsp.warm_server", self._path, *self._modules],
                cwd=ROOT,
                # Pipes, as streams remember what they were when Python started.
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            end = time.monotonic() + _PATIENCE
            while not Path(self._path).exists():
                assert time.monotonic() < end, "the warm server does not start"
                time.sleep(0.02)
        return [sys.executable, "-S", "-E", "-c", _HAND_OVER, self._path, *arguments]

    def close(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.communicate()
            shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def _path(self) -> str:
        return str(Path(self._folder) / "socket")


SERVER = WarmServer("drano.cli.main", "drano.lsp.start")
"""The session's. A fixture ends it, and so does the end of its stdin."""


# --- in the other process --------------------------------------------------------------------


def _serve(listener: socket.socket) -> dict[str, object]:
    """Returns in a copy only, with its request."""
    while True:
        ready, _, _ = select.select([listener, sys.stdin], [], [])
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        if sys.stdin in ready:
            sys.exit()
        connection, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            return _in_copy(connection)
        connection.close()


def _in_copy(connection: socket.socket) -> dict[str, object]:
    """Returns in a copy of the copy, which waits for that one and tells how it ended."""
    message, handles, _, _ = socket.recv_fds(connection, _ENOUGH, 3)
    while part := connection.recv(_ENOUGH):
        message += part
    if pid := os.fork():
        for handle in handles:
            os.close(handle)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        with contextlib.suppress(OSError):
            connection.sendall(b"%d" % status)
        os._exit(0)
    connection.close()
    for number, handle in enumerate(handles):
        os.dup2(handle, number)
        os.close(handle)
    request: dict[str, object] = json.loads(message)
    return request


def _main(path: str, modules: Sequence[str]) -> None:
    for module in modules:
        __import__(module)
    gc.freeze()  # a collection would write to, and so copy, all pages that a copy shares
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(f"{path}.new")
    listener.listen()
    Path(f"{path}.new").rename(path)
    request = _serve(listener)
    env, arguments = request["env"], request["arguments"]
    assert isinstance(env, dict) and isinstance(arguments, list)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(str(request["cwd"]))
    sys.argv = ["drano", *arguments]
    sys.path[0] = str(request["cwd"])


if __name__ == "__main__":
    _main(sys.argv[1], sys.argv[2:])
    runpy.run_module("drano", run_name="__main__", alter_sys=True)
