"""The server in a real editor: Neovim, headless (Debian's package ``neovim``)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

SCRIPT = Path(__file__).with_name("neovim.lua")
BAD = "__global__ void k(float* a) {\n  a[2 * threadIdx.x] = 0; // é😀\n}\n"


def test_neovim_shows_findings_and_follows_edits(tmp_path: Path) -> None:
    source, result = tmp_path / "k.cu", tmp_path / "result.json"
    source.write_text(BAD, encoding="utf-8")
    home = tmp_path / "home"
    home.mkdir()
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", "")))),
        "DRANO_COMMAND": json.dumps([sys.executable, "-m", "drano", "lsp"]),
        "XDG_STATE_HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "XDG_DATA_HOME": str(home),
    }
    completed = subprocess.run(
        [
            "nvim", "--headless", "-u", "NONE", "-i", "NONE",
            "--cmd", f"lua arg_source, arg_result = [[{source}]], [[{result}]]",
            "-c", f"luafile {SCRIPT}",
        ],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )  # fmt: skip
    assert result.exists(), completed.stdout + completed.stderr
    said = json.loads(result.read_text(encoding="utf-8"))
    finding = {"line": 1, "column": 2, "code": "DRN001", "source": "drano"}
    assert said["opened"] == {"came": True, "diagnostics": [finding]}
    assert said["edited"]["came"] and not said["edited"]["diagnostics"]
    assert said["undone"] == said["opened"]
    assert said["hover"].startswith("**Uncoalesced** global store, 4 bytes")
