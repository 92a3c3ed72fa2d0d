"""A directory that looks like a CUDA SDK, for build systems that want one.

``bin/nvcc`` is ``drano cc``; ``include`` and ``nvvm`` come from the header packages; ``lib64``
holds the run-time library under libcudart's names, so that ``-L$CUDA/lib64 -lcudart`` works with
any linker. CMake runs ``nvcc -v`` to find all this: ``describe`` answers as nvcc does.
"""

from __future__ import annotations

import hashlib
import shlex
import sys
from pathlib import Path

from drano.dynamic.cpu.runtime_library import runtime_object
from drano.frontend.sdk.headers import CudaHeaders
from drano.frontend.toolchain import Clang
from drano.support.cache_directory import cache_dir, publish_directory

_LIBRARIES = ("libcudart.a", "libcudart_static.a", "libcudart.so", "libcudadevrt.a")
# What CMake compiles to learn whose compiler it has: it is to take this one for nvcc.
CMAKE_PROBE = "CMakeCUDACompilerId.cu"
_PROBE_TEXT = """\
#define __NVCC__
#define __CUDACC_VER_MAJOR__ {major}
#define __CUDACC_VER_MINOR__ {minor}
#define __CUDACC_VER_BUILD__ 89
"""


def sdk_root(clang: Clang, headers: CudaHeaders) -> Path:
    """The directory, made when it is not there. Raises IRError."""
    runtime = runtime_object(clang, headers)
    package = Path(__file__).resolve().parents[3]
    key = f"{runtime.name}\0{headers.root}\0{sys.executable}\0{package}"
    place = cache_dir("sdk") / hashlib.sha256(key.encode()).hexdigest()[:24]

    def fill(directory: Path) -> None:
        for name in ("bin", "lib64"):
            (directory / name).mkdir()
        for name in ("include", "nvvm"):
            (directory / name).symlink_to(headers.root / name, target_is_directory=True)
        (directory / "lib64" / "cudart.o").write_bytes(runtime.read_bytes())
        script = f"INPUT({place / 'lib64' / 'cudart.o'})\n"  # every linker reads such a library
        for name in _LIBRARIES:
            empty = name.startswith("libcudadevrt")
            text = "/* nothing */\n" if empty else script
            (directory / "lib64" / name).write_text(text, encoding="utf-8")
        (directory / "cmake_probe.h").write_text(
            _PROBE_TEXT.format(major=headers.version // 1000, minor=headers.version % 1000 // 10),
            encoding="utf-8",
        )
        nvcc = directory / "bin" / "nvcc"
        nvcc.write_text(
            "#!/bin/sh\n"
            f'PYTHONPATH={shlex.quote(str(package))}"${{PYTHONPATH:+:$PYTHONPATH}}"\n'
            "export PYTHONPATH\n"
            f'exec {shlex.quote(sys.executable)} -m drano cc "$@"\n',
            encoding="utf-8",
        )
        nvcc.chmod(0o755)

    if not (place / "bin" / "nvcc").is_file():
        publish_directory(place, fill)
    return place


def describe(root: Path, arch: str) -> list[str]:
    """What nvcc says of itself with ``-v``; ``arch``: such as sm_70."""
    return [
        "#$ _SPACE_= ",
        f"#$ TOP={root}",
        f"#$ NVVMIR_LIBRARY_DIR={root}/nvvm/libdevice",
        f"#$ PATH={root}/bin:",
        f'#$ INCLUDES="-I{root}/include"',
        f'#$ LIBRARIES=  "-L{root}/lib64"',
        # nvcc calls cicc so: CMake takes its default architecture from there
        f"#$ cicc -arch {arch.replace('sm_', 'compute_')}",
    ]


def link_line(root: Path, words: list[str], output: str) -> str:
    """How nvcc would say that it links: with itself, as the host's linker knows no device code."""
    return (
        f"#$ {shlex.quote(str(root / 'bin' / 'nvcc'))} {shlex.join(words)} "
        f'"-L{root}/lib64" -lcudadevrt -lcudart_static -lrt -lpthread -ldl -o {shlex.quote(output)}'
    )
