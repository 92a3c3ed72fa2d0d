"""Random kernels that write and read memory of their blocks and threads, in every order.

Shared cells are written by one lane each between barriers, and read by others after these, so that
there are no races; all is written before it is read. ``python -m tests.simulated.random_memory
[COUNT [SEED]]`` holds as many against the simulator in both views, and prints what is refuted.
"""

from __future__ import annotations

import random
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from drano.model.settings import View
from tests.simulated.claims import held

_BLOCKS = (("64", 64), ("40", 40), ("8x6", 48), ("96", 96))
_OWN = 4
_AT_ONCE = 20


@dataclass
class _Writer:
    """Writes the statements of one kernel; ``depth``: how many around them."""

    rng: random.Random
    threads: int
    lines: list[str] = field(default_factory=list)
    loops: list[str] = field(default_factory=list)
    names: int = 0

    def say(self, text: str, depth: int) -> None:
        self.lines.append("  " * depth + text)

    def request(self, array: str, index: str) -> str:
        """A store at places of its own, or it might be no more than a part of another."""
        self.names += 1
        return f"{array}[{index} + {self.names << 12}] = 1;"

    def cell(self) -> str:
        """One that no other lane has."""
        return self.rng.choice(["me", f"{self.threads - 1} - me", "(me ^ 1)"])

    def value(self) -> str:
        """A number below 256."""
        counters = [f"(me + {i} * 8) % 256" for i in self.loops] + self.loops
        ways = [
            "me", "me * 2", "me % 8 * 8", str(self.rng.randrange(64)), "(me ^ 5)",
            f"t[me & {_OWN - 1}]", *counters,
        ]  # fmt: skip
        return self.rng.choice(ways)

    def place(self) -> str:
        """Of an own array."""
        step = self.rng.randrange(_OWN)
        ways = [str(step), f"(me + {step}) & {_OWN - 1}", f"me / 16 & {_OWN - 1}"]
        ways += [f"({i} + {step}) & {_OWN - 1}" for i in self.loops]
        return self.rng.choice(ways)

    def guard(self) -> str:
        """A condition that parts lanes."""
        return self.rng.choice(["me < 32", "me & 1", "me >= 9", "me % 4 == 1", "me < 16"])

    def own(self, depth: int) -> None:
        """A statement on the thread's own array."""
        if self.rng.random() < 0.6:
            self.say(f"t[{self.place()}] = {self.value()};", depth)
        else:
            index = f"t[{self.place()}] * {self.rng.choice((1, 2, 8))}"
            self.say(self.request("a", index), depth)

    def shared(self, depth: int) -> None:
        """A statement on the block's array, behind a barrier."""
        self.say("__syncthreads();", depth)
        cell = self.cell()
        read = self.request("b", f"s[{cell}]")
        match self.rng.randrange(6):
            case 0:
                self.say(f"s[{cell}] = {self.value()};", depth)
            case 1:
                self.say(f"if ({self.guard()}) {{", depth)
                self.say(f"s[{cell}] = {self.value()};", depth + 1)
                self.say("} else {", depth)
                self.say(f"s[{cell}] = {self.value()};", depth + 1)
                self.say("}", depth)
            case 2:
                self.say(f"if ({self.guard()}) {{", depth)
                self.say(f"s[{cell}] = {self.value()};", depth + 1)
                self.say("}", depth)
            case 3:
                self.say(read, depth)
                self.say(f"s[{cell}] = {self.value()};", depth)
            case 4:
                self.say(f"s[{cell}] = {self.value()};", depth)
                self.say(read, depth)
            case _:
                other = self.rng.choice([f"me / 2 + {self.threads // 4}", "me ^ 1", "me"])
                self.say(self.request("b", f"s[{other}]"), depth)

    def block(self, depth: int, *, uniform: bool) -> None:
        """Some statements; ``uniform``: whether all threads come here."""
        for _ in range(self.rng.randrange(2, 5)):
            kind = self.rng.random()
            if depth < 4 and kind < 0.15:
                condition = f"n > {self.rng.randrange(3)}"
                self.nested(f"if ({condition}) {{", "}", depth, uniform=uniform)
            elif depth < 4 and kind < 0.3:
                self.loop(depth, uniform=uniform)
            elif depth < 4 and kind < 0.4:
                self.nested(f"if ({self.guard()}) {{", "}", depth, uniform=False)
            elif uniform and kind < 0.7:
                self.shared(depth)
            else:
                self.own(depth)

    def nested(self, head: str, tail: str, depth: int, *, uniform: bool) -> None:
        self.say(head, depth)
        self.block(depth + 1, uniform=uniform)
        self.say(tail, depth)

    def loop(self, depth: int, *, uniform: bool) -> None:
        name = f"i{self.names}"
        self.names += 1
        match self.rng.randrange(4):
            case 0:
                head, tail = f"for (int {name} = 0; {name} < 3; {name}++) {{", "}"
            case 1:
                head, tail = f"for (int {name} = 0; {name} < n; {name}++) {{", "}"
            case 2:
                self.say(f"int {name} = 0;", depth)
                head, tail = "do {", f"}} while (++{name} < n);"
            case _:
                head, tail = f"for (int {name} = 0; {name} < me % 3; {name}++) {{", "}"
                uniform = False
        self.loops.append(name)
        self.nested(head, tail, depth, uniform=uniform)
        self.loops.remove(name)


def kernel(rng: random.Random, name: str) -> str:
    """One kernel, with the line that says how it is launched."""
    shape, threads = rng.choice(_BLOCKS)
    writer = _Writer(rng, threads)
    linear = "threadIdx.x + threadIdx.y * blockDim.x" if "x" in shape else "threadIdx.x"
    for text in (
        f"__shared__ int s[{threads}];", f"int me = {linear};", f"int t[{_OWN}];",
        f"for (int k = 0; k < {_OWN}; k++) {{", "  t[k] = me + k;", "}", "s[me] = me;",
    ):  # fmt: skip
        writer.say(text, 1)
    writer.block(1, uniform=True)
    writer.shared(1)
    writer.own(1)
    writer.say(writer.request("a", f"t[{writer.place()}]"), 1)
    writer.say("__syncthreads();", 1)
    writer.say(writer.request("b", "s[me ^ 1]"), 1)
    body = "\n".join(writer.lines)
    head = f"// block {shape}, n 0 1 3\n__global__ void {name}(float* a, float* b, int n) {{"
    return f"{head}\n{body}\n}}\n"


def refuted(count: int, seed: int) -> tuple[int, int, list[str]]:
    """Accesses and exact ones among them, and what is refuted, with its kernels' text."""
    accesses = exact = 0
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "random.cu")
        for start in range(0, count, _AT_ONCE):
            numbers = range(start, min(start + _AT_ONCE, count))
            texts = [kernel(random.Random(f"{seed}-{n}"), f"k{n}") for n in numbers]
            path.write_text("\n".join(texts))
            for view in View:
                outcome = held(path, view)
                accesses, exact = accesses + outcome.accesses, exact + outcome.exact
                wrong += [f"{seed} {view} {problem}" for problem in outcome.wrong]
    return accesses, exact, wrong


def main() -> int:
    count, seed = (
        (int(word) for word in (*sys.argv[1:], "100", "1")[:2])
        if len(sys.argv) != 2
        else (int(sys.argv[1]), 1)
    )
    accesses, exact, wrong = refuted(count, seed)
    print(*wrong, sep="\n")
    print(f"{count} kernels, {accesses} accesses, {exact} exact, {len(wrong)} refuted")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
