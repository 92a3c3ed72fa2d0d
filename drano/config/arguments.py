"""The command line's options, and the ``Config`` that they make."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from drano.config.command_parser import UsageError, build_parser
from drano.config.config_file import ConfigFiles, load_config
from drano.model.settings import Config, Domain, View
from drano.rules import RULES
from drano.run.annotated_kernels import interpreter


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of one command; what stands behind ``--`` is ``options.clang_flags``, for
    ``capture`` the command to run, ``options.program``.
    """
    own, clang_flags = split_clang_flags(arguments)
    options = build_parser(own[0] if own else None).parse_args(own)
    options.clang_flags = clang_flags
    if options.command == "capture":
        if not clang_flags:
            raise UsageError("capture needs a command: drano capture -- python script.py")
        options.program, options.clang_flags = list(clang_flags), ()
    given = options.command != "check" or options.paths or options.stdin_filename is not None
    if not given and options.compile_commands is None:
        raise UsageError("the following arguments are required: PATH (see drano check --help)")
    options.verbose = getattr(options, "verbose", 0)
    return options


def split_clang_flags(arguments: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """Our arguments, and what stands behind ``--``.

    >>> split_clang_flags(["check", "a.cu", "--", "-O1"])
    (['check', 'a.cu'], ('-O1',))
    """
    if "--" not in arguments:
        return list(arguments), ()
    at = arguments.index("--")
    return list(arguments[:at]), tuple(arguments[at + 1 :])


def settings_from(options: argparse.Namespace) -> ConfigFiles:
    """The settings of each source: the command line over the nearest configuration file."""
    only = None if options.config is None else os.path.abspath(options.config)
    files = ConfigFiles(lambda base: config_from(options, base), only, options.isolated)
    files.databases.roots = (os.getcwd(),)
    if only is not None:
        if options.isolated:
            raise UsageError("--config and --isolated cannot be combined")
        load_config(only)
    return files


def config_from(options: argparse.Namespace, base: Config | None = None) -> Config:
    """The settings that the command line gives, over those of ``base``.

    Single values replace the file's; include directories are searched before the file's, macros
    and flags come behind them; ``--select`` replaces all that the file says of rules to use, and
    what ``--extend-select`` names the file does not ignore.
    """
    base = base or Config()
    old, given = base.compile, options
    compile_options = _given(
        old,
        include_dirs=(*given.include_dirs, *old.include_dirs),
        defines=(*old.defines, *given.defines),
        undefines=(*old.undefines, *given.undefines),
        force_includes=(*old.force_includes, *given.force_includes),
        std=given.std,
        arch=given.arch,
        cuda_path=given.cuda_path,
        tools_path=given.cuda_path or (old.cuda_path if _is_trusted(given, base.root) else None),
        compile_commands=given.compile_commands,
        instantiate=(*old.instantiate, *given.instantiate),
        find_commands=given.find_commands,
        stub_missing_headers=given.stub_missing_headers,
        triton_python=given.compile_triton and interpreter(given.compile_triton),
        flags=(*old.flags, *given.clang_flags),
        timeout=given.timeout,
    )
    analysis = _given(
        base.analysis,
        domain=None if given.domain is None else Domain(given.domain),
        view=None if given.view is None else View(given.view),
        tid_y=given.tid_y,
        block=given.block,
        pointer_alignment=given.pointer_alignment,
        assume=(*base.analysis.assume, *given.assume),
        measured=getattr(given, "measured", None),
        derive_all=given.command == "explain" or getattr(given, "show", None) == "all" or None,
    )
    select, ignore = _codes(given.select), _codes(given.ignore)
    extend = _codes(given.extend_select)
    if select:
        base = replace(base, select=select, extend_select=(), ignore=())
    kept = (code for code in base.ignore if not code.startswith(extend))
    base = _given(
        base,
        allow_not_analysed=getattr(given, "allow_not_analysed", None),
        system_headers=getattr(given, "system_headers", None),
    )
    return replace(
        base,
        compile=compile_options,
        analysis=analysis,
        extend_select=(*base.extend_select, *extend),
        ignore=(*kept, *ignore),
    )


def _is_trusted(options: argparse.Namespace, root: str) -> bool:
    """Whether programs that the configuration file in ``root`` names may be run: as the user says
    now, or has said of a directory once and for all.
    """
    named = os.environ.get("DRANO_TRUST", "").split(os.pathsep)
    trusted = (os.path.realpath(name) for name in named if name)
    real = os.path.realpath(root or os.sep)
    return options.trust or any(os.path.commonpath([real, name]) == name for name in trusted)


def _given(old: Any, **values: Any) -> Any:
    """``old`` with those values that are not None."""
    return replace(old, **{k: v for k, v in values.items() if v is not None})


def _codes(given: Sequence[str]) -> tuple[str, ...]:
    """Rule codes from ``--select A,B --select C``; each must begin some rule's code."""
    codes = tuple(code.strip().upper() for text in given for code in text.split(",") if code)
    for code in codes:
        if not any(known.startswith(code) for known in RULES):
            raise UsageError(f"{code}: no such rule; known rules: {', '.join(RULES)}")
    return codes
