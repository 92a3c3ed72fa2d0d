"""What older versions of Triton make of kernels, kept for tests: they are not installed there.

    python -m tests.python.record     # with each version; needs Triton

Writes ``tests/data/triton/VERSION/KERNEL.llir`` and ``.ttgir``, with the place of the kernel's
source taken out.
"""

from __future__ import annotations

import re
from pathlib import Path

RECORDED = Path(__file__).parents[1] / "data" / "triton"
KERNELS = ("strided", "softmax_of_any_width")


def main() -> None:
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    from tests.python.triton_cases import CASES

    folder = RECORDED / triton.__version__
    folder.mkdir(parents=True, exist_ok=True)
    for case in CASES:
        if case.name not in KERNELS:
            continue
        names = case.kernel.arg_names
        source = ASTSource(
            fn=case.kernel,
            signature={n: case.signature.get(n, "constexpr").partition(":")[0] for n in names},
            constexprs={(names.index(n),): value for n, value in case.constexprs.items()},
            attrs={
                (place,): [["tt.divisibility", 16]]
                for place, n in enumerate(names)
                if case.signature.get(n, "").startswith("*") or ":16" in case.signature.get(n, "")
            },
        )
        made = triton.compile(source, target=GPUTarget("cuda", 90, 32))
        for suffix in ("llir", "ttgir"):
            text = re.sub(r"/[^\" ]*/triton_cases\.py", "/w/triton_cases.py", made.asm[suffix])
            text = re.sub(r"/[^\" ]*/site-packages/", "/p/", text)
            text = re.sub(r'directory: "[^"]*"', 'directory: "/w"', text)
            (folder / f"{case.name}.{suffix}").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
