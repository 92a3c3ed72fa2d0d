"""Starting the language server: on stdin and stdout, or on a TCP port for one client."""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import os
import socket
import sys
from pathlib import Path

from drano.config.command_parser import UsageError
from drano.lsp.language_server import DranoServer
from drano.lsp.server import build_server

# Objects that come without going before Python looks for cycles among them. A report is some ten
# thousand, without any cycle: as often as is usual, one in three waited 80 ms for such a search.
_SELDOM = (100_000, 20, 100)


def serve_stdio() -> int:
    """Until the client says ``exit`` or closes its end; 1 when it did not ask for the end first.

    The protocol has stdout for itself: what anything prints goes to stderr, the editor's log.
    """
    server = _server()
    with os.fdopen(os.dup(0), "rb") as given, os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        with Path(os.devnull).open("rb") as nothing:
            os.dup2(nothing.fileno(), 0)
        server.start_io(given, answers)
    return 0 if server.ended else 1


def serve_tcp(host: str, port: int) -> int:
    """Waits on ``host`` for one client, and ends with it. Raises UsageError for a bad address, and
    for one that other machines reach: whoever connects can have files read and compiled.
    """
    _require_loopback(host, port)
    print(f"drano: any program on this machine can connect to {host}:{port}", file=sys.stderr)
    server = _server()
    try:
        server.start_tcp(host, port)
    except OSError as error:
        raise UsageError(f"{host}:{port}: {error.strerror or error}") from error
    except (asyncio.CancelledError, SystemExit):
        pass
    return 0 if server.ended else 1


def _require_loopback(host: str, port: int) -> None:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise UsageError(f"{host}:{port}: {error.strerror or error}") from error
    for *_, address in found:
        if not ipaddress.ip_address(str(address[0]).partition("%")[0]).is_loopback:
            raise UsageError(f"{host}:{port}: the server listens on this machine only (127.0.0.1)")


def _server() -> DranoServer:
    """A new one, alone in its process."""
    server = build_server()
    gc.freeze()  # what was loaded stays
    gc.set_threshold(*_SELDOM)
    return server
