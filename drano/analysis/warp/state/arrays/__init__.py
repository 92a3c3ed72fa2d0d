"""What a thread's own arrays hold: a flow-insensitive record of every store to each.

An array is an ``alloca``, or a by-value parameter, whose address is known wherever it is used. A
record says where a store puts what: the offset modulo a number, the value, and the lanes that
stored. What a load gives depends on the records that may overlap it:

* one value that stays the same while the kernel runs: that value, exactly;
* values of one lane pattern, stored by the same lanes: a uniform unknown plus that pattern;
* anything else: unknown, different in each lane.

Reading what was never written is undefined, so a lane that reads has stored before. A pointer
that is merged from, or walks through, one array stands for that array; once an address gets where
it is not followed, its array *escapes* and may hold anything.

Limits: no order of stores. A record overlaps another unless their offsets are known to differ.
"""

from __future__ import annotations

from drano.analysis.warp.state.arrays.loads import ArrayLoads
from drano.analysis.warp.state.arrays.stores import Arrays

__all__ = ["ArrayLoads", "Arrays"]
