"""From a compiler's device IR to the IR that the analyses read: inlined, in SSA form, all named.

Means: LLVM's own passes, run through llvmlite: always-inliner, SROA (mem2reg and scalar
replacement), removal of functions that are inlined everywhere, instruction namer.
Assumptions: nvptx64 IR of llvmlite's LLVM version or older, optimised or not.
``noinline`` and ``optnone`` are requests to an optimiser, so they are dropped here.
Limits: recursive functions, and those past the budget of ``inlining.py``, remain calls.

In two steps, for who has to know what functions say before they are expanded: ``formed``, then
``expanded``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import llvmlite.binding as llvm
from msgspec import Struct, field
from msgspec.structs import replace

from drano.ir.debug_nodes import Nodes, without_unread
from drano.ir.intrinsics import is_library
from drano.ir.prepare import quarantine
from drano.ir.prepare.compiled import optimise
from drano.ir.prepare.executable import executable
from drano.ir.prepare.inline_assembly.inline_ptx import without_barriers, without_inline_ptx
from drano.ir.prepare.inlining import (
    SplitText,
    guarded_functions,
    inlinable,
    is_exported,
    part_text,
    roots,
    split_module,
)
from drano.ir.prepare.library_calls import library_bodies, without_library_bodies
from drano.ir.prepare.library_results import with_library_results
from drano.ir.prepare.linking.separate_calls import has_marks, kept_calls, open_calls
from drano.ir.prepare.loaded_module import LoadedModule, last_line
from drano.ir.prepare.scoped_atomics import with_plain_atomics
from drano.ir.prepare.source_marks import with_marks
from drano.ir.prepare.tile_accesses import with_tile_accesses
from drano.ir.prepare.widths.shared_pointers import with_shared_pointers
from drano.ir.prepare.widths.type_alignment import with_aligned_scalars, with_member_copies
from drano.ir.prepare.widths.used_words import with_used_words
from drano.ir.prepare.widths.whole_copies import with_whole_copies
from drano.ir.target import TRIPLE
from drano.model.settings import View
from drano.support.errors import IRError

CPU = "sm_90"

_ATTRIBUTE_LINE = re.compile(r"^[ \t]*attributes[ \t]+#.*$", re.MULTILINE)
_INLINE_WORD = re.compile(r'("[^"]*")|\b(?:noinline|optnone|alwaysinline)\b')
_OWN_LINKAGE = (llvm.Linkage.internal, llvm.Linkage.private)
_DROPPED = '"drano-inlining-freed"'


class PreparedModule(Struct, frozen=True):
    """``text``: the prepared module as LLVM prints it; ``split``: the same taken apart;
    ``loaded``: owner of llvmlite's module; ``roots``: the functions to read, kernels and what they
    still call; ``described``: lines whose metadata tell of all types, used or not; ``guarded``: of
    an optimised module, functions as they were that compare sizes of blocks, which the optimiser
    may have made use of.
    """

    path: str
    text: str
    split: SplitText
    loaded: LoadedModule
    roots: tuple[str, ...]
    described: tuple[str, ...] = ()
    guarded: SplitText = SplitText({}, ())

    @property
    def module(self) -> Any:
        """The ``ModuleRef`` of llvmlite; valid as long as this object lives."""
        return self.loaded.module


class FormedModule(Struct, frozen=True):
    """A module in SSA form, its functions not yet expanded into their callers. ``split``: as it was
    before, taken apart. ``view``: what ``expanded`` is to make of it; ``library``: bodies of the
    mathematics library, as a module of their own, that are to be in the result, if it is to be
    ``executed``; ``separate``: some calls are of another unit's functions (``separate_calls.py``);
    ``sizes``: lines of the functions that remain when others are expanded.
    """

    loaded: LoadedModule
    split: SplitText
    view: View = View.WRITTEN
    library: str = ""
    executed: bool = False
    separate: bool = False
    sizes: Mapping[str, int] = field(default_factory=dict)

    def printed(self) -> SplitText:
        """The module as it is now, taken apart."""
        return split_module(str(self.loaded.module))


def prepare(
    ir_text: str,
    path: str,
    *,
    trusted: bool = False,
    printed: bool = False,
    exported: bool = False,
    waits: re.Pattern[str] | None = None,
    timeout: float = quarantine.TIMEOUT,
    memory: int = quarantine.MEMORY,
    view: View = View.WRITTEN,
    executed: bool = False,
    scoped: bool = False,
) -> PreparedModule:
    """Prepare textual IR; ``path`` is what errors name. IRError if it is no IR for this target.

    ``trusted``: the text comes from the compiler itself, so it need not be prepared in another
    process (see ``quarantine.py``), which takes 0.4 s longer; ``printed``: it is besides just as
    LLVM printed it, so that it need not be verified and printed once more. ``timeout`` (seconds)
    and ``memory`` (bytes) are that process's. ``exported``: functions that other units may call
    stay; ``waits``: as ``inlinable`` has it (both only of trusted text). ``view``: COMPILED for
    code that is optimised as well; ``executed``: with all of the library's functions that it calls;
    ``scoped``: with atomics that keep their scopes, as for a GPU (only of trusted text).
    """
    if not ir_text.strip():
        raise IRError(path, "the file is empty")
    loaded = LoadedModule(path)
    if not trusted:
        return _prepared(
            loaded, loaded.parse(quarantine.prepared_text(ir_text, path, timeout, memory, view))
        )
    if printed:
        return expanded(formed(ir_text, path, exported=exported, view=view), exported=exported)
    # Text by LLVM has all function attributes in groups, and calls as it prints them; anything else
    # takes a second round.
    text = loaded.parse(_translated(_without_inline_words(ir_text), view, scoped, executed))
    if any(_has_inline_word(line) for line in _ATTRIBUTE_LINE.findall(text)):
        text = loaded.parse(_without_inline_words(text))
    translated = _translated(text, view, scoped, executed)
    compiled = executed and view is View.COMPILED
    library = library_bodies(without_barriers(translated)) if compiled else ""
    changed = _fit_for(view, translated)
    if changed is not text:
        text = loaded.parse(changed)
    module = _formed(loaded, split_module(text), exported=exported, waits=waits)
    return expanded(
        replace(module, view=view, library=library, executed=executed), exported=exported
    )


def _make_executable(module: FormedModule) -> None:
    """Make what was optimised executable: with the bodies that ``without_library_bodies`` has left
    out, and with parameters where others than NVPTX's back end look for them.
    """
    text = str(module.loaded.module)
    changed = executable(text)
    if changed is not text:
        module.loaded.load(changed)
    if not module.library:
        return
    target = module.loaded.module
    try:
        target.link_in(llvm.parse_assembly(module.library, module.loaded.context))
    except RuntimeError as error:
        raise IRError(module.loaded.path, f"its library: {last_line(error)}") from None
    for function in target.functions:
        if function.linkage is llvm.Linkage.weak_odr and not function.is_declaration:
            function.linkage = llvm.Linkage.internal


def _join(loaded: LoadedModule) -> None:
    """Expand calls between units, of code that is optimised: no request changes by it."""
    text = executable(_without_inline_words(open_calls(str(loaded.module))))
    loaded.load(text, verified=True)
    split = split_module(text)
    chosen = inlinable(split).chosen
    for function in loaded.module.functions:
        if function.is_declaration or split.functions[function.name].is_kernel:
            continue
        function.linkage = llvm.Linkage.internal
        if function.name in chosen:
            function.add_function_attribute("alwaysinline")
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.run(loaded.module, _pass_builder())


def _translated(text: str, view: View, scoped: bool = False, executed: bool = False) -> str:
    """With instructions of LLVM's for what clang writes otherwise."""
    optimised = view is View.COMPILED
    known = without_inline_ptx(text, executed=executed, scoped=scoped, optimised=optimised)
    if not executed and not scoped:
        known = with_tile_accesses(known)
    translated = with_library_results(known)
    return translated if scoped else with_plain_atomics(translated, executed=executed)


