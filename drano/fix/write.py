"""Writing edited sources: all of them or none, and only where nobody else has changed them.

Each file is written beside itself and takes the old one's place in one step, with its permissions.
Limits: between the check and the step another program may still write; a crash between two files
leaves the first one edited.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from drano.support.errors import IRError


def write_sources(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> None:
    """Put the texts ``after`` in the place of those ``before``. Raises IRError, with nothing
    changed, where a file is not what it was, or cannot be written.
    """
    ready: list[tuple[Path, Path]] = []
    try:
        for path, text in after.items():
            target = Path(path).resolve()
            status = target.stat()
            if not stat.S_ISREG(status.st_mode) or target.read_bytes() != before[path]:
                raise IRError(path, "has changed since it was read; nothing was written")
            temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
            ready.append((temporary, target))
            with temporary.open("xb") as stream:
                os.fchmod(stream.fileno(), stat.S_IMODE(status.st_mode))
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
        for temporary, target in ready:
            temporary.replace(target)
    except OSError as error:
        name = str(error.filename or next(iter(after), ""))
        raise IRError(name, f"cannot be written: {error.strerror or error}") from error
    finally:
        for temporary, _ in ready:
            temporary.unlink(missing_ok=True)
