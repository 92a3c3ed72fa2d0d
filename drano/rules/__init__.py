"""Rules: from accesses to findings."""

from drano.rules.base import AccessRule, CommentRule, ControlRule, KernelRule, Rule
from drano.rules.run import run_control_rules, run_rules
from drano.rules.selection import active_rules, is_hidden, is_ignored_in
from drano.rules.table import RULES

__all__ = [
    "RULES",
    "AccessRule",
    "CommentRule",
    "ControlRule",
    "KernelRule",
    "Rule",
    "active_rules",
    "is_hidden",
    "is_ignored_in",
    "run_control_rules",
    "run_rules",
]
