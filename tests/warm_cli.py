"""``drano …`` in processes of its own that need not load everything anew.

Means: one process of a session has all modules loaded, has asked the compilers that are there who
they are, which takes five processes, and has analysed one small unit, as a worker has before its
second: what Python and LLVM do at first use is done. For each command it makes a copy of itself,
which gets the command's arguments, directory, environment and pipes and then does what
``python -m drano`` does, up to the interpreter's own exit.
Assumptions: the compilers stay the same during a session. Another PATH is asked anew.
Limits: variables that Python reads when it starts cannot be given afterwards; commands with others
than the session's are started the long way (``same_start``).
"""

from __future__ import annotations

import array
import contextlib
import gc
import json
import os
import runpy
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
_READ_AT_START = ("PYTHON", "LC_", "LANG", "LD_", "TZ")
LOADED = (
    "drano.cli.main", "drano.run.pipeline", "drano.run.worker", "drano.dynamic.compiler.cc",
    "drano.dynamic.compiler.run", "drano.dynamic.reports.commands", "drano.occupancy.report",
)  # fmt: skip
"""Modules that hardly any command does without."""
_ENOUGH = 1 << 16
_UNIT = """\
__global__ void rows(const float* in, float* out, int n, int pitch) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i * pitch] + in[i + 1];
}
void launch(const float* in, float* out) { rows<<<4, 256>>>(in, out, 1000, 8); }
"""


def same_start(environment: Mapping[str, str]) -> bool:
    """Whether Python would start as it has started here."""
    names = {name for name in {*environment, *os.environ} if name.startswith(_READ_AT_START)}
    names.discard("PYTHONPATH")
    return all(environment.get(name) == _START.get(name) for name in names)


_START = dict(os.environ)


class WarmCli:
    """Mutable: starts when first needed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._lock = threading.Lock()

    def run(
        self,
        arguments: Sequence[str],
        cwd: Path,
        environment: Mapping[str, str],
        timeout: float,
        started: Callable[[int], object] = lambda pid: None,
    ) -> tuple[int, str, str]:
        """Exit status, stdout and stderr. ``started`` is told the process's number. Raises
        subprocess.TimeoutExpired.
        """
        with self._lock, contextlib.ExitStack() as stack:
            connection = self._started()
            readers, writers = zip(*(os.pipe() for _ in range(2)), strict=True)
            for reader in readers:
                stack.callback(os.close, reader)
            request = {"arguments": list(arguments), "cwd": str(cwd), "env": dict(environment)}
            data = json.dumps(request).encode() + b"\n"
            socket.send_fds(connection, [b" "], list(writers))
            connection.sendall(data)
            for writer in writers:
                os.close(writer)
            answers = stack.enter_context(connection.makefile("r"))
            pid = int(answers.readline())
            started(pid)
            try:
                texts = _read_all(readers, timeout)
            except TimeoutError:
                os.kill(pid, signal.SIGKILL)
                answers.readline()
                raise subprocess.TimeoutExpired(list(arguments), timeout) from None
            status = int(answers.readline())
        out, err = (text.decode("utf-8").replace("\r\n", "\n") for text in texts)
        return status, out, err

    def close(self) -> None:
        """End it."""
        if self._socket is not None and self._process is not None:
            self._socket.close()
            self._process.communicate()

    def _started(self) -> socket.socket:
        if self._socket is None:
            self._socket, theirs = socket.socketpair()
            with theirs:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "tests.warm_cli", str(theirs.fileno())],
                    cwd=ROOT,
                    pass_fds=(theirs.fileno(),),
                    stdin=subprocess.DEVNULL,
                    # Pipes, as streams remember what they were when Python started.
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                )
        return self._socket


CLI = WarmCli()
"""The session's. A fixture ends it, and so does its end of the socket."""


def environment() -> dict[str, str]:
    """This process's, with which a command finds this drano, and hides no traceback."""
    path = (str(ROOT), os.environ.get("PYTHONPATH", ""))
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path))}
    variables.pop("DRANO_DEBUG", None)
    return variables


def main(arguments: Sequence[str], timeout: float = 300.0) -> int:
    """What ``drano.cli.main.main`` does: exit status as the result, output to this process's
    streams. That one, called in a process with threads such as pytest's, could not copy itself: it
    would load everything anew for the units that it analyses.
    """
    variables = environment()
    assert same_start(variables)
    status, out, err = CLI.run(arguments, Path.cwd(), variables, timeout)
    assert "Traceback" not in err, err
    sys.stdout.write(out)
    sys.stderr.write(err)
    return status


def _read_all(readers: Sequence[int], timeout: float) -> list[bytes]:
    parts: dict[int, list[bytes]] = {reader: [] for reader in readers}
    deadline = time.monotonic() + timeout
    with selectors.DefaultSelector() as selector:
        for reader in readers:
            selector.register(reader, selectors.EVENT_READ)
        while selector.get_map():
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            for key, _ in selector.select(left):
                part = os.read(key.fd, _ENOUGH)
                parts[key.fd].append(part)
                if not part:
                    selector.unregister(key.fd)
    return [b"".join(parts[reader]) for reader in readers]


# --- in the other process --------------------------------------------------------------------


def _serve(connection: socket.socket) -> Any:
    """Returns in a copy only, with its request."""
    requests = connection.makefile("r")
    while True:
        _, ancillary, _, _ = connection.recvmsg(1, socket.CMSG_SPACE(2 * array.array("i").itemsize))
        if not ancillary:
            sys.exit()
        outputs = array.array("i", ancillary[0][2])
        request = json.loads(requests.readline())
        pid = os.fork()
        if pid == 0:
            connection.close()
            for number, handle in enumerate(outputs, start=1):
                os.dup2(handle, number)
                os.close(handle)
            return request
        for handle in outputs:
            os.close(handle)
        connection.sendall(b"%d\n" % pid)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        connection.sendall(b"%d\n" % status)


def _ask_compilers() -> None:
    from drano.frontend.sdk.headers import cuda_headers
    from drano.frontend.toolchain import find_clang, host_headers
    from drano.support.errors import IRError

    with contextlib.suppress(IRError):  # which each command then says
        host_headers(find_clang())
        cuda_headers()


def _analyse_a_unit() -> None:
    from drano.model.settings import Config
    from drano.run.driver import Task, guarded

    with tempfile.TemporaryDirectory() as folder:
        unit = Path(folder) / "unit.cu"
        unit.write_text(_UNIT)
        guarded(Task(str(unit), Config()))


if __name__ == "__main__":
    for module in LOADED:
        __import__(module)
    _ask_compilers()
    _analyse_a_unit()
    gc.freeze()  # a collection would write to, and so copy, all pages that a copy shares
    request = _serve(socket.socket(fileno=int(sys.argv[1])))
    os.environ.clear()
    os.environ.update(request["env"])
    os.chdir(request["cwd"])
    sys.argv = ["drano", *request["arguments"]]
    sys.path[0] = request["cwd"]
    for name in ("request", "module"):
        globals().pop(name, None)
    runpy.run_module("drano", run_name="__main__", alter_sys=True)
