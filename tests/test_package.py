"""What the package says about itself is true: table of contents, documents, examples, API."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import drano
from drano.model.judgement import Verdict
from drano.model.report import FileStatus
from drano.model.settings import Config
from drano.rules import RULES, Rule
from drano.rules.pages import all_pages
from drano.run.driver import check_unit
from tests.conftest import ROOT
from tests.table_of_contents import modules

PACKAGE = ROOT / "drano"
MOST_MODULES = 18
SNIPPET = re.compile(r"```cuda\n(.*?)```", re.DOTALL)
# The kernels of each example that are to be complained of. What the data decide (spmv) is a note.
EXAMPLES = {
    "histogram": {"histogram_scattered"},
    "layernorm": {"moments_thread_per_row"},
    "matmul": {"matmul_wrong_order"},
    "mendable": {"distances", "scale", "turn"},
    "particles": {"update_aos"},
    "reduction": {"sum_interleaved"},
    "spmv": set(),
    "stencil": {"stencil_row_per_thread"},
    "transpose": {"transpose_naive"},
}


def test_the_table_of_contents_names_every_module_and_no_other() -> None:
    said = set(re.findall(r"^``(drano[\w.]*)``", drano.__doc__ or "", re.MULTILINE))
    assert said == set(modules()), "run: python -m tests.table_of_contents"


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda p: p.stem)
def test_every_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_public_api(tmp_path: Path) -> None:
    source = tmp_path / "a.cu"
    source.write_text("__global__ void k(float* a) { a[2 * threadIdx.x] = 0; }\n")
    report = drano.check([str(source)], Config())
    assert [finding.rule for finding in report.findings] == ["DRN001"]


# Packages whose modules are all of one kind: a list of them is what they are for.
OF_ONE_KIND = {
    "analysis/warp/transfer",
    "fix/catalogue",
    "output/formats",
    "rules",
}


def test_no_package_is_a_heap() -> None:
    counts = {
        str(package.parent.relative_to(PACKAGE)): len(list(package.parent.glob("*.py"))) - 1
        for package in PACKAGE.rglob("__init__.py")
    }
    assert counts.keys() >= OF_ONE_KIND
    assert {n: c for n, c in counts.items() if c > MOST_MODULES and n not in OF_ONE_KIND} == {}


def test_lattices_and_data_do_not_load_llvm() -> None:
    code = "import sys, drano.lattice, drano.model.report; sys.exit('llvmlite' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


@pytest.mark.parametrize(
    ("module", "slow"),
    [
        # What answers from the cache, and prints rules, needs no compiler.
        ("drano.cli.main", {"llvmlite", "clang", "numpy"}),
        # What locates errors is started for each unit that has some.
        ("drano.frontend.repair.culprits", {"llvmlite", "numpy", "email"}),
    ],
)
def test_what_starts_often_starts_without(module: str, slow: set[str]) -> None:
    code = f"import sys, {module}; sys.exit(str({slow} & sys.modules.keys() or ''))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stderr.strip() == ""


def test_ci_runs_the_commands_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^```sh\n(.*?)\n```", readme, re.MULTILINE | re.DOTALL)
    assert len(commands) == 2
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    lines = (line.strip().removeprefix("beside tests ") for line in script.splitlines())
    steps = [step for line in lines for step in line.split(" && ")]
    place = -1
    for step in " && ".join((commands[1], commands[0])).split(" && "):
        place = steps.index(step, place + 1)


def test_the_rules_document_is_up_to_date() -> None:
    written = (ROOT / "docs" / "reference" / "rules.md").read_text(encoding="utf-8")
    assert written == all_pages(), "run: python -m drano rule --all > docs/reference/rules.md"


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.code)
def test_rule_pages_have_their_sections_in_order(rule: Rule) -> None:
    sections = re.findall(r"^## (.*)$", rule.page, re.MULTILINE)
    assert sections == ["What it does", "Why it matters", "Example", "Fix", "Limits"]
    assert rule.page.startswith(f"{rule.code} {rule.name}\n")


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.code)
def test_rule_snippets_do_as_their_page_says(rule: Rule, tmp_path: Path) -> None:
    bad, *good = SNIPPET.findall(rule.page)
    assert good
    config = Config() if rule.default else Config(select=(rule.code,))
    for snippet, expected in ((bad, {rule.code}), *((snippet, set()) for snippet in good)):
        (tmp_path / "snippet.cu").write_text(snippet)
        report = drano.check([str(tmp_path / "snippet.cu")], config)
        assert not report.failed, report.files
        assert {finding.rule for finding in report.findings} == expected


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_show_what_they_say(name: str) -> None:
    report = check_unit(str(ROOT / "examples" / f"{name}.cu"), Config())
    assert report.status is FileStatus.OK, report.diagnostics
    warned = {f.kernel for f in report.findings if f.severity == "warning"}
    assert warned == EXAMPLES[name]
    for kernel in report.kernels:
        assert kernel.launches, f"{kernel.name}: the launch was not seen"
        assert not any(launch.assumed for launch in kernel.launches)
    good = [a for a in report.accesses if a.kernel not in EXAMPLES[name]]
    assert Verdict.COALESCED in {access.judgement.verdict for access in good}


def test_spmv_by_warps_leaves_only_the_gather_to_the_data() -> None:
    report = check_unit(str(ROOT / "examples" / "spmv.cu"), Config())
    notes = [(f.kernel, f.rule) for f in report.findings]
    assert notes.count(("spmv_csr_scalar", "DRN003")) == 3
    assert notes.count(("spmv_csr_vector", "DRN003")) == 1


def test_every_example_is_tested() -> None:
    assert {path.stem for path in (ROOT / "examples").glob("*.cu")} == set(EXAMPLES)


def test_the_packaged_schema_is_json() -> None:
    json.loads((PACKAGE / "output" / "formats" / "schema.json").read_text(encoding="utf-8"))
