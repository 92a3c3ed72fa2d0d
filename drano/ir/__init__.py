"""Device code: from CUDA sources or LLVM IR to the frozen model that the analyses read."""

from drano.ir.errors import IRError
from drano.ir.prepare import PreparedModule, parse_bitcode, prepare
from drano.ir.reader import read_module

__all__ = [
    "IRError",
    "PreparedModule",
    "parse_bitcode",
    "prepare",
    "read_module",
]
