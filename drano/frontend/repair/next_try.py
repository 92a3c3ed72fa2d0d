"""How a unit is compiled, try after try: what clang complains about changes the next plan."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from drano.frontend.clang_flags import device_flags
from drano.frontend.clang_messages import MAX_DIAGNOSTICS
from drano.frontend.headers import function_qualifiers, integer_names, old_cccl, prelude_pch
from drano.frontend.macros import torch_builds
from drano.frontend.macros.build_macros import (
    likeliest,
    macros_of_kernels,
    missing_macros,
    too_many,
    unknown_names,
)
from drano.frontend.macros.error_directives import Asked, asked_by
from drano.frontend.repair import dialect_fixups
from drano.frontend.repair.functions import host_functions
from drano.frontend.repair.shadowed_headers import directories_first
from drano.frontend.template_instances import own_kernel_symbols
from drano.model.finding import Severity
from drano.model.report import Diagnostic, Found
from drano.model.settings import CompileOptions
from drano.support.errors import IRError
from drano.support.input_files import MAX_BYTES, InputKind, read_input
from drano.support.limited_process import Completed
from drano.support.regular_files import regular_or_empty

_PCH_MISFIT = re.compile(r"precompiled (?:file|header)|PCH file|AST file|module file")
_PCH_OTHER_OPTIONS = re.compile(r"is currently|differs in|command line")
_TOO_MANY = "too many errors"
_SHADOWED_SDK = "cuda.h did not define CUDA_VERSION"
_DYNAMIC_PARALLELISM = "requires -fgpu-rdc"
_NEWER_STANDARD = "c++20"
_NEWER_WORDS = re.compile(
    r"no (?:member|type|template)(?: named)? '[^']*' in namespace 'std'"
    r"|unknown type name '(?:concept|requires|consteval|constinit|char8_t)'"
    r"|is a C\+\+20 extension|only available with '-std=c\+\+20'"
)
_STANDARD_LIBRARY = re.compile(
    r"in namespace 'std'|undefined template 'std::|identifier 'std'|call to '(?:max|min|minmax)'"
)


class Side(Struct, frozen=True):
    """What is compiled: the device side to IR that is read back, or the host side to a file."""

    flags: tuple[str, ...] = tuple(device_flags())
    output: str | None = None


class Plan(Struct, frozen=True):
    """How the next try is made: every repair of a failed try is a change of the plan.

    ``texts``: what clang reads in the place of files; ``found``: what the unit needs that
    nobody said; ``common``: precompile the SDK's headers that the unit includes, too;
    ``with_common``: the errors that there were then, once it has been tried without them;
    ``standard_library``: all of its headers come first; ``old_cccl``: so do names that CUB and
    Thrust no longer have, ``thrust_headers``: so does all of Thrust; ``all_errors``: have clang
    say more than its first ones; ``refused``: macros of the build that go with no others.
    """

    side: Side = field(default_factory=Side)
    precompiled: bool = True
    common: bool = True
    with_common: frozenset[Diagnostic] | None = None
    preambles: bool = False
    partial: bool = False
    sdk_first: bool = False
    relocatable: bool = False
    standard_library: bool = False
    old_cccl: bool = False
    thrust_headers: bool = False
    all_errors: bool = False
    refused: frozenset[str] = frozenset()
    texts: dict[str, bytes] = field(default_factory=dict)
    found: Found = field(default_factory=Found)


class Outcome(Struct, frozen=True):
    """``files``: what was read; ``missing``: headers that clang went on without, as the source has
    them.
    """

    completed: Completed
    diagnostics: tuple[Diagnostic, ...]
    prelude: Path | None
    preamble: Path | None = None
    files: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def next_plan(
    path: str,
    content: bytes,
    options: CompileOptions,
    plan: Plan,
    outcome: Outcome,
) -> Plan | None:
    """The next plan after a failed try; None when there is nothing left to try."""
    errors = [d for d in outcome.diagnostics if d.severity is Severity.ERROR]
    if outcome.preamble is not None and any(not error.line for error in errors):
        prelude_pch.forget(outcome.preamble)
        return replace(plan, preambles=False)
    misfits = [d.message for d in errors if _PCH_MISFIT.search(d.message)]
    if misfits and outcome.prelude is not None:
        if not any(_PCH_OTHER_OPTIONS.search(message) for message in misfits):
            prelude_pch.forget(outcome.prelude)
        return replace(plan, precompiled=False)
    if any(_SHADOWED_SDK in d.message for d in errors) and not plan.sdk_first:
        return replace(plan, sdk_first=True)
    parallel = any(_DYNAMIC_PARALLELISM in d.message for d in errors)
    # a unit may declare and define it
    external = plan.partial and _any(dialect_fixups.EXTERNAL_SHARED.match, errors)
    if (parallel or external) and not plan.relocatable and plan.side.output is None:
        return replace(plan, relocatable=True)
    # Programs are built with the flags that are given, no others.
    asked = _asked(path, content, plan, errors) if plan.partial else []
    odd = frozenset[str]().union(*(too_many(plan.found.macros, a.at_odds) for a in asked))
    if torch_builds.unwanted(d.message for d in errors):
        odd |= frozenset(torch_builds.MACROS).intersection(plan.found.macros)
    if odd:
        macros = tuple(m for m in plan.found.macros if m.partition("=")[0] not in odd)
        chosen = tuple(m for m in plan.found.chosen if m in macros)
        found = replace(plan.found, macros=macros, chosen=chosen)
        return replace(plan, found=found, refused=plan.refused | odd)
    macros = ()
    if plan.partial:
        macros = _new_macros(path, content, options, plan, outcome, errors, asked)
    if macros:
        return _with_macros(plan, macros)
    chosen = _not_given([*_first_branches(asked)], options, plan)
    if chosen:
        return replace(plan, found=plan.found.joined(Found(macros=chosen, chosen=chosen)))
    names = unknown_names(d.message for d in errors)
    first = directories_first(plan.found.directories, outcome.files, names)
    if plan.partial and not set(first) <= set(plan.found.first):
        return replace(plan, found=plan.found.joined(Found(first=first)))
    integers = integer_names.missed(d.message for d in errors) if outcome.missing else ()
    if plan.partial and not set(integers) <= set(plan.found.integers):
        return replace(plan, found=plan.found.joined(Found(integers=integers)))
    qualifiers = function_qualifiers.missed(d.message for d in errors) if outcome.missing else ()
    if plan.partial and not set(qualifiers) <= set(plan.found.qualifiers):
        return replace(plan, found=plan.found.joined(Found(qualifiers=qualifiers)))
    wider = replace(
        plan,
        standard_library=plan.standard_library or _any(_STANDARD_LIBRARY.search, errors),
        old_cccl=plan.old_cccl or _any(old_cccl.missed, errors),
        thrust_headers=plan.thrust_headers or _any(old_cccl.missed_header, errors),
    )
    if wider != plan:
        return wider
    newer = options.std is None and not plan.found.standard
    if newer and any(_NEWER_WORDS.search(d.message) for d in errors):
        return replace(plan, found=plan.found.joined(Found(standard=_NEWER_STANDARD)))
    texts = _repaired_texts(path, content, plan, outcome.diagnostics)
    if texts != plan.texts:
        return replace(plan, texts=texts)
    if errors and plan.common and plan.with_common is None:  # they may be of these headers' making
        return replace(plan, common=False, with_common=frozenset(errors))
    cut = _TOO_MANY in outcome.completed.stderr or len(outcome.diagnostics) == MAX_DIAGNOSTICS
    if cut and plan.partial and not plan.all_errors:
        # one may be told of that we can repair
        return replace(with_common_again(plan, outcome), all_errors=True)
    return None


def _any(says: Callable[[str], object], errors: Sequence[Diagnostic]) -> bool:
    return any(says(error.message) for error in errors)


def with_kernels(
    path: str, content: bytes, options: CompileOptions, plan: Plan, ir: str, files: Sequence[str]
) -> Plan | None:
    """The next plan after a try that read ``files`` and gave ``ir`` without kernels, which the unit
    has under macros that the project's build defines; None where that is not so.
    """
    if not plan.partial or plan.side.output is not None or own_kernel_symbols(ir):
        return None
    text = plan.texts.get(path, content)
    macros = macros_of_kernels(path, text, files, plan.texts)
    macros = likeliest(path, _not_given(macros, options, plan), plan.found.macros)
    return _with_macros(plan, macros) if macros else None


def with_common_again(plan: Plan, outcome: Outcome) -> Plan:
    """The plan with the SDK's headers precompiled, if the errors are the same without them."""
    errors = frozenset(d for d in outcome.diagnostics if d.severity is Severity.ERROR)
    return replace(plan, common=True) if plan.with_common == errors else plan


