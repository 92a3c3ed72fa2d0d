"""PTX, from its text or from the binaries that hold it, to device IR that is read."""

from drano.ptx.binaries import BinaryError, code_in, ptx_in
from drano.ptx.model import PtxError
from drano.ptx.module_text import translate, translate_all
from drano.ptx.writer import NamesOf

__all__ = [
    "BinaryError",
    "NamesOf",
    "PtxError",
    "code_in",
    "ptx_in",
    "translate",
    "translate_all",
]
