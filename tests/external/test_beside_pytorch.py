"""drano in one environment with the CUDA packages that PyTorch pins, in either order.

PyTorch itself is left out for its size: it brings no file where NVIDIA's packages lie. Needs a
package registry.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

# PyTorch 2.8 for CUDA 12 pins the former, PyTorch 2.15 for CUDA 13 the latter; nvcc's is no pin of
# theirs, but Triton's and JAX's users have it.
CU12 = (
    "nvidia-cuda-runtime-cu12==12.8.90",
    "nvidia-cuda-nvrtc-cu12==12.8.93",
    "nvidia-cuda-cupti-cu12==12.8.90",
    "nvidia-nvtx-cu12==12.8.90",
    "nvidia-nvjitlink-cu12==12.8.93",
    "nvidia-curand-cu12==10.3.9.90",
    "nvidia-cuda-nvcc-cu12==12.8.93",
)
CU13 = ("cuda-toolkit[cudart,cupti,nvjitlink,nvrtc,nvtx]==13.2.2",)
PYTORCH = (*CU12, *CU13)


class Environment:
    """A virtual environment at ``place``."""

    def __init__(self, place: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
        self.bin = place / "bin"
        self.site = next(place.glob("lib/python3*/site-packages"))

    def pip(self, *arguments: str) -> None:
        """This machine's pip, for this environment, which then needs none of its own."""
        python = self.bin / "python"
        self._run(sys.executable, "-m", "pip", "--python", python, *arguments)

    def __call__(self, tool: str, *arguments: str | Path) -> str:
        return self._run(self.bin / tool, *arguments)

    def _run(self, *command: str | Path) -> str:
        done = subprocess.run(
            command,
            # No SDK of this machine's: neither named nor on PATH.
            env={**os.environ, "PATH": str(self.bin), "CUDA_HOME": "", "CUDA_PATH": ""},
            capture_output=True, text=True, check=False, timeout=900,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def records(self) -> dict[str, dict[str, str]]:
        """Of each of NVIDIA's distributions its files' hashes, as they were installed."""
        return {
            record.parent.name: {path: told for path, told, _ in rows(record) if told}
            for record in self.site.glob("nvidia_*.dist-info/RECORD")
        }

    def damaged(self) -> list[str]:
        """Files of these that are missing or are not as they were installed."""
        hashes = {path: told for files in self.records().values() for path, told in files.items()}
        return [path for path, told in hashes.items() if hash_of(self.site / path) != told]


def rows(record: Path) -> list[list[str]]:
    return list(csv.reader(record.read_text(encoding="utf-8").splitlines()))


def hash_of(path: Path) -> str:
    if not path.is_file():
        return "missing"
    digest = hashlib.sha256(path.read_bytes()).digest()
    return "sha256=" + base64.urlsafe_b64encode(digest).decode().rstrip("=")


def wheel(place: Path) -> str:
    """drano, built from the last commit."""
    source = place / "source"
    subprocess.run(["git", "clone", "-q", ROOT, source], check=True)
    tool = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", place, source]
    subprocess.run(tool, check=True)
    return str(next(place.glob("drano-*.whl")))


def test_pytorchs_packages_stay_as_they_are(tmp_path: Path) -> None:
    drano = wheel(tmp_path)
    second, first = Environment(tmp_path / "second"), Environment(tmp_path / "first")
    second.pip("install", "-q", *PYTORCH)
    alone = second.records()
    assert second.damaged() == []
    second.pip("install", "-q", drano)
    first.pip("install", "-q", drano)
    first.pip("install", "-q", *PYTORCH)
    for environment in (second, first):
        environment.pip("check")
        records = environment.records()
        assert {name: records.get(name) for name in alone} == alone
        assert environment.damaged() == []
        print(f"{len(alone)} distributions, {sum(map(len, alone.values()))} files as before")
        checks_an_example(environment)


def checks_an_example(environment: Environment) -> None:
    doctor = environment("drano", "doctor")
    assert "nvidia-cuda-runtime==13.2." in doctor
    assert str(environment.site / "nvidia/cu13") in doctor
    example = ROOT / "examples/transpose.cu"
    said = environment("drano", "check", "--no-cache", "--exit-zero", example)
    assert "warning[DRN001]: uncoalesced store" in said
    print(doctor, said.splitlines()[-1], sep="")
