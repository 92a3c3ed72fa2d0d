"""One PTX function as a function of LLVM's.

Means: statements in order; a predicate is a branch around its instruction. Registers that may be
read before they are set hold any one number (``freeze poison``). Parameters of kernels that are
addresses are pointers, arrays are passed by value; device functions take and give what their
parameters hold.
Limits: a result in several variables is one structure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from drano.ptx.debug_lines import DebugLines, NoLines
from drano.ptx.divisions import Division, divisions
from drano.ptx.instructions.fallback import assembly
from drano.ptx.instructions.table import HANDLERS
from drano.ptx.model import (
    Function,
    Group,
    Instruction,
    Label,
    Name,
    Operand,
    PtxError,
)
from drano.ptx.pointers import Pointers
from drano.ptx.signatures import Signature, alignment, value_type
from drano.ptx.unset_registers import unset_registers
from drano.ptx.writer import Handler, Shared, UnknownError, Writer

_THREADS: Final = {"reqntid": "nvvm.reqntid", "maxntid": "nvvm.maxntid"}


class FunctionText:
    """Writes one function with a body; used once."""

    def __init__(
        self, shared: Shared, signatures: dict[str, Signature], function: Function,
        pointers: Pointers, debug: DebugLines | NoLines, check_time: Callable[[int], None],
    ) -> None:  # fmt: skip
        self.w = Writer(shared, function, pointers)
        self.signatures = signatures
        self.function = function
        self.debug = debug
        self.check_time = check_time
        self.started: set[str] = set()

    def lines(self) -> list[str]:
        """The definition."""
        function, w = self.function, self.w
        scope = self.debug.function(function)
        body = function.body or ()
        signature = self.signatures[function.name]
        names = self._parameters(signature)
        first = w.block()
        for statement in body:
            if isinstance(statement, Label):
                w.blocks[statement.name] = w.block()
        self._variables()
        self._unset()
        own = self.debug.place(scope, function.place, function.line)
        w.place = own
        quotients = divisions(body)
        for number, statement in enumerate(body):
            if not number % 1024:
                self.check_time(statement.line)
            if isinstance(statement, Label):
                w.start(w.blocks[statement.name])
                self.started.add(w.blocks[statement.name])
                continue
            w.line = statement.line
            w.place = self.debug.place(scope, statement.place, statement.line)
            division = quotients.get(number)
            if division is None:
                self._instruction(statement)
            else:
                self._quotient(statement, division)
        if w.open:
            self._return()
        kind = "ptx_kernel " if function.kernel else ""
        linkage = "" if function.kernel else "internal "
        head = f"define {linkage}{kind}{signature.result} {w.shared.symbol(function.name)}"
        return [
            f"{head}({', '.join(names)}) {self._attributes()}{self.debug.head(scope)} {{",
            f"{first}:",
            *w.head,
            *w.lines,
            "}",
        ]

    def _attributes(self) -> str:
        """The attributes, which tell the shapes of blocks and clusters; as a group, where the
        module has room for one.
        """
        found = [
            f'"{_THREADS[name]}"="{",".join(map(str, numbers))}"'
            for name, numbers in self.function.shapes.items()
            if name in _THREADS
        ]
        cluster = self.function.shapes.get("reqnctapercluster")
        if cluster:
            found.append(f'"drano.cluster"="{",".join(map(str, cluster))}"')
        text = " ".join(("convergent nounwind", *sorted(found)))
        if self.w.shared.foreign:
            return text
        declared = self.w.shared.declared
        key = f"#{text}"
        if key not in declared:
            number = 1 + sum(name.startswith("#") for name in declared)
            declared[key] = f"attributes #{number} = {{ {text} }}"
        return declared[key].split()[1]

    # --- parameters and variables ------------------------------------------------------------

    def _parameters(self, signature: Signature) -> list[str]:
        """The parameters as the head has them, and where the body finds them."""
        w, found = self.w, []
        find = w.shared.names
        names = (self.debug.names(self.function, find) if find else None) or ()
        for number, (p, kind) in enumerate(
            zip(self.function.parameters, signature.arguments, strict=True)
        ):
            short = _short(p.name, self.function.name, number)
            told = names[number] if names else "*"
            name = f"%{quoted(short if told == '*' else told)}"
            found.append(f"{kind} {name}")
            if "byval" in kind:
                w.slots[p.name] = (name, "ptr")
                continue
            slot = f"%a{number}"
            if p.space == "reg":
                slot, type_ = w.slot(p.name)
                if type_ != kind:
                    w.head.append(f"  {slot}.as = {_reinterpreted(kind, name, type_)}")
                    name = f"{slot}.as"
                w.head.append(f"  store {type_} {name}, ptr {slot}")
                continue
            w.head.append(f"  {slot} = alloca {kind}, align 8")
            w.head.append(f"  store {kind} {name}, ptr {slot}")
            w.slots[p.name] = (slot, "ptr")
        return found

    def _variables(self) -> None:
        """Local arrays, results and arguments of calls; registers come when they are used."""
        w = self.w
        parameters = {p.name for p in self.function.parameters}
        for name, v in self.function.variables.items():
            if v.space not in ("local", "param") or name in parameters:
                continue
            slot = f"%m{len(w.slots)}"
            w.head.append(f"  {slot} = alloca {value_type(v)}, align {alignment(v)}")
            w.slots[name] = (slot, "ptr")

    def _unset(self) -> None:
        """Registers that may be read before they are set."""
        w = self.w
        for name in unset_registers(self.function):
            try:
                slot, type_ = w.slot(name)
            except UnknownError:
                raise PtxError(self.function.line, f"{name[:60]}: vectors are not read") from None
            w.head.append(f"  {slot}.any = freeze {type_} poison")
            w.head.append(f"  store {type_} {slot}.any, ptr {slot}")

    # --- instructions ------------------------------------------------------------------------

    def _instruction(self, i: Instruction) -> None:
        w = self.w
        if not w.open:
            w.start(w.block())
        guard = i.guard
        if i.opcode == "bra":
            self._branch(i)
            return
        behind = ""
        if guard is not None:
            condition = w.value(guard, "i1")
            inside, behind = w.block(), w.block()
            w.end(f"br i1 {condition}, label %{inside}, label %{behind}")
            w.start(inside)
        self._unguarded(i)
        if behind:
            w.start(behind)

    def _unguarded(self, i: Instruction) -> None:
        w = self.w
        match i.opcode:
            case "ret":
                self._return()
            case "exit":
                if self.function.kernel:
                    self._return()
                else:
                    w.call("llvm.nvvm.exit", "void")
                    w.end("unreachable")
            case "trap":
                w.call("llvm.trap", "void")
                w.end("unreachable")
            case "brkpt":
                w.call("llvm.debugtrap", "void")
            case "brx":
                self._switch(i)
            case "call":
                self._call(i)
            case _:
                write_instruction(w, i)

    def _quotient(self, i: Instruction, division: Division) -> None:
        w = self.w
        if not w.open:
            w.start(w.block())
        kind, sign = f"i{division.bits}", "s" if division.signed else "u"
        value = w.value(division.value, kind)
        w.set(i.operands[0], w.let(f"{sign}div {kind} {value}, {division.divisor}"), kind)

    def _branch(self, i: Instruction) -> None:
        w = self.w
        if len(i.operands) != 1 or not isinstance(i.operands[0], Name):
            raise PtxError(i.line, "no PTX: bra needs a label")
        target = w.target(i.operands[0].text)
        back = self.debug.loop() if target in self.started else ""
        if i.guard is None:
            w.end(f"br label %{target}{back}")
            return
        condition = w.value(i.guard, "i1")
        behind = w.block()
        w.end(f"br i1 {condition}, label %{target}, label %{behind}{back}")
        w.start(behind)

    def _switch(self, i: Instruction) -> None:
        w = self.w
        match i.operands:
            case (index, Name(table)) if table in self.function.tables:
                targets = [w.target(label) for label in self.function.tables[table]]
            case _:
                raise PtxError(i.line, "no PTX: brx.idx needs a register and a list of labels")
        value = w.value(index, "i32")
        cases = " ".join(f"i32 {k}, label %{t}" for k, t in enumerate(targets[:-1]))
        w.end(f"switch i32 {value}, label %{targets[-1]} [ {cases} ]")

    def _return(self) -> None:
        w, results = self.w, self.function.results
        if self.function.kernel or not results:
            w.end("ret void")
            return
        kinds = [value_type(v) for v in results]
        slots = [w.slots[v.name][0] if v.space == "param" else w.slot(v.name)[0] for v in results]
        values = [
            w.let(f"load {kind}, ptr {slot}") for kind, slot in zip(kinds, slots, strict=True)
        ]
        whole = self.signatures[self.function.name].result
        found = values[0]
        if len(values) > 1:
            found = "poison"
            for k, (kind, value) in enumerate(zip(kinds, values, strict=True)):
                found = w.let(f"insertvalue {whole} {found}, {kind} {value}, {k}")
        w.end(f"ret {whole} {found}")

    # --- calls -------------------------------------------------------------------------------

    def _call(self, i: Instruction) -> None:
        w = self.w
        ops = list(i.operands)
        results = ops.pop(0) if ops and isinstance(ops[0], Group) else Group(())
        if not ops or not isinstance(ops[0], Name):
            raise PtxError(i.line, "no PTX: call needs a function")
        assert isinstance(results, Group)
        callee = ops[0].text
        given = ops[1] if len(ops) > 1 and isinstance(ops[1], Group) else Group(())
        callee = w.shared.aliases.get(callee, callee)
        signature = self.signatures.get(callee)
        if signature is None:
            self._indirect(i, ops[0], results, given)
            return
        if len(given.parts) != len(signature.arguments):
            raise PtxError(
                i.line, f"no PTX: {callee[:100]} takes {len(signature.arguments)} values"
            )
        arguments = [
            self._passed(o, kind) for o, kind in zip(given.parts, signature.arguments, strict=True)
        ]
        self._finish(i, f"{signature.result} {w.shared.symbol(callee)}({', '.join(arguments)})",
                     signature.result, results)  # fmt: skip

    def _indirect(self, i: Instruction, target: Operand, results: Group, given: Group) -> None:
        """A call through a pointer: what is passed says the types."""
        w = self.w
        assert isinstance(target, Name)
        if not w.is_register(target.text):
            raise PtxError(i.line, f"no PTX: no function {target.text[:100]}")
        pointer = w.value(target, "ptr")
        arguments = [self._passed(o, self._own_type(o)) for o in given.parts]
        kinds = [self._own_type(o) for o in results.parts]
        whole = "void" if not kinds else kinds[0]
        if len(kinds) > 1:
            whole = f"{{ {', '.join(kinds)} }}"
        self._finish(i, f"{whole} {pointer}({', '.join(arguments)})", whole, results)

    def _own_type(self, o: Operand) -> str:
        if isinstance(o, Name) and o.text in self.function.variables:
            v = self.function.variables[o.text]
            return self.w.slot(o.text)[1] if v.space == "reg" else value_type(v)
        return "i32"

    def _passed(self, o: Operand, kind: str) -> str:
        w = self.w
        if isinstance(o, Name) and o.text in w.slots and not w.is_register(o.text):
            slot = w.slots[o.text][0]
            if "byval" in kind:
                return f"{kind} {slot}"
            return f"{kind} {w.let(f'load {kind}, ptr {slot}')}"
        if "byval" in kind:
            raise PtxError(w.line, "no PTX: a number is passed for an array")
        return f"{kind} {w.value(o, kind)}"

    def _finish(self, i: Instruction, call: str, whole: str, results: Group) -> None:
        w = self.w
        if whole == "void" or not results.parts:
            w.do(f"call {call}")
            return
        value = w.let(f"call {call}")
        parts = results.parts
        for k, o in enumerate(parts):
            kind, part = whole, value
            if len(parts) > 1:
                kind = whole[1:-1].split(",")[k].strip()
                part = w.let(f"extractvalue {whole} {value}, {k}")
            if isinstance(o, Name) and w.is_register(o.text):
                w.set(o, part, kind)
            elif isinstance(o, Name) and o.text in w.slots:
                w.do(f"store {kind} {part}, ptr {w.slots[o.text][0]}")
            elif o != Name("_"):
                raise PtxError(i.line, "no PTX: a result of a call that is no variable")


def _short(name: str, function: str, number: int) -> str:
    """A parameter's name without the function's, which compilers put before it."""
    return name.removeprefix(f"{function}_") if name != "_" else f"unnamed{number}"


def quoted(name: str) -> str:
    """A name with characters that LLVM wants in quotes."""
    return name if name.replace("$", "_").replace(".", "_").isidentifier() else f'"{name}"'


def _reinterpreted(kind: str, value: str, wanted: str) -> str:
    if kind.startswith("ptr"):
        return (
            f"ptrtoint {kind} {value} to {wanted}"
            if wanted[0] == "i"
            else (f"addrspacecast {kind} {value} to {wanted}")
        )
    if wanted.startswith("ptr"):
        return f"inttoptr {kind} {value} to {wanted}"
    return f"bitcast {kind} {value} to {wanted}"


def write_instruction(
    w: Writer, i: Instruction, handlers: Mapping[str, Handler] = HANDLERS
) -> None:
    """An instruction that stays within its function and its block, as the table has it."""
    handler = handlers.get(i.opcode)
    w.mark()
    try:
        if handler is not None:
            handler(w, i)
            return
    except (UnknownError, ValueError, IndexError, KeyError, AttributeError):
        w.undo()
    try:
        assembly(w, i)
    except UnknownError:
        raise PtxError(i.line, f"operands of {i.name[:60]} are not understood") from None
