"""What kernels executed: counted in a run, added up, and shown under a GPU's roofs."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import jsonschema
import pytest
from msgspec.structs import replace

from drano.dynamic.compiler.cc import compile_main
from drano.dynamic.profiles.executed import Executed, counted_points, executed, mix_shares
from drano.dynamic.profiles.profile import Mix, Profile, Work, merge, profile_json, read_profile
from drano.dynamic.reports.report import Setting
from drano.dynamic.reports.report_formats import REPORTS
from drano.output.roofline import ROOFS
from drano.output.source_lines import Sources

HERE = Path(__file__).parent
SOURCE = HERE / "programs" / "work.cu"
SCHEMA = HERE.parents[1] / "drano/dynamic/profiles/profile_schema.json"
THREADS, ROUNDS = 1000, 8


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("work") / "program"
    assert compile_main([str(SOURCE), "-O2", "-o", str(place)]) == 0
    return place


def profile_of(program: Path, *arguments: str, **environment: str) -> Profile:
    place = program.with_name("profile.json")
    done = subprocess.run(
        [program, *arguments], capture_output=True, text=True, timeout=60, check=True,
        env={**os.environ, "DRANO_PROFILE": str(place), **environment},
    )  # fmt: skip
    assert done.stdout == "no error\n"
    return read_profile(str(place))


@pytest.fixture(scope="module")
def profile(program: Path) -> Profile:
    return profile_of(program)


def line_of(text: str) -> int:
    lines = SOURCE.read_text().splitlines()
    return 1 + next(number for number, line in enumerate(lines) if text in line)


def at(profile: Profile, text: str) -> list[Work]:
    return [work for work in profile.work if work.line == line_of(text)]


def kernel(profile: Profile, name: str) -> Executed:
    return next(each for each in executed(profile) if name in each.symbol)


def test_operations_are_those_of_the_active_lanes(profile: Profile) -> None:
    (horner,) = at(profile, "s = s * x + 1.0f;")
    assert (horner.flops_f32, horner.flops) == (2 * ROUNDS**2 * THREADS, 2 * ROUNDS**2 * THREADS)
    assert (horner.function, [call.function for call in horner.inlined_at]) == (
        "power", ["arithmetic"],
    )  # fmt: skip
    assert [(loop.counter, loop.depth) for loop in horner.loops] == [("j", 0), ("k", 1)]
    (sine,) = at(profile, "out[i] = sinf(t);")
    (product,) = at(profile, "out[i] = t * 3.0f;")
    assert (sine.flops_f32, sine.mix.special) == (THREADS // 2, 32)
    assert (product.flops_f32, product.mix.f32) == (THREADS // 2, 32)
    (double,) = at(profile, "wide[i] = wide[i] * 1.5 + t;")
    assert (double.flops_f64, double.flops_f32) == (2 * THREADS, 0)
    (half,) = at(profile, "__hadd(")
    assert (half.flops_f16, half.flops_f32) == (64, 0)


def test_instructions_are_those_of_warps(profile: Profile) -> None:
    """The last warp has eight lanes; each side of the branch has half of all."""
    (horner,) = at(profile, "s = s * x + 1.0f;")
    warps = -(-THREADS // 32)
    assert horner.mix.f32 in (warps * ROUNDS**2, 2 * warps * ROUNDS**2)  # fused, or two of them
    assert horner.thread_instructions * warps * 32 == horner.instructions * 32 * THREADS
    (sine,) = at(profile, "out[i] = sinf(t);")
    assert sine.thread_instructions * 32 * 2 == sine.instructions * 1000
    arithmetic = kernel(profile, "arithmetic")
    assert arithmetic.instructions == sum(count for _, count in mix_counts(arithmetic.mix))
    assert arithmetic.lanes < 1
    assert kernel(profile, "halves").lanes == 1


def mix_counts(mix: Mix) -> list[tuple[str, int]]:
    return [(name, getattr(mix, name)) for name, _ in mix_shares(mix)]


def test_runs_add_up_and_fit_the_schema(program: Path, profile: Profile) -> None:
    more = profile_of(program, "twice")
    (once,) = at(profile, "s = s * x + 1.0f;")
    (again,) = at(more, "s = s * x + 1.0f;")
    (both,) = at(merge([profile, more]), "s = s * x + 1.0f;")
    assert again.flops == 4 * once.flops
    assert both.flops == once.flops + again.flops
    assert both.mix.f32 == once.mix.f32 + again.mix.f32
    text = profile_json(merge([profile, more]))
    jsonschema.validate(json.loads(text), json.loads(SCHEMA.read_text()))


def test_launches_that_are_not_counted_have_no_work(program: Path) -> None:
    assert profile_of(program, DRANO_LAUNCHES="9,8").work == ()


def test_kernels_stand_under_the_roof_of_their_type(profile: Profile) -> None:
    arithmetic = kernel(profile, "arithmetic")
    assert arithmetic.bits == 32
    assert arithmetic.bytes == sum(s.sectors for s in profile.sites if "arith" in s.kernel) * 32
    found = {p.kernel: p for p in counted_points(profile, ROOFS["t4"])}
    assert found["arithmetic"].intensity == arithmetic.all_flops / arithmetic.bytes
    assert found["halves"].allowed == found["halves"].intensity * 320
    wide = ROOFS["t4"].point("k", 1e6, 64)
    assert (wide.allowed, wide.bound) == (254.0, "arithmetic")


def test_every_format_shows_what_was_executed(profile: Profile) -> None:
    setting = Setting(Sources(), "1", roof=ROOFS["v100"])
    text = REPORTS["text"](profile, setting)
    assert "What kernels executed" in text
    assert "V100 allows" in text
    data = json.loads(REPORTS["json"](profile, setting))
    first = data["executed"][0]
    assert (first["name"], first["gpu"]) == ("arithmetic", "V100")
    assert first["flops_f32"] + first["flops_f64"] == kernel(profile, "arithmetic").all_flops
    assert sum(first["mix"].values()) == first["instructions"]
    assert {row["line"] for row in data["work"]} == {work.line for work in profile.work}
    page = REPORTS["html"](profile, setting)
    assert page.count('<svg class="roofline"') == 1
    assert "What kernels executed" in page
    old = REPORTS["html"](replace(profile, work=()), setting)
    assert "roofline" not in old
