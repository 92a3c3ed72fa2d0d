"""Whole programs: built by the real command line, run as themselves, profiles read."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from drano.dynamic.compiler.cc import compile_main
from drano.dynamic.profiles.profile import Profile, read_profile

PROGRAMS = Path(__file__).with_name("programs")
Build = Callable[..., Path]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Programs by their arguments for ``drano cc``, each built once."""
    built: dict[tuple[str, ...], Path] = {}

    def make(*arguments: str) -> Path:
        if arguments not in built:
            program = tmp_path_factory.mktemp("build") / "program"
            assert compile_main([*arguments, "-o", str(program)]) == 0
            built[arguments] = program
        return built[arguments]

    return make


def run(program: Path, *arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DRANO_PROFILE": str(program.with_name("profile.json"))}
    environment |= more.pop("env", {})
    return subprocess.run(
        [program, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=environment,
        **more,
    )


def profile_of(program: Path) -> Profile:
    return read_profile(str(program.with_name("profile.json")))


def test_the_run_time_api(build: Build) -> None:
    program = build(str(PROGRAMS / "api.cu"), "-O1")
    done = run(program)
    assert (done.stdout, done.returncode) == ("all as it should be\n", 0)
    assert "cudaIpcGetMemHandle is not supported" in done.stderr
    profile = profile_of(program)
    assert [call.name for call in profile.unsupported] == ["cudaIpcGetMemHandle"]
    use = next(kernel for kernel in profile.kernels if "use" in kernel.name)
    assert use.launches == 2
    assert use.shapes[0].grid == (1, 1, 1)
    assert use.shapes[0].block == (32, 1, 1)
    labels = {array.label: array for array in profile.arrays}
    assert labels["both"].api == "cudaMallocManaged"
    assert labels["both"].writes == 32
    line = (PROGRAMS / "api.cu").read_text().splitlines()[labels["both"].line - 1]
    assert "cudaMallocManaged(&both" in line


FAULTS = [
    (0, "cudaErrorIllegalAddress", ["faults.cu:6:", "thread (31,0,0)", "store of 4 bytes",
                                    "0 bytes beyond the end of the 128 bytes of cudaMalloc &p"]),
    (1, "cudaErrorMisalignedAddress", ["misaligned store", "thread (0,0,0)"]),
    (2, "cudaErrorIllegalAddress", ["freed memory, 0 bytes into the 128 bytes"]),
    (3, "cudaErrorIllegalAddress", ["a null pointer"]),
    (4, "cudaErrorIllegalAddress", ["a null pointer", "kernel _Z7throughPPi"]),
    (5, "cudaErrorIllegalAddress", ["a pointer of the host"]),
    (6, "cudaErrorIllegalAddress", ["the block's 128 bytes of shared memory"]),
    (7, "cudaErrorIllegalAddress", ["faults.cu:17:", "barrier reached by part of the",
                                    "block: 32 of its 64 threads"]),
    (12, "cudaErrorIllegalAddress", ["faults.cu:25:", "thread (5,0,0)", "invalid store of 4 bytes",
                                     "0 bytes beyond the end of the 32 bytes of a local array"]),
    (13, "cudaErrorIllegalAddress", ["faults.cu:25:", "bytes of a local array"]),
    (14, "cudaErrorIllegalAddress", ["faults.cu:25:", "4000 bytes before the start of the 32"]),
]  # fmt: skip


@pytest.mark.parametrize(("choice", "error", "words"), FAULTS)
def test_a_fault_ends_the_kernel(build: Build, choice: int, error: str, words: list[str]) -> None:
    program = build(str(PROGRAMS / "faults.cu"))
    done = run(program, str(choice))
    assert done.stdout == f"{error}, then {error}\nafter a reset: cudaSuccess\n"
    (line,) = done.stderr.splitlines()
    assert line.startswith("drano: error: ")
    assert [word for word in words if word not in line] == [], line
    assert [fault.message for fault in profile_of(program).faults] == [
        line.removeprefix("drano: error: ")
    ]


def test_accesses_within_local_arrays_are_none(build: Build) -> None:
    done = run(build(str(PROGRAMS / "faults.cu")), "15")
    assert (done.stdout.splitlines()[0], done.stderr) == ("cudaSuccess, then cudaSuccess", "")


def test_out_of_bounds_may_be_a_warning(build: Build) -> None:
    program = build(str(PROGRAMS / "faults.cu"))
    done = run(program, "0", env={"DRANO_BOUNDS": "warn"})
    assert done.stdout.startswith("cudaSuccess, then cudaSuccess\n")
    assert "warning: " in done.stderr


@pytest.mark.parametrize(
    ("choice", "status", "ended"),
    [(8, -signal.SIGABRT, "SIGABRT"), (9, 3, "_exit"), (11, 4, "exit")],
)
def test_the_profile_is_written_however_it_ends(
    build: Build, choice: int, status: int, ended: str
) -> None:
    program = build(str(PROGRAMS / "faults.cu"))
    assert run(program, str(choice)).returncode == status
    profile = profile_of(program)
    assert profile.ended == ended
    assert sum(site.executions for site in profile.sites) == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_endless_kernel_can_be_stopped(build: Build, number: signal.Signals) -> None:
    program = build(str(PROGRAMS / "faults.cu"))
    place = program.with_name("stopped.json")
    process = subprocess.Popen(
        [program, "10"],
        stdout=subprocess.PIPE,
        env={**os.environ, "DRANO_PROFILE": str(place)},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"started\n"
    process.send_signal(number)
    assert process.wait(timeout=30) == -number
    assert read_profile(str(place)).ended == number.name
    assert list(place.parent.glob("stopped.json.*")) == []


@pytest.mark.parametrize("launches", ["1", "2,5", "4,2"])
def test_only_some_launches_are_counted(build: Build, launches: str) -> None:
    program = build(str(PROGRAMS / "api.cu"), "-O1")
    run(program, env={"DRANO_LAUNCHES": launches})
    profile = profile_of(program)
    use = next(kernel for kernel in profile.kernels if "use" in kernel.name)
    assert [(shape.launches, shape.counted) for shape in use.shapes] == [(2, 1)]
    assert {site.executions for site in profile.sites if "use" in site.kernel} == {1}


def test_a_profile_is_valid(build: Build) -> None:
    import jsonschema

    program = build(str(PROGRAMS / "api.cu"), "-O1")
    run(program)
    schema = json.loads(
        (Path(__file__).parents[2] / "drano/dynamic/profiles/profile_schema.json").read_text()
    )
    jsonschema.validate(json.loads(program.with_name("profile.json").read_text()), schema)
