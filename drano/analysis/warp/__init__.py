"""The warp domain's interpretation of a kernel: values of all lanes, masks, divergence."""

from drano.analysis.warp.control import control_facts
from drano.analysis.warp.counting import counting_facts
from drano.analysis.warp.interpreter import WarpInterpreter
from drano.analysis.warp.judge import judge
from drano.analysis.warp.pitch import Pitches
from drano.analysis.warp.present import Presenter
from drano.analysis.warp.reuse import measured_reuse, reuse
from drano.analysis.warp.vectors import vectors

__all__ = [
    "Pitches",
    "Presenter",
    "WarpInterpreter",
    "control_facts",
    "counting_facts",
    "judge",
    "measured_reuse",
    "reuse",
    "vectors",
]
