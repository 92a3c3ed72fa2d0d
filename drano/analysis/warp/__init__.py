"""The warp domain's interpretation of a kernel: values of all lanes, masks, divergence."""

from drano.analysis.warp.interpreter import interpret
from drano.analysis.warp.state.warp_state import WarpState
from drano.analysis.warp.verdict.closed_branches import reached_in_some_shape
from drano.analysis.warp.verdict.conditions import if_inside, may_rest_on_borders
from drano.analysis.warp.verdict.cost_facts import counting_facts
from drano.analysis.warp.verdict.divergence import control_facts, stops_block
from drano.analysis.warp.verdict.judge import (
    also_by_nvcc,
    if_in_turn,
    judge,
    judge_bulk,
    judge_unreached,
    judge_unseen,
)
from drano.analysis.warp.verdict.likely.row_pitch import Pitches
from drano.analysis.warp.verdict.likely.unit_strides import for_any_stride
from drano.analysis.warp.verdict.present import Presenter
from drano.analysis.warp.verdict.reuse import measured_reuse, reuse
from drano.analysis.warp.verdict.wider_accesses import vectors

__all__ = [
    "Pitches",
    "Presenter",
    "WarpState",
    "also_by_nvcc",
    "control_facts",
    "counting_facts",
    "for_any_stride",
    "if_in_turn",
    "if_inside",
    "interpret",
    "judge",
    "judge_bulk",
    "judge_unreached",
    "judge_unseen",
    "may_rest_on_borders",
    "measured_reuse",
    "reached_in_some_shape",
    "reuse",
    "stops_block",
    "vectors",
]