def _new_macros(
    path: str,
    content: bytes,
    options: CompileOptions,
    plan: Plan,
    outcome: Outcome,
    errors: Sequence[Diagnostic],
    asked: Sequence[Asked],
) -> tuple[str, ...]:
    """Macros that the project's build defines and the errors are for want of."""
    messages = [error.message for error in errors]
    usual = torch_builds.wanted(messages)
    if usual and _not_given(usual, options, plan) == usual:
        return usual
    texts = {path: content, **plan.texts}
    lacking = [each.lacking for each in asked if each.lacking]
    macros = missing_macros(path, messages, outcome.files, texts, lacking)
    return likeliest(path, _not_given(macros, options, plan), plan.found.macros)


def _first_branches(asked: Sequence[Asked]) -> dict[str, None]:
    """What the first ``#error``s want to be defined of the branches before them."""
    ways = (each.first_branch() for each in asked)
    return dict.fromkeys(os.fsdecode(name) for way in ways for name in sorted(way))


def _asked(path: str, content: bytes, plan: Plan, errors: Sequence[Diagnostic]) -> list[Asked]:
    texts = {path: content, **plan.texts}
    return asked_by(
        ((error.path, error.line) for error in errors),
        lambda file: texts[file] if file in texts else regular_or_empty(Path(file), MAX_BYTES),
    )


def _not_given(macros: Sequence[str], options: CompileOptions, plan: Plan) -> tuple[str, ...]:
    """Those of ``macros`` of which nobody has said anything."""
    flags = (flag.removeprefix("-D").removeprefix("-U") for flag in options.flags)
    given = (*options.defines, *options.undefines, *flags, *plan.found.macros, *plan.refused)
    names = {macro.partition("=")[0] for macro in given}
    return tuple(macro for macro in macros if macro.partition("=")[0] not in names)


def _with_macros(plan: Plan, macros: tuple[str, ...]) -> Plan:
    return replace(plan, found=plan.found.joined(Found(macros=macros)))


def _repaired_texts(
    path: str, content: bytes, plan: Plan, said: Sequence[Diagnostic]
) -> dict[str, bytes]:
    """The texts with each file repaired that clang has complained about."""
    texts = dict(plan.texts)
    said = list(host_functions.told(said))
    for file in dict.fromkeys(diagnostic.path for diagnostic in said if diagnostic.line):
        source = texts.get(file, content if file == path else None)
        if source is None:
            try:
                source = read_input(file, InputKind.CUDA)
            except IRError:
                continue
        changed = dialect_fixups.repaired(source, [d for d in said if d.path == file and d.line])
        if changed is not source:
            texts[file] = changed
    return texts
