"""Variables in managed memory: clang's CUDA has none, so the IR of both sides is edited.

Means: headers turn ``__managed__`` into a section (``runtime/places.h``). In device code such a
variable is annotated, which LLVM prints as ``.attribute(.managed)``. In host code a pointer
replaces it, read at the beginning of each function. A constructor tells the run-time library of
these pointers (``runtime/gpu/managed.c``), and CUDA's library sets them when it loads the module.
Assumptions: host IR is as the front end gives it, before any optimisation.
Limits: a static initialiser cannot hold the variable's address.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct, field

from drano.dynamic.cpu.translated_text import constant_text, expand_constants, operand_type, quoted
from drano.dynamic.cpu.variables import MANAGED_SECTION
from drano.dynamic.gpu.linking.registration import strings_table
from drano.ir.llvm_text import bare_name
from drano.support.errors import IRError

NAMES_SECTION = ".rodata.drano.managed"
MACRO = f'-DDRANO_MANAGED=__attribute__((section("{MANAGED_SECTION}")))'
IR_FLAGS = ("-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes")
"""For clang: what makes host IR that can be edited."""
_WORD = b"__managed__"
_SECTION = f', section "{MANAGED_SECTION}"'
_VARIABLE = re.compile(
    rf'^(@(?:"[^"]*"|[-\w.$]+)) = ((?:[\w()]+ )*?)global (.*){re.escape(_SECTION)}.*$', re.MULTILINE
)
_GLOBAL = re.compile(r'@(?:"[^"]*"|[-\w.$]+)')
# By which clang tells CUDA's library of the device's own variables.
_REGISTERS, _ENTRY = "@__cuda_register_globals", "@.offloading.entry"
_LABEL = re.compile(r'(?:"[^"]*"|[-\w.$]+):')
_CONSTRUCTORS = ".init_array.00199"
"""Before the constructors that register device code."""


def mentions_managed(paths: Iterable[str], headers: Path) -> bool:
    """Whether one of a unit's files names managed memory; those below ``headers`` do not count."""
    for name in paths:
        path = Path(name)
        if path.is_relative_to(headers) or path.is_relative_to("/usr"):
            continue
        try:
            if _WORD in path.read_bytes():
                return True
        except OSError:
            continue
    return False


def managed_device_ir(text: str) -> str:
    """Device IR in which managed variables are annotated as LLVM expects it."""
    found = [(match[1], match[2]) for match in _VARIABLE.finditer(text)]
    if not found:
        return text
    number = 1 + max((int(n) for n in re.findall(r"^!(\d+) = ", text, re.MULTILINE)), default=0)
    lines = [
        f'!{k} = !{{ptr addrspace(1) {token}, !"managed", i32 1}}'
        for k, (token, _) in enumerate(found, number)
    ]
    entries = ", ".join(f"!{k}" for k in range(number, number + len(lines)))
    plain = text.replace(_SECTION, "")
    return "\n".join([plain, f"!nvvm.annotations = !{{{entries}}}", *lines, ""])


class _Managed(Struct, frozen=True):
    """A managed variable of the host's: ``type``: as printed; ``name``: in the device code."""

    token: str
    words: str
    type: str
    name: str

    @property
    def slot(self) -> str:
        """The pointer in the variable's place."""
        return f"@{quoted(bare_name(self.token) + '.drano')}"

    @property
    def is_defined(self) -> bool:
        return "external" not in self.words


