"""Tables that are const, but not ``__constant__``, where nvcc has them: in global memory.

clang puts whatever is const into constant memory: ``__device__ const float t[]``, tables that are
static in a function, constexpr members. nvcc leaves them in global memory, so that reading them by
the lane's own index costs sectors. The prelude annotates what the source declares ``__constant__``;
here every other variable of that address space, defined in the unit, moves to global memory.

Limits: a module that uses such a pointer in any way but by a cast of the variable to a generic one,
which clang does not write, stays as it is. IR that others have compiled is not touched.
"""

from __future__ import annotations

import re
from typing import Final

_MARK: Final = 'c"drano.constant\\00"'
_SYMBOL: Final = r'@(?:"[^"]*"|[-\w.$]+)'
_SPACE: Final = "addrspace(4) "
_TEXT: Final = re.compile(rf"^({_SYMBOL}) = [^\n]*{re.escape(_MARK)}", re.M)
_ANNOTATIONS: Final = re.compile(r"^@llvm\.global\.annotations = [^\n]*\n", re.M)
_ENTRY: Final = re.compile(
    rf"ptr (?:addrspacecast \(ptr addrspace\(4\) )?({_SYMBOL})(?: to ptr\))?, ptr ({_SYMBOL}),"
)
_DEFINITION: Final = re.compile(rf"^({_SYMBOL}) = ([a-z_ ]*?)addrspace\(4\) ", re.M)
_USE: Final = re.compile(rf"addrspace\(4\) ({_SYMBOL})")
_OTHER_USE: Final = re.compile(r"addrspace\(4\)(?! @| externally_initialized| constant| global)")


def with_constant_tables(ir: str) -> str:
    """The module as nvcc lays it out; the same where it has no such table."""
    if _SPACE not in ir or _OTHER_USE.search(ir):
        return ir
    texts = {match[1] for match in _TEXT.finditer(ir)}
    annotations = _ANNOTATIONS.search(ir)
    entries = _ENTRY.findall(annotations[0]) if annotations else []
    declared = {variable for variable, text in entries if text in texts}
    moved = {
        match[1]
        for match in _DEFINITION.finditer(ir)
        if match[1] not in declared and "extern" not in match[2]
    }
    if not moved:
        return ir

    def defined(match: re.Match[str]) -> str:
        return f"{match[1]} = {match[2]}addrspace(1) " if match[1] in moved else match[0]

    def used(match: re.Match[str]) -> str:
        return f"addrspace(1) {match[1]}" if match[1] in moved else match[0]

    return _USE.sub(used, _DEFINITION.sub(defined, ir))
