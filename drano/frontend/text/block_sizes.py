"""What ``__block_size__((x, y, z), (a, b, c))`` of CUDA 13 says, for who reads clang's IR.

clang does not know the attribute. The prelude makes it an annotation, of which the IR has a list
of its own; here the list becomes attributes of the kernels, ``"nvvm.reqntid"`` as clang writes it
for other languages, and ``"drano.cluster"``: launches of such a kernel give a grid of clusters.
"""

from __future__ import annotations

import re
from typing import Final

_MARK: Final = 'c"drano.block_size\\00"'
_NOTE: Final = 'c"drano.'
_SYMBOL: Final = r'@(?:"[^"]*"|[-\w.$]+)'
_TEXT: Final = re.compile(rf"^({_SYMBOL}) = [^\n]*{re.escape(_MARK)}", re.M)
_ANNOTATIONS: Final = re.compile(r"^@llvm\.global\.annotations = [^\n]*\n", re.M)
_ENTRY: Final = re.compile(
    rf"ptr ({_SYMBOL}), ptr ({_SYMBOL}), ptr {_SYMBOL}, i32 \d+, ptr ({_SYMBOL}) "
)
_NUMBERS: Final = re.compile(
    rf"^({_SYMBOL}) = [^\n]* constant \{{[^{{}}\n]*\}} \{{([^{{}}\n]*)\}}", re.M
)
_NUMBER: Final = re.compile(r"i\d+ (\d+)")
_DEFINITION: Final = re.compile(
    rf"^(define [^\n]*?({_SYMBOL})\([^\n]*?\) (?:[^\n]*? )??)(#\d+)", re.M
)


def with_block_sizes(ir: str) -> str:
    """The module with its annotations of that kind as attributes, and without the list; the same
    where the prelude has annotated nothing.
    """
    if _NOTE not in ir:
        return ir
    annotations = _ANNOTATIONS.search(ir)
    texts = {match[1] for match in _TEXT.finditer(ir)}
    numbers = {match[1]: match[2] for match in _NUMBERS.finditer(ir)}
    sizes: dict[str, set[tuple[int, ...]]] = {}
    for kernel, text, arguments in _ENTRY.findall(annotations[0]) if annotations else ():
        if text in texts:
            sizes.setdefault(kernel, set()).add(_sizes(numbers.get(arguments, "")))

    def marked(match: re.Match[str]) -> str:
        said = sizes.get(match[2], set())
        if len(said) != 1:  # not said, or not agreed upon
            return match[0]
        words = _attributes(next(iter(said)))
        return f"{match[1]}{words}{match[3]}"

    return _DEFINITION.sub(marked, _ANNOTATIONS.sub("", ir, count=1))


def _sizes(arguments: str) -> tuple[int, ...]:
    """Three sizes, or six; () where they are not all plain numbers."""
    parts = [_NUMBER.fullmatch(part.strip()) for part in arguments.split(",")]
    sizes = tuple(int(part[1]) for part in parts if part is not None)
    return sizes if len(sizes) == len(parts) and len(sizes) in {3, 6} and min(sizes) > 0 else ()


def _attributes(sizes: tuple[int, ...]) -> str:
    block, cluster = ",".join(map(str, sizes[:3])), ",".join(map(str, sizes[3:]))
    said = f'"nvvm.reqntid"="{block}" ' if block else ""
    return f'{said}"drano.cluster"="{cluster}" ' if cluster else said
