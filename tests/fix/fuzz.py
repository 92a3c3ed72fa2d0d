"""Random kernels, each with a defect that an edit of the catalogue mends: they are fixed, run on
the CPU in both versions on random numbers, and compared: memory, output, races, sectors.

``python -m tests.fix.fuzz 2000 SEED [KIND...]`` does so with 2000 kernels, many in a program; some
have a trap that must keep the edit from being made, or from being called safe. Status 1 if one
differs.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from msgspec import Struct

from drano.fix.catalogue import reshape_block, stage_rows
from drano.fix.search import Offer, mended
from drano.fix.trial import Unit, analysed
from drano.fix.verify.verify import Program, verify
from drano.model.settings import Config
from tests.fix.random_kernels import KINDS, Kernel

IN_A_PROGRAM = 4
"""Each edit is tried on the whole program, so that large ones take longer for each kernel."""

BUILT_QUICKLY = ("-Xptxas", "-O0")
"""As requests are counted in the device code, not in what the processor makes of it."""


def program(kernels: list[Kernel], seed: int) -> str:
    """All kernels, each on the same input, with an output that is kept."""
    calls = "".join(
        "  {\n    float* out;\n    cudaMalloc(&out, BYTES);\n    cudaMemset(out, 0, BYTES);\n"
        f"    {kernel.call}\n    cudaMemcpy(h, out, BYTES, cudaMemcpyDeviceToHost);\n"
        '    double s = 0; for (int i = 0; i < SIZE; i++) s += h[i];\n    printf("%.17g\\n", s);\n'
        "    cudaFree(out);\n  }\n"
        for kernel in kernels
    )
    return (
        "#include <cstdio>\n#include <cstdlib>\n#define SIZE 16384\n#define BYTES (SIZE * 4)\n"
        + "".join(kernel.text for kernel in kernels)
        + "int main() {\n  volatile int zero = 0;\n  static float h[SIZE];\n  float* in;\n"
        + "  cudaMalloc(&in, BYTES);\n"
        + f"  srand({seed});\n  for (int i = 0; i < SIZE; i++) h[i] = rand() % 1000 * 0.37f;\n"
        + "  cudaMemcpy(in, h, BYTES, cudaMemcpyHostToDevice);\n"
        + calls
        + "}\n"
    )


class Outcome(Struct, frozen=True):
    """``fixed``: how often which edit was made; ``against``: what differs in the two runs."""

    fixed: Counter[str]
    against: tuple[str, ...]
    text: str
    unmended: tuple[Kernel, ...] = ()


def is_proved(kernels: list[Kernel], offer: Offer) -> bool:
    """Whether a fix leaves results as they are in programs as small as these, and rows that it
    stages are long enough.
    """
    if offer.fix.safe or offer.fix.unproved == reshape_block.MANY_ROWS:
        return True
    long = {k.text for k in kernels if k.edit == stage_rows.NAME}
    named = any(f"void {offer.finding.kernel}(" in text for text in long)
    return named and offer.fix.unproved == stage_rows.CACHED


def tried(kernels: list[Kernel], seed: int) -> Outcome:
    """Fix a program of these kernels with all that is proved, and compare the versions."""
    text = program(kernels, seed)
    with tempfile.TemporaryDirectory() as directory:
        path = str(Path(directory) / "k.cu")
        Path(path).write_text(text, encoding="utf-8")
        unit = Unit(path, Config())
        report = analysed(unit)
        if report.status != "ok" or report.host_errors:
            return Outcome(Counter(), (f"does not compile: {report.diagnostics}",), text)
        found = mended(
            unit, report, unsafe=True, accepts=lambda made, _: is_proved(kernels, made[-1])
        )
        names = {offer.finding.kernel for offer in found.made}
        left = {
            f.kernel for f in report.findings if f.rule in {"DRN001", "DRN004", "DRN101", "DRN301"}
        }
        unmended = tuple(
            k for k in kernels
            if not k.trap and any(f"void {n}(" in k.text for n in left - names)
        )  # fmt: skip
        fixed = Counter(offer.fix.edit for offer in found.made)
        if not found.made:
            return Outcome(fixed, (), text, unmended)
        relaid = [array for offer in found.made for array in offer.fix.relaid]
        once = Program((path,), (path,), BUILT_QUICKLY, ())
        outcome = verify(once, {path: text.encode()}, found.texts, relaid=relaid)
        return Outcome(fixed, outcome.against, text, unmended)


def main() -> int:
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    wanted = sys.argv[3:]
    kinds = [kind for kind in KINDS if not wanted or kind.__name__ in wanted]
    draw = random.Random(seed)
    fixed: Counter[str] = Counter()
    made = differ = unmended = 0
    while made < count:
        number = min(IN_A_PROGRAM, count - made)
        kernels = [draw.choice(kinds)(f"k{k}", draw) for k in range(number)]
        outcome = tried(kernels, draw.randint(0, 10**6))
        made += number
        fixed += outcome.fixed
        unmended += len(outcome.unmended)
        if outcome.against:
            differ += 1
            Path(f"differs{differ}.cu").write_text(outcome.text, encoding="utf-8")
            print(f"differs{differ}.cu: {'; '.join(outcome.against)}", flush=True)
        print(f"{made} kernels, fixed {dict(fixed)}, {differ} programs differ", flush=True)
    print(f"{made} kernels, {sum(fixed.values())} edits")
    print(f"{unmended} kernels with a defect and no trap were not fixed")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