def _fit_for(view: View, text: str) -> str:
    if view is View.WRITTEN:
        return text
    return without_library_bodies(with_member_copies(with_aligned_scalars(text)))


def formed(
    ir_text: str,
    path: str,
    *,
    exported: bool = False,
    view: View = View.WRITTEN,
    parted: bool = False,
) -> FormedModule:
    """The first half of ``prepare``, of a text just as the compiler printed it. ``parted``: some of
    its kernels will be expanded at a time (``inlinable``).
    """
    loaded = LoadedModule(path)
    cleared = without_unread(_without_inline_words(ir_text))
    if view is View.COMPILED:
        cleared = kept_calls(cleared)
    text = _fit_for(view, _translated(cleared, view))
    loaded.load(text, verified=text is cleared)
    module = _formed(loaded, split_module(text), exported=exported, parted=parted)
    return replace(module, view=view)


def simplified(text: str, path: str, *, exported: bool = False) -> PreparedModule:
    """A module that ``prepare`` made and a pass has edited, as text: with its scalar code and its
    control flow simplified. Calls that are ``convergent nomerge`` stay as they are and where they
    are among the accesses of memory.
    """
    loaded = LoadedModule(path)
    loaded.parse(text)
    passes = llvm.create_new_module_pass_manager()
    passes.add_simplify_cfg_pass()
    passes.add_sroa_pass()
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    passes.add_instruction_combine_pass()
    passes.add_aggressive_dce_pass()
    passes.add_instruction_namer_pass()
    passes.run(loaded.module, _pass_builder())
    return _prepared(loaded, str(loaded.module), exported=exported)


