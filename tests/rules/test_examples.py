"""The code on each rule's page: the example has a finding of the rule, the fix has none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from drano.analysis.rules import RULES
from drano.config import Config
from drano.driver import check
from drano.finding import FileStatus

CODE = re.compile(r"```cuda\n(.*?)```", re.DOTALL)


def findings_of(rule: str, source: str, directory: Path) -> int:
    path = directory / "a.cu"
    path.write_text(source)

    report = check([str(path)], Config(extend_select=(rule,)))
    assert report.files[0].status is FileStatus.OK, report.files[0].diagnostics
    return sum(finding.rule == rule for finding in report.findings)


@pytest.mark.parametrize("code", RULES)
def test_example_and_fix(code: str, tmp_path: Path) -> None:
    page = RULES[code].page
    example, fix = (page.split(f"## {name}\n")[1].split("\n## ")[0] for name in ("Example", "Fix"))
    (bad,) = CODE.findall(example)
    assert findings_of(code, bad, tmp_path) > 0
    for good in CODE.findall(fix):
        assert findings_of(code, good, tmp_path) == 0
