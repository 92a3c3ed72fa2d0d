"""What an access costs in one launch: excess sectors of a request, times its executions.

``CostModel`` counts executions from loops, branches and launches. What is not known is taken to be
something, and said to be so: see ``defaults``.
"""

from __future__ import annotations

from drano.analysis.cost.model import CostModel, structural_cost

__all__ = ["CostModel", "structural_cost"]
