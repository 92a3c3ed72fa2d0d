"""The assembled CUDA headers: complete, shared by processes, repaired, or a clear error."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from drano.ir import cache as cache_module
from drano.ir import headers as headers_module
from drano.ir.errors import IRError
from drano.ir.headers import cuda_headers

ROOT = Path(__file__).resolve().parents[2]
ASSEMBLE = "from drano.ir.headers import cuda_headers; print(cuda_headers().root)"


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


def test_packages_are_merged(cache: Path) -> None:
    found = cuda_headers()
    assert found.version_text == "11.8"
    assert found.root.is_relative_to(cache)
    for name in (
        "include/cuda.h",
        "include/crt/host_config.h",
        "include/cub/cub.cuh",
        "include/thrust/device_vector.h",
        "include/cooperative_groups.h",
        "include/curand_mtgp32_kernel.h",
        "nvvm/libdevice/libdevice.10.bc",
        "bin/ptxas",
    ):
        assert (found.root / name).is_file(), name
    assert found.ptxas == found.root / "bin/ptxas"
    assert not (found.root / "include/__init__.py").exists()


def test_processes_that_start_at_once_agree(cache: Path) -> None:
    processes = [start(ASSEMBLE) for _ in range(5)]
    roots = {process.communicate(timeout=60)[0].strip() for process in processes}
    assert [process.returncode for process in processes] == [0] * 5
    assert len(roots) == 1
    assert [path.name for path in (cache / "headers").iterdir()] == [Path(roots.pop()).name]


def test_killed_assembly_leaves_nothing_that_is_used(cache: Path) -> None:
    slow = (
        "import time\nfrom drano.ir import headers\nmerge = headers._merge\n"
        "def half(roots, target):\n"
        "    merge(roots[:1], target)\n    print('half', flush=True)\n    time.sleep(60)\n"
        "headers._merge = half\nheaders.cuda_headers()\n"
    )
    process = start(slow)
    assert process.stdout is not None
    assert process.stdout.readline() == "half\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    (left,) = (cache / "headers").iterdir()
    assert left.name.startswith(".tmp-")
    found = cuda_headers()
    assert (found.root / "include/cub/cub.cuh").is_file()
    old = time.time() - 7200
    os.utime(left, (old, old))
    fake = fake_sdk(cache / "sdk")
    cuda_headers(str(fake))
    assert not left.exists()


def test_dangling_links_are_assembled_anew(cache: Path) -> None:
    root = cuda_headers().root
    (root / "include/cuda.h").unlink()
    (root / "include/cuda.h").symlink_to("/nonexistent")
    headers_module._packaged.cache_clear()
    again = cuda_headers().root
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


def test_sdk_without_curand_gets_the_empty_header(cache: Path, tmp_path: Path) -> None:
    sdk = fake_sdk(tmp_path / "sdk")
    found = cuda_headers(str(sdk))
    assert found.version_text == "12.4"
    assert (found.root / "include/curand_mtgp32_kernel.h").read_bytes() == b""
    assert not (sdk / "include/curand_mtgp32_kernel.h").exists()
    (sdk / "include/curand_mtgp32_kernel.h").write_text("// real\n")
    headers_module._installed.cache_clear()
    assert cuda_headers(str(sdk)).root == sdk


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


def test_overwritten_packages_are_told(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(headers_module, "_PACKAGED_VERSION", 11070)
    headers_module._packaged.cache_clear()
    with pytest.raises(IRError, match="another package has overwritten"):
        cuda_headers()
    headers_module._packaged.cache_clear()


def test_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headers_module, "_PACKAGES", (("no-such-package", "x", "y"),))
    headers_module._packaged.cache_clear()
    with pytest.raises(IRError, match=r"no-such-package: .* is not installed; pip install"):
        cuda_headers()


def test_cache_that_cannot_be_made_is_one_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DRANO_CACHE_DIR", str(tmp_path / "file" / "cache"))
    with pytest.raises(IRError, match="set DRANO_CACHE_DIR"):
        cuda_headers()


def test_loser_of_a_race_uses_the_winners_directory(cache: Path) -> None:
    place = cache_module.cache_dir("headers") / "key"

    def build(directory: Path) -> None:
        (directory / "mine").write_text("")
        place.mkdir()
        (place / "theirs").write_text("")

    assert cache_module.publish_directory(place, build) == place
    assert [path.name for path in place.iterdir()] == ["theirs"]
    assert [path.name for path in place.parent.iterdir()] == ["key"]
