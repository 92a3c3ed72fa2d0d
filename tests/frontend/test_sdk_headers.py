"""The assembled CUDA headers: complete, shared by processes, repaired, or a clear error."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from drano.frontend.sdk import headers as headers_module
from drano.frontend.sdk.headers import cuda_headers
from drano.support import cache_directory as cache_module
from drano.support.errors import IRError

ROOT = Path(__file__).resolve().parents[2]
ASSEMBLE = "from drano.frontend.sdk.headers import cuda_headers; print(cuda_headers({!r}).root)"


@pytest.fixture(autouse=True)
def no_sdk(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine without an SDK, for this process and those that it starts."""
    for name in ("CUDA_HOME", "CUDA_PATH"):
        monkeypatch.delenv(name, raising=False)
    folders = os.environ["PATH"].split(os.pathsep)
    without = [folder for folder in folders if not (Path(folder) / "nvcc").exists()]
    monkeypatch.setenv("PATH", os.pathsep.join(without))


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "cache"
    monkeypatch.setenv("DRANO_CACHE_DIR", str(place))
    return place


def fake_sdk(root: Path, version: int = 12040) -> Path:
    for name, text in {
        "include/cuda.h": f"#define CUDA_VERSION {version}\n",
        "include/cuda_runtime.h": "",
        "include/crt/host_config.h": "",
        "nvvm/libdevice/libdevice.10.bc": "",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def start(code: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True
    )


def test_packages_are_used_where_they_lie(cache: Path) -> None:
    found = cuda_headers()
    assert found.version_text.startswith("13.")
    assert found.root.parts[-2:] == ("nvidia", "cu13")
    assert found.extra_includes == (found.root / "include/cccl",)
    for name in (
        "include/cuda.h",
        "include/crt/host_config.h",
        "include/cccl/cub/cub.cuh",
        "include/cccl/thrust/device_vector.h",
        "include/cooperative_groups.h",
        "include/curand_mtgp32_kernel.h",
        "nvvm/libdevice/libdevice.10.bc",
        "bin/ptxas",
    ):
        assert (found.root / name).is_file(), name
    assert found.ptxas == found.root / "bin/ptxas"


def test_packages_in_several_places_are_merged(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = cuda_headers().root
    other = tmp_path / "user"
    (other / "include").mkdir(parents=True)
    for header in root.glob("include/curand*.h"):
        (other / "include" / header.name).symlink_to(header)
    package = headers_module._package

    def placed(name: str, proof: str) -> tuple[Path, str]:
        return (other, "nvidia-curand==1") if name == "nvidia-curand" else package(name, proof)

    monkeypatch.setattr(headers_module, "_package", placed)
    headers_module._packaged.cache_clear()
    merged = cuda_headers().root
    headers_module._packaged.cache_clear()
    assert merged.is_relative_to(cache)
    assert (merged / "include/curand_kernel.h").is_file()
    assert (merged / "include/cccl/cub/cub.cuh").is_file()


def test_environment_goes_before_nvcc_and_packages(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_nvcc = fake_sdk(tmp_path / "of_nvcc", 12060)
    (of_nvcc / "bin").mkdir()
    (of_nvcc / "bin/nvcc").write_text("#!/bin/sh\n")
    (of_nvcc / "bin/nvcc").chmod(0o755)
    monkeypatch.setenv("PATH", f"{of_nvcc / 'bin'}{os.pathsep}{os.environ['PATH']}")
    assert cuda_headers().origin == f"SDK at {of_nvcc} (nvcc on PATH)"
    monkeypatch.setenv("CUDA_PATH", str(fake_sdk(tmp_path / "path", 12040)))
    assert cuda_headers().version_text == "12.4"
    monkeypatch.setenv("CUDA_HOME", str(fake_sdk(tmp_path / "home", 12020)))
    assert cuda_headers().origin == f"SDK at {tmp_path / 'home'} (CUDA_HOME)"
    named = fake_sdk(tmp_path / "named", 12000)
    assert cuda_headers(str(named)).origin == f"SDK at {named}"


def test_unusable_sdk_that_nobody_named_is_passed_over(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    assert cuda_headers().root.parts[-2:] == ("nvidia", "cu13")


def test_wrapper_of_nvcc_is_asked_for_its_sdk(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sdk = fake_sdk(tmp_path / "sdk", 12060)
    (tmp_path / "bin").mkdir()
    wrapper = tmp_path / "bin/nvcc"
    wrapper.write_text(f"#!/bin/sh\necho '#$ TOP={sdk}/bin/..' >&2\n")
    wrapper.chmod(0o755)
    (sdk / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{wrapper.parent}{os.pathsep}{os.environ['PATH']}")
    assert cuda_headers().origin == f"SDK at {sdk} (nvcc on PATH)"


def test_processes_that_start_at_once_agree(cache: Path, tmp_path: Path) -> None:
    sdk = str(fake_sdk(tmp_path / "sdk"))
    processes = [start(ASSEMBLE.format(sdk)) for _ in range(5)]
    roots = {process.communicate(timeout=60)[0].strip() for process in processes}
    assert [process.returncode for process in processes] == [0] * 5
    assert len(roots) == 1
    assert [path.name for path in (cache / "headers").iterdir()] == [Path(roots.pop()).name]


def test_killed_assembly_leaves_nothing_that_is_used(cache: Path, tmp_path: Path) -> None:
    sdk = str(fake_sdk(tmp_path / "sdk"))
    slow = (
        "import time\nfrom drano.frontend.sdk import headers\nadd = headers._add_curand\n"
        "def half(include):\n"
        "    print('half', flush=True)\n    time.sleep(60)\n"
        f"headers._add_curand = half\nheaders.cuda_headers({sdk!r})\n"
    )
    process = start(slow)
    assert process.stdout is not None
    assert process.stdout.readline() == "half\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    (left,) = (cache / "headers").iterdir()
    assert left.name.startswith(".tmp-")
    assert (cuda_headers(sdk).root / "include/cuda.h").is_file()
    old = time.time() - 7200
    os.utime(left, (old, old))
    cuda_headers(str(fake_sdk(tmp_path / "other")))
    assert not left.exists()


def test_dangling_links_are_assembled_anew(cache: Path, tmp_path: Path) -> None:
    sdk = str(fake_sdk(tmp_path / "sdk"))
    root = cuda_headers(sdk).root
    (root / "include/cuda.h").unlink()
    (root / "include/cuda.h").symlink_to("/nonexistent")
    headers_module._installed.cache_clear()
    again = cuda_headers(sdk).root
    assert again == root
    assert (again / "include/cuda.h").is_file()


def test_copies_where_links_cannot_be_made(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, target: Path, target_is_directory: bool = False) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "symlink_to", refuse)
    root = cuda_headers(str(fake_sdk(cache / "sdk"))).root
    assert (root / "include/cuda.h").is_file()
    assert not (root / "include/cuda.h").is_symlink()
    assert (root / "nvvm/libdevice/libdevice.10.bc").is_file()


def test_sdk_without_curand_gets_the_packages_headers(cache: Path, tmp_path: Path) -> None:
    sdk = fake_sdk(tmp_path / "sdk")
    found = cuda_headers(str(sdk))
    assert found.version_text == "12.4"
    assert (found.root / "include/curand_kernel.h").is_file()
    assert not (sdk / "include/curand_mtgp32_kernel.h").exists()
    (sdk / "include/curand_mtgp32_kernel.h").write_text("// real\n")
    headers_module._installed.cache_clear()
    assert cuda_headers(str(sdk)).root == sdk


def test_without_curand_anywhere_the_header_is_empty(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(headers_module, "_CURAND", ("no-such-package", "y"))
    found = cuda_headers(str(fake_sdk(tmp_path / "sdk")))
    assert (found.root / "include/curand_mtgp32_kernel.h").read_bytes() == b""


def test_unusable_sdk_is_one_clear_error(cache: Path, tmp_path: Path) -> None:
    with pytest.raises(IRError, match="no such CUDA SDK directory"):
        cuda_headers(str(tmp_path / "none"))
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(IRError, match=r"not a CUDA SDK: include/cuda\.h is missing"):
        cuda_headers(str(empty))
    with pytest.raises(IRError, match=r"older than 7\.0"):
        cuda_headers(str(fake_sdk(tmp_path / "old", 6050)))
    odd = fake_sdk(tmp_path / "odd")
    (odd / "include/cuda.h").write_text("// nothing\n")
    with pytest.raises(IRError, match="does not define CUDA_VERSION"):
        cuda_headers(str(odd))


def test_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headers_module, "_PACKAGES", (("no-such-package", "y"),))
    headers_module._packaged.cache_clear()
    with pytest.raises(IRError, match=r"no-such-package: .* is not installed; pip install"):
        cuda_headers()


def test_cache_that_cannot_be_made_is_one_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DRANO_CACHE_DIR", str(tmp_path / "file" / "cache"))
    with pytest.raises(IRError, match="set DRANO_CACHE_DIR"):
        cuda_headers(str(fake_sdk(tmp_path / "sdk")))


def test_loser_of_a_race_uses_the_winners_directory(cache: Path) -> None:
    place = cache_module.cache_dir("headers") / "key"

    def build(directory: Path) -> None:
        (directory / "mine").write_text("")
        place.mkdir()
        (place / "theirs").write_text("")

    assert cache_module.publish_directory(place, build) == place
    assert [path.name for path in place.iterdir()] == ["theirs"]
    assert [path.name for path in place.parent.iterdir()] == ["key"]
