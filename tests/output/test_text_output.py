from __future__ import annotations

import doctest
from pathlib import Path

import pytest
from msgspec.structs import replace

from drano.model.finding import Severity
from drano.model.judgement import Verdict
from drano.model.report import Diagnostic, FileReport, FileStatus, Report
from drano.model.settings import Config
from drano.model.span import Frame, Location, Span
from drano.output import entries, source_lines
from drano.output.entries import GroupBy
from drano.output.formats import closing, text, text_parts
from drano.output.formats.text import TextOptions, render_text
from drano.output.input_problems import failure_line, note_lines
from drano.output.source_lines import Sources, extent
from drano.output.timings import render_timings
from drano.rules import run_rules
from tests.accesses import SOURCE, access, report


@pytest.fixture
def sources() -> Sources:
    return Sources(overlay={"/src/a.cu": SOURCE})


PLAIN = TextOptions()


def rendered(sources: Sources, options: TextOptions = PLAIN, **changes: object) -> str:
    found = access(**changes)
    result = report("/src/a.cu", (found,), run_rules([found], Config()))
    return render_text(result, sources, options)


def test_full(sources: Sources) -> None:
    assert (
        rendered(sources)
        == """\
warning[DRN001]: uncoalesced load of `p[2 * i]`: lanes are 8 bytes apart; 8 sectors where 4 would \
do (2.0x)
 --> /src/a.cu:2:9, in k, blocks of 32x8 threads
2 | return p[2 * i];
  |        ^^^^^^^^
  = path: get, called at /src/a.cu:5:45
  = why: ▄▄▄▄ ▄▄▄▄ 16 of 32 bytes used in each; i is threadIdx.x
  = fix: store the elements side by side

Found 1 finding: 1 file, 0 kernels, 1 global access (1 uncoalesced).
"""
    )


def test_all_calls_of_the_function_are_named(sources: Sources) -> None:
    """A finding in a helper belongs to each of its calls: people mend these as often."""
    lines = range(4, 9)
    paths = [(Frame("k", Span("/src/a.cu", line, 3)),) for line in lines]
    where = [Location(Span("/src/a.cu", 2, 9), "get", path) for path in paths]
    found = [access(location=location) for location in where]
    result = report("/src/a.cu", tuple(found), run_rules(found, Config()))
    assert (
        "path: get, called at /src/a.cu:4:3, /src/a.cu:5:3, /src/a.cu:6:3, /src/a.cu:7:3, 1 more\n"
    ) in render_text(result, sources, PLAIN)


def test_a_call_in_two_instances_is_named_once(sources: Sources) -> None:
    lines = {"f<int>": (4, 5), "f<float>": (4,)}
    found = [
        access(kernel=f"{name} at {line}", location=Location(Span("/src/a.cu", 2, 9), "get", path))
        for name, places in lines.items()
        for line in places
        for path in [(Frame(name, Span("/src/a.cu", line, 3)),)]
    ]
    result = report("/src/a.cu", tuple(found), run_rules(found, Config()))
    said = render_text(result, sources, PLAIN)
    assert "path: get, called at /src/a.cu:4:3, /src/a.cu:5:3\n" in said


def test_verbose_has_the_whole_path(sources: Sources) -> None:
    assert """
  |        ^^^^^^^^
  = path: kernel k
            get, called at /src/a.cu:5:45
              p[2 * i] at /src/a.cu:2:9
  = address: 2*tid.x
  = why: """ in rendered(sources, TextOptions(verbose=True))


def test_concise(sources: Sources) -> None:
    found = access()
    result = report("/src/a.cu", (found,), run_rules([found], Config()))
    options = TextOptions(concise=True, quiet=True)
    assert render_text(result, sources, options) == (
        "/src/a.cu:2:9: DRN001 uncoalesced load of `p[2 * i]`: lanes are 8 bytes apart; "
        "8 sectors where 4 would do (2.0x) [k]\n"
    )


def test_the_caret_counts_bytes_of_utf_8_and_cells_of_wide_characters(sources: Sources) -> None:
    line = SOURCE.splitlines()[4]
    column = len(line[: line.index("out[")].encode()) + 1
    excerpt = sources.excerpt("/src/a.cu", 5, column)
    assert excerpt is not None
    # "/* größe 漢字 */ " is 15 characters, two of them two cells wide.
    assert (excerpt.start, excerpt.width) == (17, len("out[threadIdx.x * w]"))


