"""What ``drano report``, ``drano diff`` and ``drano profile`` print, from their options."""

from __future__ import annotations

import argparse
import os

from drano.dynamic.profiles.nsight_compute import hardware_lines, read_ncu
from drano.dynamic.profiles.profile import merge, profile_json, read_profile
from drano.dynamic.reports import diff
from drano.dynamic.reports.report import Setting
from drano.dynamic.reports.report_formats import REPORTS
from drano.dynamic.reports.tree_report import TREES
from drano.model.source_files import source_files
from drano.output.roofline import ROOFS
from drano.output.source_lines import Sources


def report_text(options: argparse.Namespace, version: str) -> str:
    """``drano report``."""
    paths = options.profiles or ["drano-profile.json"]
    profile = merge([read_profile(path) for path in paths])
    if options.tree and options.format in TREES:
        return TREES[options.format](profile, options.importance)
    hardware = hardware_lines(options.ncu) if options.ncu else None
    sources = Sources(among=source_files((), folders=[os.getcwd()]))
    return REPORTS[options.format](profile, Setting(sources, version, hardware, ROOFS[options.gpu]))


def profile_text(options: argparse.Namespace, _version: str) -> str:
    """``drano profile``."""
    read = read_ncu if options.action == "import-ncu" else read_profile
    return profile_json(merge([read(path) for path in options.profiles]))


def diff_text(options: argparse.Namespace, _version: str) -> str:
    """``drano diff``."""
    return diff.FORMATS[options.format](diff.difference(options.base, options.new))
