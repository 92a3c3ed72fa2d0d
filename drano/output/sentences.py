"""A finding in whole sentences, for reports that have no layout: SARIF, CI annotations, HTML.

The first sentence stands alone: it is all that lists of alerts show.
"""

from __future__ import annotations

from drano.model.finding import Finding
from drano.output.formats.text_parts import shape
from drano.output.plurals import count
from drano.output.source_lines import printable


def sentence(text: str) -> str:
    """``text`` as a sentence: capital letter first, unless that is code, and a period last.

    >>> sentence("lanes are 8 bytes apart"), sentence("threadIdx.x")
    ('Lanes are 8 bytes apart.', 'threadIdx.x.')
    """
    text = printable(" ".join(text.split()))
    if not text:
        return ""
    end = "" if text.endswith((".", "!", "?")) else "."
    first = text.split()[0].rstrip(":,;.").replace("-", "")
    if first.isalpha() and first.islower():
        text = text[0].upper() + text[1:]
    return text + end


def headline(finding: Finding) -> str:
    """The complaint itself, one sentence."""
    return sentence(finding.message)


def explanation(finding: Finding) -> list[str]:
    """What is to be known besides: where, why, how often. Sentences."""
    access = finding.access
    where = f"in kernel '{finding.kernel}'"
    if access is not None and access.launch is not None:
        where += f", blocks of {shape(access.launch)}"
    said = [sentence(where)] if finding.kernel else []
    # The message has said already how far apart the lanes are.
    if access is not None and not access.judgement.says_stride:
        said.append(sentence(access.judgement.reason))
    if finding.count > 1:
        said.append(f"Worst of {count(finding.count, 'case')} at this location.")
    return [text for text in said if text]


def advice(finding: Finding) -> str:
    """How to mend it, one sentence; "" where nothing is known."""
    return sentence(f"fix: {finding.help}") if finding.help else ""


def plain(finding: Finding) -> str:
    """All of it as one paragraph."""
    return " ".join(filter(None, [headline(finding), *explanation(finding), advice(finding)]))
