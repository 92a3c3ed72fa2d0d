"""Which rules a run asks, and about which files."""

from __future__ import annotations

from drano.model.file_patterns import matches_header
from drano.model.settings import Config
from drano.model.system_headers import is_system_header
from drano.rules.base import Rule
from drano.rules.table import RULES

_OWN_PREFIX = len("DRN4")  # of a selection that is meant for a rule that is off by default


def active_rules(config: Config) -> tuple[Rule, ...]:
    """Rules that ``config`` selects: by code prefix; the longer prefix wins, ignore wins a draw.

    >>> from drano.model.settings import Config
    >>> [rule.code for rule in active_rules(Config(ignore=("DRN",), select=("DRN003",)))]
    ['DRN003']
    """
    return tuple(rule for rule in RULES.values() if _selected(rule, config))


def _selected(rule: Rule, config: Config) -> bool:
    code = rule.code
    wanted = (*(config.select or ("",)), *config.extend_select)
    chosen = max((len(p) for p in wanted if code.startswith(p)), default=None)
    ignored = max((len(p) for p in config.ignore if code.startswith(p)), default=None)
    if chosen is not None and not rule.default and chosen < _OWN_PREFIX:
        return False
    return chosen is not None and (ignored is None or chosen > ignored)


def is_ignored_in(code: str, path: str, config: Config) -> bool:
    """Whether ``per-file-ignores`` turn the rule off in that file."""
    return any(
        code.startswith(codes) and matches_header((pattern,), config.root, path)
        for pattern, codes in config.per_file_ignores
    )


def is_hidden(path: str, unit: str, config: Config) -> bool:
    """Whether nothing is said of the file at ``path``, part of ``unit``: it is a header of the
    system's or an SDK's, or excluded.
    """
    if path == unit:
        return False
    system = is_system_header(path) and not config.system_headers
    return system or matches_header(config.exclude, config.root, path)
