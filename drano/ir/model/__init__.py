"""The frozen picture of a device module that every analysis reads.

Assumptions: the module is the *prepared* one (device functions inlined, SSA formed, see
``prepare/passes.py``), for ``nvptx64``: pointers are 8 bytes in every address space, little-endian.
Values of a function are numbered densely: ``Local(k)`` is argument or instruction ``k``.
Sizes, strides and offsets are in bytes.

The instruction set is a closed union (``Instruction``): what the reader does not know becomes
``Opaque``, never a guess. All public names of the modules are this package's: a new class is named
where it is defined only.
"""

from __future__ import annotations

from drano.ir.model.control_instructions import *
from drano.ir.model.instructions import *
from drano.ir.model.memory_instructions import *
from drano.ir.model.modules import *
from drano.ir.model.operands import *
from drano.ir.model.types import *
from drano.ir.model.value_instructions import *