@pytest.mark.parametrize(
    ("line", "column", "start", "width"),
    [
        ("\ta[i] = 0;", 2, 0, 4),  # indentation is dropped, tabs and all
        ("x\ta[i] = 0;", 3, 4, 4),  # a tab inside goes to its tab stop
        ("  a[i] += b;", 8, 5, 2),  # an operator
        ("  a[i", 3, 0, 1),  # the bracket closes on another line
        ("  p->v[3].x = 1;", 3, 0, 9),
        ("  x = y;", 99, 0, 6),  # past the end: the whole line
        ("  x = y;", 0, 0, 6),  # unknown column
    ],
)
def test_caret(line: str, column: int, start: int, width: int) -> None:
    excerpt = Sources(overlay={"/f": line}).excerpt("/f", 1, column)
    assert excerpt is not None
    assert (excerpt.start, excerpt.width) == (start, width)


def test_a_line_of_a_megabyte_is_cut_around_its_expression() -> None:
    line = "x;" * 250_000 + "a[i] = 1;" + "y;" * 250_000
    excerpt = Sources(overlay={"/f": line}).excerpt("/f", 1, 500_001)
    assert excerpt is not None
    assert len(excerpt.text) < 200
    assert excerpt.text[excerpt.start :].startswith("a[i]")


def test_source_cannot_drive_the_terminal() -> None:
    nasty = "a[i] = 1; // \x1b]0;owned\x07 \u202e\x9b31m \udcff"
    excerpt = Sources(overlay={"/f": nasty}).excerpt("/f", 1, 1)
    assert excerpt is not None
    assert all(char.isprintable() for char in excerpt.text)
    hostile = access(reason="\x1b[31mred", kernel="k\x07", fix="a\nb")
    shown = render_text(
        report("/src/\x1b.cu", (hostile,), run_rules([hostile], Config())),
        Sources(),
        TextOptions(show_all=True),
    )
    assert all(char.isprintable() or char == "\n" for char in shown)


def test_a_file_that_is_gone_gives_no_excerpt(tmp_path: Path) -> None:
    assert Sources().excerpt(str(tmp_path / "gone.cu"), 1, 1) is None
    assert Sources().excerpt(str(tmp_path), 1, 1) is None
    assert Sources().excerpt("nul\0byte", 1, 1) is None


def test_markup_and_emoji_in_source_stay_as_they_are() -> None:
    found = access(location=Location(Span("/f", 1, 1), "[bold]f", ()), kernel="[red]:smile:[/red]")
    shown = render_text(
        report("/f", (found,), run_rules([found], Config())),
        Sources(overlay={"/f": "a[b[i]] = :warning: [link=x];"}),
        TextOptions(),
    )
    assert "a[b[i]] = :warning: [link=x];" in shown
    assert "[red]:smile:[/red]" in shown


def many(number: int) -> Report:
    """Findings in functions of their own, so that none are folded."""
    accesses = tuple(
        access(location=Location(Span("/src/a.cu", 2, 9), f"f{n}", ()), kernel=f"k{n}", ordinal=n)
        for n in range(number)
    )
    moved = tuple(
        replace(a, location=replace(a.location, span=Span("/src/a.cu", 2 + n, 9)))
        for n, a in enumerate(accesses)
    )
    return report("/src/a.cu", moved, run_rules(moved, Config()))


@pytest.mark.parametrize("number", [1, 30, 41, 300, 1000])
@pytest.mark.parametrize("by", GroupBy)
def test_a_report_is_as_long_as_one_reads(sources: Sources, number: int, by: GroupBy) -> None:
    shown = render_text(many(number), sources, TextOptions(group_by=by)).splitlines()
    assert len(shown) <= (600 if by is not GroupBy.KERNEL else 1000)
    in_full = [at for at, line in enumerate(shown) if line.startswith("warning[")]
    assert len(in_full) == min(number, 40)
    assert all(shown.index("", at) - at <= 8 for at in in_full)
    assert sum(": DRN001 " in line for line in shown) == min(max(number - 40, 0), 200)
    assert any(f"… {number - 240} more entries" in line for line in shown) == (number > 240)
    assert sum(line.endswith("entry") for line in shown) == (
        min(number, 240) if by is GroupBy.KERNEL else int(by is GroupBy.FILE and number == 1)
    )


def test_the_end_says_what_costs_most_and_what_to_run(sources: Sources) -> None:
    shown = render_text(many(9), sources, TextOptions()).splitlines()
    at = shown.index("Most costly, by kernel:")
    assert [line.split()[0] for line in shown[at + 1 : at + 6]] == [f"k{n}" for n in range(5)]
    assert shown[at + 6].startswith("Next: `drano explain /src/a.cu:2`")
    few = render_text(many(5), sources, TextOptions())
    assert "Most costly" not in few
    assert "Most costly" not in render_text(many(9), sources, TextOptions(quiet=True))


