"""The table of edits, in the order in which they are tried for a finding."""

from __future__ import annotations

from typing import Final

from drano.fix.catalogue import (
    align_structure,
    interchange_loops,
    keep_scratch_local,
    pad_shared_array,
    privatise_histogram,
    renumber_threads,
    reshape_block,
    restrict_parameters,
    split_memory_spaces,
    split_structure,
    stage_rows,
    stride_across_block,
    swap_thread_indices,
    transpose_through_tile,
    widen_loop_reads,
)
from drano.fix.catalogue.base import CatalogueEdit

EDITS: Final[tuple[CatalogueEdit, ...]] = (
    swap_thread_indices.EDIT,
    transpose_through_tile.EDIT,
    renumber_threads.EDIT,
    reshape_block.EDIT,
    pad_shared_array.EDIT,
    restrict_parameters.EDIT,
    align_structure.EDIT,
    split_structure.EDIT,
    stride_across_block.EDIT,
    interchange_loops.EDIT,
    keep_scratch_local.EDIT,
    split_memory_spaces.EDIT,
    privatise_histogram.EDIT,
    stage_rows.EDIT,
    widen_loop_reads.EDIT,
)
