"""PTX, from its text or from the binaries that hold it, to device IR that is read."""

from drano.ptx.model import PtxError
from drano.ptx.module_text import translate

__all__ = ["PtxError", "translate"]