def test_what_is_silenced_is_counted(sources: Sources) -> None:
    shown = render_text(many(1), sources, TextOptions(suppressed=3))
    assert "\nFound 1 finding, 3 suppressed: 1 file" in shown


def test_colours_only_when_asked(sources: Sources) -> None:
    found = access()
    result = report("/src/a.cu", (found,), run_rules([found], Config()))
    assert "\x1b[" not in render_text(result, sources, TextOptions(show_all=True))
    assert "\x1b[" in render_text(result, sources, TextOptions(color=True))


def test_long_call_paths_are_cut(sources: Sources) -> None:
    frames = tuple(Frame(f"f{i}", Span("/src/a.cu", i + 1, 1)) for i in range(50))
    where = Location(Span("/src/a.cu", 2, 9), "get", frames)
    shown = rendered(sources, TextOptions(verbose=True), location=where)
    assert "get, called at /src/a.cu:1:1\n" in shown
    assert "… 36 more levels\n" in shown


def test_show_all_lists_each_access_once(sources: Sources) -> None:
    good = access(verdict=Verdict.COALESCED, ordinal=1)
    file = FileReport("/src/a.cu", FileStatus.OK, accesses=(access(), good))
    twice = Report((file, file), "warp", "0.0.0")
    shown = render_text(twice, sources, TextOptions(show_all=True, concise=True, quiet=True))
    assert shown.count("coalesced global load, 4 bytes, in k: 2*tid.x [8/4 sectors]") == 2
    assert shown.count(": coalesced") == 1


def test_summary_never_calls_a_failure_clean() -> None:
    error = Diagnostic("/x.cu", 3, 1, Severity.ERROR, "boom")
    failed = FileReport("/x.cu", FileStatus.ERROR, diagnostics=(error, error))
    shown = render_text(Report((failed,), "warp", "0"), Sources(), TextOptions())
    assert shown == "1 file could not be analysed.\n"
    clean = FileReport("/y.cu", FileStatus.OK)
    shown = render_text(Report((failed, clean), "warp", "0"), Sources(), TextOptions())
    assert shown.startswith("No findings in the analysed code: 1 file, ")
    assert shown.endswith(" 1 file could not be analysed.\n")
    assert failure_line(failed) == "/x.cu:3:1: boom (and 1 more error; -v shows all)"


def test_an_error_in_a_header_names_the_unit() -> None:
    error = Diagnostic("/inc/x.h", 3, 1, Severity.ERROR, "boom")
    failed = FileReport("/x.cu", FileStatus.ERROR, diagnostics=(error,))
    assert failure_line(failed) == "/inc/x.h:3:1: boom (in /x.cu)"
    failed = replace(failed, diagnostics=(error, error))
    assert failure_line(failed, hint=False) == "/inc/x.h:3:1: boom (in /x.cu, and 1 more error)"


def test_notes_name_files_as_findings_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    note = "analysed as part of the files that include it"
    notes = (f"{tmp_path / 'sub' / 'a.cu'}: {note}", f"/elsewhere/b.cu: {note}")
    lines = note_lines(Report((), "warp", "0", notes))
    assert lines == [f"note: {Path('sub', 'a.cu')}: {note}", f"note: /elsewhere/b.cu: {note}"]


def test_notes_are_cut_to_a_few() -> None:
    note = Diagnostic("/x.cu", 0, 0, Severity.NOTE, "no kernel in this file")
    file = FileReport("/x.cu", FileStatus.OK, diagnostics=(note,))
    assert note_lines(Report((file,), "warp", "0")) == ["note: /x.cu: no kernel in this file"]
    lines = note_lines(Report((file,) * 10, "warp", "0"))
    assert lines[3:] == ["note: and 7 more notes; -v shows all"]


def test_timings_has_a_row_for_each_file_and_the_total() -> None:
    file = FileReport("/x.cu", FileStatus.OK)
    assert len(render_timings(Report((file,), "warp", "0")).splitlines()) == 2
    assert "total" in render_timings(Report((file, file), "warp", "0"))


@pytest.mark.parametrize("module", [source_lines, text, text_parts, closing, entries])
def test_doctests(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]  # modules, both


def test_extent_is_never_empty_and_never_past_the_end() -> None:
    samples = [b"[[[[", b"a[b[c]", b"=", b"->", b"a->", b"a.", b"\xff\xfe", b" ", b"a[')']"]
    for sample in samples:
        assert 1 <= extent(sample) <= len(sample)
