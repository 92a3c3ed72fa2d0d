"""Kernels as native code of this machine: 32 lanes in lock step, every access counted.

``lower`` is the only entry. See ``plan.py`` for how a kernel is cut, ``lanes.py`` and
``driver.py`` for what is written, ``full.py`` for full warps, ``runtime/drano_abi.h`` for what the
code expects around it.
"""

from __future__ import annotations

from drano.dynamic.simt.unit import DeviceObject, lower

__all__ = ["DeviceObject", "lower"]