def managed_host_ir(text: str, path: str, identity: str, suffix: str) -> str:
    """Host IR that reaches managed variables by pointers. ``identity``: of the unit, which has its
    own device code; empty where that is linked: then static variables have the ``suffix``.
    """
    variables = {}
    for token, words, rest in _VARIABLE.findall(text):
        name = bare_name(token)
        own = suffix if "internal" in words.split() else ""
        variables[token] = _Managed(token, words, operand_type(rest), name + own)
    if not variables:
        return text
    out: list[str] = []
    lines = iter(text.split("\n"))
    for line in lines:
        if line.startswith("define "):
            symbol = _GLOBAL.search(line)
            body = list(itertools.takewhile(lambda row: row != "}", lines))
            if symbol is not None and symbol[0] == _REGISTERS:
                for held in (t for row in body for t in _GLOBAL.findall(row) if t in variables):
                    raise _refused(path, held, shadow=True)
            out += [line, *_Function(variables).rewritten(body), "}"]
            continue
        match = _VARIABLE.match(line)
        if match is not None:
            known = variables[match[1]]
            value = "ptr null" if known.is_defined else "ptr"
            out.append(f"{known.slot} = {known.words}global {value}, align 8")
            continue
        if line.startswith("@"):
            held = next((t for t in _GLOBAL.findall(line) if t in variables), None)
            if held is not None:
                raise _refused(path, held, line.startswith(_ENTRY))
        out.append(line)
    defined = [known for known in variables.values() if known.is_defined]
    return "\n".join([*out, _registration(defined, identity), ""])


def _refused(path: str, token: str, shadow: bool) -> IRError:
    """``shadow``: clang has taken the variable for one of the device alone."""
    if shadow:
        return IRError(path, f"give {token[1:]} in a header __managed__ without __device__")
    return IRError(path, f"a static initialiser holds the address of __managed__ {token[1:]}")


class _Function(Struct):
    """One function of the host's; used once."""

    variables: dict[str, _Managed]
    locals: dict[str, str] = field(default_factory=dict)
    opening: list[str] = field(default_factory=list)
    made: int = 0

    def rewritten(self, body: list[str]) -> list[str]:
        """The body's lines, with what they need of managed variables at the beginning."""
        lines = [self._line(row) for row in body if not self._is_note(row)]
        first = 1 if lines and _LABEL.match(lines[0]) else 0
        return [*lines[:first], *self.opening, *lines[first:]]

    def _is_note(self, row: str) -> bool:
        return row.lstrip().startswith("#dbg_") and any(
            token in self.variables for token in _GLOBAL.findall(row)
        )

    def _line(self, row: str) -> str:
        if not any(token in self.variables for token in _GLOBAL.findall(row)):
            return row
        local = _GLOBAL.sub(self._local, row)
        further, changed = expand_constants(local, self._fresh)
        self.opening += [f"  {line}" for line in further]
        return changed

    def _local(self, match: re.Match[str]) -> str:
        token = match[0]
        if token not in self.variables:
            return token
        if token not in self.locals:
            name = self.locals[token] = f"%sh.managed.{len(self.locals)}"
            self.opening.append(f"  {name} = load ptr, ptr {self.variables[token].slot}, align 8")
        return self.locals[token]

    def _fresh(self) -> str:
        self.made += 1
        return f"%ce.managed.{self.made}"


def _registration(variables: Sequence[_Managed], identity: str) -> str:
    """IR of a table of the unit's variables, and of a constructor that hands it over."""
    if not variables:
        return ""
    row = "{ ptr, ptr, i64 }"
    names = strings_table("@drano.managed.name", [known.name for known in variables])
    names = [f'{line}, section "{NAMES_SECTION}"' for line in names]
    rows = ", ".join(
        f"{row} {{ ptr {known.slot}, ptr @drano.managed.name.{k}, i64 ptrtoint "
        f"(ptr getelementptr ({known.type}, ptr null, i32 1) to i64) }}"
        for k, known in enumerate(variables)
    )
    constructor = f"@drano.managed.constructor.{quoted(bare_name(variables[0].token))}"
    return "\n".join(
        [
            *names,
            constant_text("@drano.managed.unit", identity.encode()),
            f"@drano.managed = internal constant [{len(variables)} x {row}] [{rows}]",
            f"{constructor} = hidden constant ptr @drano.managed.register, "
            f'section "{_CONSTRUCTORS}", align 8',
            "declare void @drano_register_managed(ptr, ptr, i32)",
            "define internal void @drano.managed.register() {",
            "  call void @drano_register_managed(ptr @drano.managed.unit, ptr @drano.managed, "
            f"i32 {len(variables)})",
            "  ret void",
            "}",
        ]
    )