def without_unused(module: Any) -> None:
    """Drop what nothing that other units see reaches, from llvmlite's ``module``."""
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, _pass_builder())


def _has_inline_word(line: str) -> bool:
    return any(not match[1] for match in _INLINE_WORD.finditer(line))


def _without_inline_words(text: str) -> str:
    def line(match: re.Match[str]) -> str:
        if not _has_inline_word(match[0]):
            return match[0]
        cleared = _INLINE_WORD.sub(lambda word: word[1] or "", match[0])
        return cleared.replace("{", f"{{ {_DROPPED} ", 1)  # a group must not be empty

    return _ATTRIBUTE_LINE.sub(line, text)


@cache
def _pass_builder() -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(cpu=CPU)
    return llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=0))


def _formed(
    loaded: LoadedModule,
    split: SplitText,
    *,
    exported: bool,
    waits: re.Pattern[str] | None = None,
    parted: bool = False,
) -> FormedModule:
    module = loaded.module
    expansion = inlinable(split, exported=exported, waits=waits, parted=parted)
    separate = any(map(has_marks, split.rest))
    for function in module.functions:
        name = function.name
        if function.is_declaration or split.functions[name].is_kernel:
            continue
        stays = exported and is_exported(split.functions[name])
        stays |= separate and function.linkage is llvm.Linkage.weak_any
        if not is_library(name) and not stays:
            # Nobody else will call them, so they may go once they are inlined.
            function.linkage = llvm.Linkage.internal
        if name in expansion.chosen:
            function.add_function_attribute("alwaysinline")
    passes = llvm.create_new_module_pass_manager()
    # Bodies in SSA form are a third of the size, so they are cheaper to inline.
    passes.add_global_dead_code_eliminate_pass()
    passes.add_sroa_pass()
    passes.run(module, _pass_builder())
    return FormedModule(loaded, split, separate=separate, sizes=expansion.sizes)


def expanded(
    module: FormedModule, kernels: Collection[str] | None = None, *, exported: bool = False
) -> PreparedModule:
    """The second half of ``prepare``; the module is no good for anything else then.

    ``kernels``: those that are wanted, and no others; what is said of types is still of all.
    """
    loaded = module.loaded
    if kernels is not None:
        for function in loaded.module.functions:
            name = function.name
            known = None if function.is_declaration else module.split.functions.get(name)
            if known is not None and known.is_kernel and name not in kernels:
                function.linkage = llvm.Linkage.internal  # nothing calls it, so it goes
        for variable in loaded.module.global_variables:
            # Kernels that go may write it: what is left must not be taken for all that does.
            if variable.linkage in _OWN_LINKAGE and "addrspace(3)" not in str(variable.type):
                variable.linkage = llvm.Linkage.external
    passes = llvm.create_new_module_pass_manager()
    if kernels is not None:
        passes.add_global_dead_code_eliminate_pass()
    passes.add_always_inliner_pass()
    passes.add_global_dead_code_eliminate_pass()
    passes.add_sroa_pass()
    guarded = SplitText({}, ())
    if module.view is View.COMPILED:
        passes.run(loaded.module, _pass_builder())
        text = with_shared_pointers(with_whole_copies(str(loaded.module)))
        guarded = guarded_functions(text)
        loaded.load(with_marks(text), verified=True)
        optimise(loaded.module, CPU, executed=module.executed)
        if ' "", ""() ' in text:
            loaded.load(without_barriers(str(loaded.module)), verified=True)
        if module.separate:
            _join(loaded)
        if module.executed:
            _make_executable(module)
        passes = llvm.create_new_module_pass_manager()
        passes.add_global_dead_code_eliminate_pass()
        passes.add_simplify_cfg_pass()  # branches that the back end has decided
    passes.add_instruction_namer_pass()
    passes.run(loaded.module, _pass_builder())
    text = str(loaded.module)
    if module.view is View.COMPILED:
        narrow = with_used_words(text, executed=module.executed)
        if narrow is not text:
            loaded.load(narrow)
            text = narrow
    prepared = _prepared(loaded, text, exported=exported)
    return replace(prepared, described=module.split.rest, guarded=guarded)


def parts(module: FormedModule, groups: Iterable[Collection[str]]) -> Iterator[PreparedModule]:
    """``expanded`` for some kernels after the other, as much memory as the largest part takes."""
    whole = module.printed()
    nodes = Nodes(whole.rest)
    for kernels in groups:
        loaded = LoadedModule(module.loaded.path)
        loaded.load(part_text(whole, kernels, nodes), verified=True)
        yield expanded(replace(module, loaded=loaded), frozenset(kernels))


def _prepared(loaded: LoadedModule, text: str, *, exported: bool = False) -> PreparedModule:
    split = split_module(text)
    return PreparedModule(loaded.path, text, split, loaded, roots(split, exported=exported))
