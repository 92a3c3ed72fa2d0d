"""What an access costs in one launch: excess sectors of a request, times its executions.

``CostModel`` counts executions from loops, branches and launches. Unknown
numbers get assumed values, and the result says so: see ``defaults``.
"""

from __future__ import annotations

from drano.analysis.cost.model import CostModel, structural_cost

__all__ = ["CostModel", "structural_cost"]
