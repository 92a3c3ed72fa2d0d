"""Kernels as native code of this machine: 32 lanes in lock step, every access counted.

``lower`` is the only entry. See ``plan.py`` for how a kernel is cut, ``lane_steps.py`` and
``scheduler/step_function.py`` for what is written, ``full_warp/nodes.py`` for full warps,
``runtime/drano_abi.h`` for what the code expects around it.
"""

from __future__ import annotations

from drano.dynamic.cpu.unit import DeviceObject, lower

__all__ = ["DeviceObject", "lower"]
