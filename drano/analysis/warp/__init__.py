"""The warp domain's interpretation of a kernel: values of all lanes, masks, divergence."""

from drano.analysis.warp.interpreter import WarpInterpreter

__all__ = ["WarpInterpreter"]
