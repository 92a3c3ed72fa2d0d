"""The one table of rule codes."""

from __future__ import annotations

from collections.abc import Mapping

from drano.rules import (
    bank_conflict,
    barrier_in_divergent_code,
    column_major_access,
    data_dependent_access,
    divergent_branch,
    generic_access,
    low_occupancy,
    reused_array,
    unaligned_access,
    uncoalesced_access,
    unused_suppression,
    vectorisable_access,
)
from drano.rules.base import Rule

RULES: Mapping[str, Rule] = {
    "DRN001": uncoalesced_access.RULE,
    "DRN002": unaligned_access.RULE,
    "DRN003": data_dependent_access.RULE,
    "DRN004": column_major_access.RULE,
    "DRN101": bank_conflict.RULE,
    "DRN201": divergent_branch.RULE,
    "DRN202": barrier_in_divergent_code.RULE,
    "DRN301": generic_access.RULE,
    "DRN401": vectorisable_access.RULE,
    "DRN402": reused_array.RULE,
    "DRN501": low_occupancy.RULE,
    "DRN901": unused_suppression.RULE,
}
