"""Kernel templates whose instances host code with errors would have made.

A template without an instance is no code, so that nothing is lost by it. But where a header is
missing, what would have made the instance may be among what does not compile: then the template's
accesses would be absent without a word.

Means: a kernel template of the project that has no instance, and whose name is used with template
arguments in a file with errors of the host. Limits: as those of ``kernel_templates``; whether it is
the code with the error that would have made an instance is not asked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec.structs import replace

from drano.frontend.template_instances import (
    KernelTemplate,
    kernel_symbols,
    kernel_templates,
    text_of,
)
from drano.model.finding import Severity
from drano.model.report import Diagnostic, NotAnalysed
from drano.model.span import Location, Span
from drano.model.system_headers import is_system_header
from drano.model.translation_unit import CompiledUnit

_MOST_FILES = 2000


def with_lost_templates(unit: CompiledUnit) -> CompiledUnit:
    """``unit`` with the templates not analysed whose instances its missing headers cost."""
    lacking = [h for h in unit.missing_headers if not h.stand_in]
    if unit.ir is None or not lacking or not unit.host_errors:
        return unit
    own = (path for path in unit.dependencies[:_MOST_FILES] if not is_system_header(path))
    texts = {path: text for path in own if (text := text_of(path))}
    wrong = dict[str, Diagnostic]()
    for error in unit.host_errors:
        wrong.setdefault(error.path, error)
    symbols = kernel_symbols(unit.ir)
    told = {lost.kernel.partition("<")[0] for lost in unit.not_analysed}
    lost = [
        _not_analysed(path, template, user)
        for path, text in texts.items()
        for template in kernel_templates(text)
        if template.last not in told and not template.has_instance(symbols)
        if (user := _user(template, texts, wrong)) is not None
    ]
    return replace(unit, not_analysed=(*unit.not_analysed, *lost))


def _user(
    template: KernelTemplate, texts: Mapping[str, str], wrong: Mapping[str, Diagnostic]
) -> Diagnostic | None:
    """The first error of a file that uses the template with arguments."""
    used = re.compile(rf"\b{template.last}\s*<")
    return next((error for path, error in wrong.items() if used.search(texts.get(path, ""))), None)


def _not_analysed(path: str, template: KernelTemplate, error: Diagnostic) -> NotAnalysed:
    where = Location(Span(path, template.line, 0), template.last)
    said = f"host code that may instantiate it does not compile: {error.message}"
    cause = Diagnostic(error.path, error.line, error.column, Severity.ERROR, said)
    return NotAnalysed(template.last, "", where, cause)
