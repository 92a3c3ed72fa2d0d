"""Kernels as native code of this machine: 32 lanes in lock step, every access counted.

``lower`` is the only entry. ``plan.py`` says how a kernel is divided, ``lane_steps.py`` and
``scheduler/step_function.py`` what code is generated, ``full_warp/nodes.py`` how full warps run,
and ``runtime/drano_abi.h`` what the code expects around it.
"""

from __future__ import annotations

from drano.dynamic.cpu.unit import DeviceObject, lower

__all__ = ["DeviceObject", "lower"]
