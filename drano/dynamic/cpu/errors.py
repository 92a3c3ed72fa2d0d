"""What the CPU back end cannot lower: one line naming the construct and the source line."""

from __future__ import annotations

from drano.model.span import Location
from drano.model.system_headers import user_location
from drano.support.errors import IRError

MAX_SHOWN = 160
NOT_ON_THE_CPU = "not supported on the CPU"


def unsupported(path: str, construct: str, location: Location | None, function: str) -> IRError:
    """The error to raise: ``a.cu: not supported on the CPU: … (line 12 of a.cu, in f)``."""
    shown = " ".join(construct.split())
    if len(shown) > MAX_SHOWN:
        shown = shown[: MAX_SHOWN - 1] + "…"
    place = f"at {user_location(location).span}, " if location is not None else ""
    return IRError(path, f"{NOT_ON_THE_CPU}: {shown} ({place}in {function})")
