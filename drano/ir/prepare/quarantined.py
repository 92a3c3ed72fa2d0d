"""What runs in quarantine (``quarantine.py``): the preparation of IR that may bring LLVM down."""

from __future__ import annotations

from pathlib import Path

from drano.ir.prepare.loaded_module import LoadedModule
from drano.ir.prepare.passes import prepare
from drano.ir.prepare.quarantine import REFUSED
from drano.model.settings import View
from drano.support.errors import IRError


def main(source: str, target: str, path: str, view: str) -> int:
    """Prepare ``source``, check the result, write it to ``target``.

    Returns the exit status; with ``REFUSED`` the target holds the reason.
    """
    text = Path(source).read_bytes().decode()
    status = 0
    try:
        result = prepare(text, path, trusted=True, view=View(view)).text
        LoadedModule(path).parse(result)
    except IRError as error:
        status, result = REFUSED, error.reason
    Path(target).write_text(result, encoding="utf-8", errors="replace")
    return status
