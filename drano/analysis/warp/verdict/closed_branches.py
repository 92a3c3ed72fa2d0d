"""Code that no thread reaches in blocks of any shape: the arguments alone decide about it.

Means: what is reached by other ways than branches that no thread takes on a condition that is
computed from arguments and constants, such as ``n % 4 != 0`` before what is left over of an
unrolled loop. That is the same for all threads of all blocks.
"""

from __future__ import annotations

from drano.analysis.definitions import Definitions
from drano.analysis.warp.state.warp_state import WarpState
from drano.ir.model import Branch


def reached_in_some_shape(run: WarpState, definitions: Definitions) -> frozenset[int]:
    """The blocks that threads may reach if the launch has another shape than that of ``run``."""
    found, pending = {0}, [0]
    while pending:
        block = pending.pop()
        for target in run.structure.successors[block]:
            if target not in found and not _is_closed(run, block, target, definitions):
                found.add(target)
                pending.append(target)
    return frozenset(found)


def _is_closed(run: WarpState, block: int, target: int, definitions: Definitions) -> bool:
    if run.masks[block] is None or (block, target) in run.edges:
        return False
    last = run.function.blocks[block].instructions[-1]
    return isinstance(last, Branch) and definitions.of_arguments(last.condition)
