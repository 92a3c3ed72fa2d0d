"""What the user is told when drano itself fails: one line, and the traceback in the log."""

from __future__ import annotations

import logging
import os

log = logging.getLogger(__name__)


def internal_error(error: BaseException) -> str:
    """One line about a defect of drano; with DRANO_DEBUG set its traceback goes to the log
    (the command line's is stderr).
    """
    if os.environ.get("DRANO_DEBUG"):
        log.error("internal error", exc_info=error)
    if isinstance(error, MemoryError):
        return (
            "it takes more memory than there is, or than a worker may use; leave it out (exclude)"
        )
    said = " ".join(str(error).split())
    reason = f"{type(error).__name__}: {said}"[:300] if said else type(error).__name__
    return f"internal error ({reason}); please report it with what DRANO_DEBUG=1 prints"
