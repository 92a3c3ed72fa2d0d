"""Processes that answer one request after the other: how they are started, asked and stopped.

``command`` starts one; ``serve`` is what runs over there. Requests come on its stdin, and a
``Reply`` to each goes to its stdout (``support.messages``); a first one, to nothing, says that all
is loaded. What anything prints goes to stderr. ``CANCEL`` takes it out of the request at hand, the
compiler included, and is answered; between requests it does nothing. SIGTERM ends it, in a request
by way of all that ends the compiler and removes its files. It ignores the terminal (Ctrl-C is its
holder's business), and ends when its holder is gone, also in the middle of a request.

Plain pipes and no multiprocessing: no locks to be left behind, the caller's main module is not run
again, and a cluster's daemonic processes may have workers of their own.
Assumption: who started it is trusted.
Limits: a request inside libclang or LLVM is only cancelled when it comes out of there.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO, Any, Final, NoReturn

from msgspec import Struct

from drano.support import messages
from drano.support.end_with_parent import end_with_parent

CANCEL: Final = signal.SIGUSR1
_TERMINATED: Final = 143


class Reply(Struct, frozen=True):
    """``value``: None at the start and when cancelled; ``memory``: the most held yet, in bytes."""

    value: Any
    memory: int


def command(module: str, *arguments: str) -> list[str]:
    """Starts a worker by ``main(*arguments)`` of a module. The directory that this process happens
    to be in has no part in what it imports.
    """
    own = str(Path(__file__).parents[2])
    inherited = sys.path if sys.flags.safe_path else sys.path[1:]
    path = [*dict.fromkeys((own, *inherited))]
    code = f"import sys; sys.path[:] = {path!r}; from {module} import main; main(*sys.argv[1:])"
    return [sys.executable, "-P", "-c", code, *arguments]


def serve(
    answer: Callable[[Any], Any],
    load: Callable[[], object],
    after: Callable[[Any, Any], None] = lambda request, value: None,
) -> NoReturn:
    """``load``, then ``answer`` requests until the other side closes its end; ``after`` is given
    each request and its answer when the answer has gone.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with Path(os.devnull).open("rb") as nothing:
        requests = os.fdopen(os.dup(0), "rb")
        os.dup2(nothing.fileno(), 0)
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    end_with_parent()
    status = 0
    try:
        _Serving(requests, replies).run(answer, load, after)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass  # the holder is gone
    except BaseException as error:
        print(f"drano: error: worker: {type(error).__name__}: {error}", file=sys.stderr)
        status = 1
    # Not by way of all that libraries do at exit.
    sys.stderr.flush()
    os._exit(status)


class _Cancelled(BaseException):
    """Not an Exception: nothing between the signal and the main loop may take it for a defect."""


class _Serving:
    """No struct: who sets a signal's handler anew has Python print the old one, our method, for
    an error that it then drops (``Handlers(old)`` of its ``signal.py``).
    """

    def __init__(self, requests: IO[bytes], replies: IO[bytes]) -> None:
        self._requests, self._replies = requests, replies
        self._busy = False

    def run(
        self,
        answer: Callable[[Any], Any],
        load: Callable[[], object],
        after: Callable[[Any, Any], None],
    ) -> None:
        signal.signal(CANCEL, self._cancel)
        self._held(load)
        self._reply(None)
        while True:
            request = messages.receive(self._requests)
            value = self._held(partial(answer, request))
            self._reply(value)
            after(request, value)

    def _held(self, work: Callable[[], Any]) -> Any:
        """What it gives; None when it was cancelled."""
        try:
            _on_sigterm(_terminate)
            self._busy = True
            value = work()
            self._busy = False
            _on_sigterm(signal.SIG_DFL)
        except _Cancelled:
            _on_sigterm(signal.SIG_DFL)
            return None
        except SystemExit:
            os._exit(_TERMINATED)
        return value

    def _reply(self, value: Any) -> None:
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        self._replies.write(messages.packed(Reply(value, memory)))
        self._replies.flush()

    def _cancel(self, _signal: int, _frame: Any) -> None:
        if self._busy:
            self._busy = False
            raise _Cancelled


def _on_sigterm(action: signal.Handlers | Callable[[int, Any], NoReturn]) -> None:
    """With the signal blocked, so that none is noted by Python and then finds no handler."""
    signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM,))
    signal.signal(signal.SIGTERM, action)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGTERM,))


def _terminate(_signal: int, _frame: Any) -> NoReturn:
    # Where Python cannot raise (it is in the middle of collecting garbage, say) it calls this.
    sys.unraisablehook = _end
    raise SystemExit(_TERMINATED)


def _end(_unraisable: Any) -> NoReturn:
    os._exit(_TERMINATED)
