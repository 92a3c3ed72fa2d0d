"""Starting the language server: on stdin and stdout, or on a TCP port for one client."""

from __future__ import annotations

import logging

from drano.lsp.server import build_server

log = logging.getLogger(__name__)


def serve_stdio() -> int:
    """Until the client says ``exit`` or closes its end."""
    server = build_server()
    server.start_io()
    return 0


def serve_tcp(host: str, port: int) -> int:
    """Listens on ``host`` only; ends with its client."""
    server = build_server()
    server.start_tcp(host, port)
    return 0
