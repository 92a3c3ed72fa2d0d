"""Which functions a call through a pointer may reach.

Those of the unit whose address is taken, in code or by what a variable holds (tables of functions,
of virtual ones, too), and whose parameters have the types of what is passed. They are analysed by
themselves, so the call is no access of its own.

Assumption: pointers to functions point into the unit's code, as they do without separate
compilation. Limits: a unit that calls what it does not define may be given other units' functions:
of its calls nothing is known.
"""

from __future__ import annotations

from drano.ir.intrinsics import is_library, is_provided
from drano.ir.model import Call, Function, FunctionAddress, Module
from drano.ir.uses import operands_of


class CallTargets:
    """Of all calls of a module; what they may reach is found when first asked."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._known: tuple[Function, ...] | None = None

    def of(self, call: Call) -> tuple[Function, ...]:
        """What a call through a pointer may reach; nothing where that may be anything."""
        if self._known is None:
            self._known = _addressed(self._module)
        given = tuple(call.arg_types)
        return tuple(f for f in self._known if tuple(a.type for a in f.args) == given)


def _addressed(module: Module) -> tuple[Function, ...]:
    """Functions whose address is taken; none where a unit calls what it does not define."""
    names = {name for variable in module.globals.values() for name in variable.refers}
    called = set[str]()
    for function in module.functions.values():
        for block in function.blocks:
            for i in block.instructions:
                names |= {o.name for o in operands_of(i) if isinstance(o, FunctionAddress)}
                if isinstance(i, Call) and i.callee not in {None, "asm"}:
                    called.add(i.callee or "")
    defined = {f.name: f for f in module.functions.values() if f.blocks}
    if any(_is_elsewhere(name) for name in called - defined.keys()):
        return ()
    return tuple(f for f in defined.values() if f.name in names and not f.is_kernel)


def _is_elsewhere(name: str) -> bool:
    return not (is_library(name) or is_provided(name) or name.startswith("llvm."))
