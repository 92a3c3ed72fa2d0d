"""Names by which projects tell what is for another platform than CUDA on Linux, or does without:
``USE_HIP``, ``targets/sycl``, ``CPU_ONLY``.
"""

from __future__ import annotations

import re
from typing import Final

_OTHER: Final = re.compile(
    r"(?:^|_)(?:HIP|HIPCC|HCC|ROCM\w*|AMD\w*|SYCL|ONEAPI|MUSA|CANN|OPENCL|VULKAN|METAL|APPLE|MSVC"
    r"|WIN(?:32|64|DOWS)?|CPU|CPUONLY|(?:NO|DISABLE|WITHOUT)_?(?:CUDA|GPU)|HOST_?ONLY)"
    r"(?:_|$)",
    re.IGNORECASE,
)


def is_of_another_platform(name: str) -> bool:
    """Whether a macro, or a directory, is named after one."""
    return _OTHER.search(name.replace("-", "_").replace(".", "_")) is not None
