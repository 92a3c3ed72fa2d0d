from __future__ import annotations

import re
from pathlib import Path

import pytest

from drano.model.settings import CompileOptions
from rodinia.measured.lines import Place, data_dependent_places, place_in, program_of
from rodinia.programs import manifest
from rodinia.programs.manifest import ManifestError
from tests.rodinia.samples import COMMIT, MANIFEST, write_checkout


def test_the_shipped_manifest_holds_all_of_the_suite() -> None:
    suite = manifest.load()
    assert (len(suite.programs), suite.units) == (24, 43)
    assert sum(u.in_authors_makefile for p in suite.programs for u in p.units) == 29
    assert suite.paper["real"] == 143
    left_out = [p.name for p in suite.programs if p.paper.startswith("left out")]
    assert left_out == ["hybridsort", "kmeans", "leukocyte", "mummergpu"]
    assert [p.name for p in suite.programs if p.authors_lines is None] == left_out
    assert suite.program("bfs").authors_seconds == 4.022
    assert suite.program("heartwall").authors_seconds is None
    assert suite.programs[0].units[0].path == "kernel/kernel_gpu_cuda_wrapper.cu"


def test_directories_of_programs_do_not_hold_each_other() -> None:
    directories = [program.directory + "/" for program in manifest.load().programs]
    for one in directories:
        assert [other for other in directories if other.startswith(one)] == [one]


def test_a_unit_gets_absolute_paths_and_the_programs_flags(tmp_path: Path) -> None:
    suite = manifest.load(write_checkout(tmp_path))
    more = suite.program("one").units[1]
    options = more.options(tmp_path / "cuda/one", CompileOptions(defines=("A",), arch="sm_80"))
    assert options.include_dirs == (str((tmp_path / "cuda/one/include").resolve()),)
    assert options.defines == ("A", "WIDE=1")
    assert options.arch == "sm_80"
    assert options.stub_missing_headers
    assert not more.in_authors_makefile


def test_data_dependent_lines_become_places(tmp_path: Path) -> None:
    suite = manifest.load(write_checkout(tmp_path))
    places = data_dependent_places(suite)
    assert sorted(places) == [Place("one/main.cu", line) for line in (3, 4, 9)]
    assert program_of(Place("deep/two/two.cu", 1), suite) == "two"
    assert program_of(Place("elsewhere/a.cu", 1), suite) == ""
    assert place_in(suite, "two", "./two.cu", 7) == Place("deep/two/two.cu", 7)
    assert place_in(suite, "none", "two.cu", 7) is None


def test_selecting_keeps_the_manifests_order(tmp_path: Path) -> None:
    suite = manifest.load(write_checkout(tmp_path))
    assert [p.name for p in suite.select(("two", "one")).programs] == ["one", "two"]
    with pytest.raises(ManifestError, match=r"no program 'six'.*one, two"):
        suite.select(("six",))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (COMMIT, "abc", "not a full commit id"),
        ('licence = "ours"', "", "'licence' is missing"),
        ('url = "https://example.org/small"', "url = 3", "'url' is not a text"),
        ("real = 3", 'real = "three"', "only whole numbers"),
        ('name = "two"', 'name = "one"', "'one' is there twice"),
        ('path = "two.cu"', 'path = "../two.cu"', "leaves the checkout"),
        ('path = "two.cu"', 'path = "/two.cu"', "leaves the checkout"),
        ('path = "two.cu"', 'path = "two.cu", makefile = 1', "makefile is true or false"),
        ('path = "two.cu"', 'path = "two.cu", speed = 1', "unknown key 'speed'"),
        ('[{ path = "two.cu" }]', "[]", "no units"),
        ('[{ path = "two.cu" }]', "7", "no list of tables"),
        ('[{ path = "two.cu" }]', "[{ path = 'b.cu' }]\nauthors = { lines = 'x' }", "are numbers"),
        (
            '[{ path = "two.cu" }]',
            "[{ path = 'b.cu' }]\nauthors = { loc = 1 }",
            "unknown key 'loc'",
        ),
        ('["3-4", "9"]', '["4-3"]', "no range of lines"),
        ('["3-4", "9"]', '["four"]', "no line or range"),
        ('["3-4", "9"]', "[4]", "not a list of texts"),
        ('[suite]\nname = "Small"', "[suite]\nname = ", "not TOML"),
    ],
)
def test_a_bad_manifest_is_one_clear_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in MANIFEST
    path = tmp_path / "m.toml"
    path.write_text(MANIFEST.replace(old, new, 1))
    with pytest.raises(ManifestError, match=re.escape(message)) as caught:
        manifest.load(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_a_missing_manifest_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match="No such file"):
        manifest.load(tmp_path / "none.toml")


def test_home_must_be_a_checkout(tmp_path: Path) -> None:
    suite = manifest.load(write_checkout(tmp_path / "good"))
    assert manifest.check_home(tmp_path / "good", suite) == (tmp_path / "good/cuda", "")
    with pytest.raises(ManifestError, match="no such directory"):
        manifest.check_home(tmp_path / "none", suite)
    with pytest.raises(ManifestError, match="no cuda/ in it"):
        manifest.check_home(tmp_path, suite)


@pytest.mark.parametrize(("head", "warned"), [(COMMIT, False), ("f" * 40, True), ("junk", False)])
def test_another_commit_is_warned_of(tmp_path: Path, head: str, warned: bool) -> None:
    suite = manifest.load(write_checkout(tmp_path))
    (tmp_path / ".git/refs").mkdir(parents=True)
    (tmp_path / ".git/HEAD").write_text("ref: refs/main\n")
    (tmp_path / ".git/refs/main").write_text(head + "\n")
    _cuda, warning = manifest.check_home(tmp_path, suite)
    assert ("line numbers may differ" in warning) is warned
