"""Kernels that libraries make of an operation: CuPy's and PyCUDA's ``ElementwiseKernel``.

Means: the kernel as the library would write it for contiguous arrays of one size: a loop over all
elements, in which a parameter is its array's element ``i``, and a ``raw`` one an array, or a number
where nothing is asked of it that an array has.
Assumptions: a type that is a letter (``T x``) is ``float``: the library takes the arrays' own.
Limits: non-contiguous arrays, broadcasting, and types of CuPy that have no name in CUDA C++.
"""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from drano.embedded.traced import Traced, joined

_PARAMETER = re.compile(r"\s*(?P<raw>raw\s+)?(?P<type>[\w:.]+)\s+(?P<name>\w+)\s*", re.ASCII)
_TYPES = {
    "int8": "signed char", "uint8": "unsigned char", "int16": "short", "uint16": "unsigned short",
    "int32": "int", "uint32": "unsigned int", "int64": "long long",
    "uint64": "unsigned long long", "float32": "float", "float64": "double", "bool": "bool",
    "float": "double", "int": "long long",
}  # fmt: skip
_LETTER = re.compile(r"[A-Z]")
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_BLOCK = 128
_RAW = """template <class T> struct drano_raw {
  T* data; ptrdiff_t count;
  __device__ T& operator[](ptrdiff_t k) const { return data[k]; }
  __device__ ptrdiff_t size() const { return count; }
};
struct drano_indexer { ptrdiff_t count; __device__ ptrdiff_t size() const { return count; } };
"""


class NotElementwiseError(Exception):
    """``str``: what is not understood."""


class Elementwise(Struct, frozen=True):
    """``name`` of the kernel; ``block``: threads that the library launches it with, None where it
    asks the GPU; ``note``: what was taken for granted.
    """

    text: Traced
    name: str
    block: int | None
    note: str


class _Parameter(Struct, frozen=True):
    """``number``: of a ``raw`` one, whether it is used as a number."""

    raw: bool
    type: str
    name: str
    written: bool
    origin: int
    number: bool = False


def cupy_elementwise(
    inputs: Traced,
    outputs: Traced,
    operation: Traced,
    name: Traced,
    preamble: Traced,
    prepared: Traced,
    after: Traced,
) -> Elementwise:
    """The kernel of CuPy's ``ElementwiseKernel``. Raises NotElementwiseError."""
    code = "\n".join((operation.text, prepared.text, after.text))
    given = [
        p if p.written or _is_array(p.name, code, preamble.text) else replace(p, number=p.raw)
        for p in (*_parameters(inputs, written=False), *_parameters(outputs, written=True))
    ]
    letters = sorted({p.type for p in given if _LETTER.fullmatch(p.type)})

    def fixed(text: str) -> Traced:
        return Traced.at(text, operation.origin)

    def each(template: str, among: list[_Parameter]) -> list[Traced]:
        return [
            Traced.at(template.format(p=p, type=_cuda_type(p.type), const=_const(p)), p.origin)
            for p in among
        ]

    raw = [p for p in given if p.raw and not p.number]
    elements = [p for p in given if not p.raw]
    arguments = [
        text
        for p in given
        for text in each("{type} {p.name}, " if p.number else "{const}{type}* _a_{p.name}, ", [p])
    ]
    head = [Traced.at(_RAW, preamble.origin)]
    head += [Traced.at(f"typedef float {letter};\n", operation.origin) for letter in letters]
    parts = [
        *head, preamble,
        fixed(f'\nextern "C" __global__ void {_name(name)}('),
        *arguments, fixed("ptrdiff_t n) {\n  drano_indexer _ind{n}; (void)_ind;\n"),
        *each("  drano_raw<{const}{type}> {p.name}{{_a_{p.name}, n}}; (void){p.name};\n", raw),
        prepared,
        fixed(
            ";\n  for (ptrdiff_t i = (ptrdiff_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;"
            " i += (ptrdiff_t)blockDim.x * gridDim.x) {\n"
        ),
        *each("    {const}{type}& {p.name} = _a_{p.name}[i]; (void){p.name};\n", elements),
        operation, fixed(";\n  }\n"), after, fixed(";\n}\n"),
    ]  # fmt: skip
    taken = f", {', '.join(letters)} as float" if letters else ""
    return Elementwise(
        joined(parts), _name(name), _BLOCK, f"taken for contiguous arrays of one size{taken}"
    )


def pycuda_elementwise(
    arguments: Traced, operation: Traced, name: Traced, preamble: Traced
) -> Elementwise:
    """The kernel of PyCUDA's ``ElementwiseKernel``."""
    parts = [
        preamble,
        Traced.at(f"\n__global__ void {_name(name)}(", arguments.origin),
        arguments,
        Traced.at(
            ", long n) {\n  unsigned tid = threadIdx.x; unsigned total_threads = "
            "gridDim.x * blockDim.x; unsigned cta_start = blockDim.x * blockIdx.x; unsigned i;\n"
            "  for (i = cta_start + tid; i < n; i += total_threads) {\n",
            operation.origin,
        ),
        operation,
        Traced.at(";\n  }\n}\n", operation.origin),
    ]
    return Elementwise(joined(parts), _name(name), None, "taken for contiguous arrays of one size")


def _parameters(text: Traced, *, written: bool) -> list[_Parameter]:
    found: list[_Parameter] = []
    at = 0
    for part in text.text.split(",") if text.text.strip() else []:
        match = _PARAMETER.fullmatch(part)
        if match is None or (match["type"] not in _TYPES and not _is_name(match["type"])):
            raise NotElementwiseError(f"the parameter '{part.strip()}'")
        origin = text.origins[at + match.start("name")]
        raw = bool(match["raw"])
        found.append(_Parameter(raw, match["type"], match["name"], written, origin))
        at += len(part) + 1
    return found


def _is_array(name: str, code: str, preamble: str) -> bool:
    """Whether a name must stand for an array: an element or a member is asked of it, or it is
    handed to what may be a function of the preamble.

    >>> _is_array("x", "y = x[i]", ""), _is_array("x", "y = min(x, i)", "")
    (True, False)
    """
    asked = rf"\b{name}\s*[\[.]"
    handed = rf"[(,]\s*{name}\s*[,)]" if preamble.strip() else asked
    return re.search(f"{asked}|{handed}", f"{preamble}\n{code}") is not None


def _is_name(text: str) -> bool:
    return all(_NAME.fullmatch(word) for word in text.split("::"))


def _cuda_type(name: str) -> str:
    return _TYPES.get(name, name)


def _const(parameter: _Parameter) -> str:
    return "" if parameter.written else "const "


def _name(name: Traced) -> str:
    """The kernel's name; a library's own for none."""
    return name.text if _NAME.fullmatch(name.text) else "kernel"
