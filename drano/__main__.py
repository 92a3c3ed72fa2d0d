"""``python -m drano``: the command line."""

from __future__ import annotations

from drano.cli.main import run

run()
