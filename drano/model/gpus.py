"""What a multiprocessor of each GPU offers: compute capabilities 5.0 to 12.1.

Figures are those of the CUDA C++ Programming Guide's table of compute capabilities and of
``cudaGetDeviceProperties``; granularities and limits of blocks those of ``cuda_occupancy.h``.
Names are for choosing one: of GPUs of equal capability only the number of multiprocessors differs,
which occupancy does not depend on.
"""

from __future__ import annotations

from msgspec import Struct

from drano.model.hardware import WARP_SIZE

MAX_BLOCK_THREADS = 1024
_KIB = 1024
SHARED_PER_BLOCK = 48 * _KIB  # without opting in to more


class Gpu(Struct, frozen=True):
    """One compute capability. Registers are 32 bits wide, shared memory is in bytes.

    ``opt_in``: most shared memory of one block when its kernel asks for more than 48 KiB;
    ``reserved``: what the driver takes of it for each block; ``partitions``: parts of the
    multiprocessor with registers of their own; ``names``: GPUs that have it, in lower case.
    """

    major: int
    minor: int
    threads: int
    blocks: int
    registers: int
    block_registers: int
    shared: int
    opt_in: int
    reserved: int
    partitions: int
    names: tuple[str, ...]

    @property
    def arch(self) -> str:
        """As compilers name it: ``sm_90``."""
        return f"sm_{self.major}{self.minor}"

    @property
    def warps(self) -> int:
        """Warps that a multiprocessor holds."""
        return self.threads // WARP_SIZE

    @property
    def shared_granularity(self) -> int:
        """Shared memory is given out in multiples of this."""
        return 128 if self.major >= 8 else 256

    @property
    def most_registers(self) -> int:
        """Of one thread, as ``cuda_occupancy.h`` has it; compilers stop at 255."""
        return 256 if self.major >= 7 else 255


def compiled_gpu(architecture: str) -> str:
    """The GPU that code for an architecture is meant for; clang and nvcc name the same one
    ``compute_90``, ``sm_90``, ``sm_90a`` and ``sm_90f``.

    >>> compiled_gpu("compute_90a")
    'sm_90'
    """
    return architecture.replace("compute_", "sm_").rstrip("af")


REGISTER_GRANULARITY = 256  # registers of one warp


def _gpu(
    capability: tuple[int, int], threads: int, blocks: int, shared: int, opt_in: int,
    *names: str, registers: int = 64, partitions: int = 4,
) -> Gpu:  # fmt: skip
    """Sizes in KiB and in 1024 registers."""
    major, minor = capability
    reserved = _KIB if major >= 8 else 0
    return Gpu(
        major, minor, threads, blocks, 64 * _KIB, registers * _KIB, shared * _KIB,
        opt_in * _KIB, reserved, partitions, names,
    )  # fmt: skip


GPUS = (
    _gpu((5, 0), 2048, 32, 64, 48, "gtx 750 ti", "m60m"),
    _gpu((5, 2), 2048, 32, 96, 48, "gtx 980", "gtx titan x", "m40", "m60"),
    _gpu((5, 3), 2048, 32, 64, 48, "jetson tx1", registers=32),
    _gpu((6, 0), 2048, 32, 64, 48, "p100", partitions=2),
    _gpu((6, 1), 2048, 32, 96, 48, "gtx 1080", "gtx 1080 ti", "p4", "p40", "titan xp"),
    _gpu((6, 2), 2048, 32, 64, 48, "jetson tx2", registers=32),
    _gpu((7, 0), 2048, 32, 96, 96, "v100", "titan v"),
    _gpu((7, 2), 2048, 32, 96, 96, "jetson xavier", "xavier"),
    _gpu((7, 5), 1024, 16, 64, 64, "t4", "rtx 2080", "rtx 2080 ti", "gtx 1660"),
    _gpu((8, 0), 2048, 32, 164, 163, "a100", "a30"),
    _gpu((8, 6), 1536, 16, 100, 99, "rtx 3080", "rtx 3090", "a10", "a40", "rtx a6000"),
    _gpu((8, 7), 1536, 16, 164, 163, "jetson orin", "orin"),
    _gpu((8, 9), 1536, 24, 100, 99, "rtx 4080", "rtx 4090", "l4", "l40", "l40s"),
    _gpu((9, 0), 2048, 32, 228, 227, "h100", "h200", "gh200"),
    _gpu((10, 0), 2048, 32, 228, 227, "b100", "b200", "gb200"),
    _gpu((10, 3), 2048, 32, 228, 227, "b300", "gb300"),
    _gpu((11, 0), 1536, 24, 228, 227, "jetson thor", "thor"),
    _gpu((12, 0), 1536, 24, 100, 99, "rtx 5080", "rtx 5090", "rtx pro 6000"),
    _gpu((12, 1), 1536, 24, 100, 99, "gb10", "dgx spark"),
)


def find_gpu(name: str) -> Gpu | None:
    """By capability (``sm_90``, ``9.0``) or by name (``H100``, ``NVIDIA H100``), in any case.

    >>> find_gpu("NVIDIA H200").arch, find_gpu("8.6").arch, find_gpu("voodoo")
    ('sm_90', 'sm_86', None)
    """
    wanted = " ".join(name.lower().replace("-", " ").split())
    for prefix in ("nvidia ", "geforce ", "tesla "):
        wanted = wanted.removeprefix(prefix)
    for gpu in GPUS:
        if wanted in {gpu.arch, f"{gpu.major}.{gpu.minor}", *gpu.names}:
            return gpu
    return None
