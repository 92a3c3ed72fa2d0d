"""Requests that are not as the protocol has them are answered with an error, and no more."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

WRONG: tuple[tuple[str, Any], ...] = (
    ("textDocument/hover", {}),
    (
        "textDocument/hover",
        {"textDocument": {"uri": "file:///a.cu"}, "position": {"line": -1, "character": 2**70}},
    ),
    ("textDocument/codeAction", []),
    ("textDocument/codeLens", None),
    ("textDocument/inlayHint", {"textDocument": {"uri": "file:///a.cu"}, "range": {}}),
    ("workspace/executeCommand", {"command": 7, "arguments": 3}),
    ("no/such/method", {}),
)

RIGHT = {"textDocument": {"uri": "file:///a.cu"}, "position": {"line": 0, "character": 0}}


def framed(message: object) -> bytes:
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def answers(output: bytes) -> dict[object, Any]:
    """What came back, by the request's number."""
    found = {}
    while output:
        head, _, rest = output.partition(b"\r\n\r\n")
        size = int(head.split(b":")[1].split()[0])
        message = json.loads(rest[:size])
        if "method" not in message:
            found[message.get("id")] = message
        output = rest[size:]
    return found


def test_each_gets_an_error_and_the_server_lives_on() -> None:
    start = {"processId": None, "rootUri": None, "capabilities": {}}
    messages: list[object] = [
        {"jsonrpc": "2.0", "id": "start", "method": "initialize", "params": start},
        {"jsonrpc": "2.0", "method": "initialized", "params": {}},
        *(
            {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            for number, (method, params) in enumerate(WRONG)
        ),
        {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {}}},
        {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": 7},
        b"{no json",
        [1, 2],
        {"jsonrpc": "2.0", "id": "right", "method": "textDocument/hover", "params": RIGHT},
        {"jsonrpc": "2.0", "id": "end", "method": "shutdown"},
        {"jsonrpc": "2.0", "method": "exit"},
    ]
    done = subprocess.run(
        [sys.executable, "-m", "drano", "lsp"], input=b"".join(map(framed, messages)),
        capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    found = answers(done.stdout)
    for number, (method, _) in enumerate(WRONG):
        assert found[number]["error"]["code"] in {-32602, -32601}, method
        assert method in found[number]["error"]["message"]
    assert found["right"]["result"] is None
