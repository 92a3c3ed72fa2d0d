"""`drano fix`, and `drano check --fix`."""

from __future__ import annotations

import argparse
import sys

from msgspec.structs import replace

from drano.cli.analysis import analyse, fails
from drano.cli.console import ERROR, FINDINGS, OK, emit, say, use_color
from drano.cli.progress_bar import waiting
from drano.config.arguments import settings_from
from drano.config.command_parser import UsageError


def fix_command(options: argparse.Namespace) -> int:
    """Exit status: 1 when there is a patch to print, 2 when the runs do not agree."""
    from drano.cli.fix import (  # noqa: PLC0415 - loads LLVM
        changes,
        diff,
        sorted_paths,
        suggestions,
        summary,
        verified,
        write,
    )

    runs = getattr(options, "verify", False)
    arguments: tuple[str, ...] = ()
    linked: tuple[str, ...] = ()
    if runs:
        arguments, options.clang_flags = options.clang_flags, ()
        options.paths, linked = sorted_paths(options.paths)
    report = analyse(options.paths, options)
    settings = settings_from(options)
    quiet = options.quiet or options.command == "check"
    silent = options.quiet
    found = changes(
        report,
        settings,
        unsafe=options.unsafe_fixes,
        say=(lambda _: None) if silent else say,
    )
    if runs and found.made:
        with waiting("running both versions", wanted=not options.quiet):
            result = verified(report, settings, found, linked, arguments)
        print(result.text, end="", file=sys.stderr)
        if result.against and len(found.made) > 1:
            if not silent:
                say(f"note: {result.against}; each fix is now tried by itself")
            found = changes(
                report,
                settings,
                unsafe=options.unsafe_fixes,
                say=(lambda _: None) if silent else say,
                accepts=lambda now: not verified(report, settings, now, linked, arguments).against,
            )
        elif result.against:
            found = replace(found, units=())
        if not found.made:
            raise UsageError(f"nothing was changed: {result.against}")
    reviewed = getattr(options, "github_review", False)
    if options.diff or reviewed:
        emit(suggestions(found) if reviewed else diff(found, color=use_color(options)), options)
    else:
        write(found)
    if not quiet:
        say(summary(found, written=not (options.diff or reviewed)))
    if fails(report, settings):
        return ERROR
    return FINDINGS if options.diff and found.made else OK
