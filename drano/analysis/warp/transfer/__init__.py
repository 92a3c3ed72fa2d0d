"""Transfer functions: what each instruction does to values, masks and local arrays."""

from drano.analysis.warp.transfer import calls, control, memory, phis, scalars
from drano.analysis.warp.transfer.registry import TRANSFERS, transfer_of

__all__ = ["TRANSFERS", "calls", "control", "memory", "phis", "scalars", "transfer_of"]
