"""Kernel templates that nobody instantiates, and instances that the user asks for.

A template is no code: without an instance there is nothing to analyse. Instances are made by text
behind the source, which takes the kernel's address; lines and columns stay as they are. The user
names them (``NAME<ARGUMENTS>``); where a template of the unit's own file has none, ``float`` is
tried for its type parameters, ``int`` for those named as an index or size, if all others have
defaults. What does not compile then is dropped.

The names come from configuration files, too, which are not trusted: ``is_template_id`` allows what
can only be the name of a type, constant or template.
Limits: templates are found in the text, not preprocessed: those that macros make are not seen; nor
are members of class templates. Headers are searched for templates that the user names, no others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from drano.frontend.text.cpp_lexer import NOT_CODE, WORDS, blanked, tokens
from drano.model.finding import Severity
from drano.model.report import Diagnostic
from drano.model.settings import CompileOptions
from drano.model.system_headers import is_system_header
from drano.model.translation_unit import CompiledUnit
from drano.support.errors import IRError
from drano.support.input_files import InputKind, read_input

MAX_NAME = 1000
_MAX_INSTANCES = 64
_MAX_HEADERS = 2000
_NAME = re.compile(r"(?:::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*")
_ARGUMENT = re.compile(
    r" *(?:[A-Za-z_]\w*|\d\w*|::|[<>,*&+-]|'(?:[^'\\\n\r]|\\[^\n\r])') *", re.ASCII
)
_LIBRARIES = ("_ZN3cub", "_ZN6thrust")
_KERNEL = re.compile(r'^define [^@\n]*\bptx_kernel\b[^@\n]*@"?([\w.$]+)', re.MULTILINE)
_WITH_ARGUMENTS = frozenset(
    {
        "__launch_bounds__",
        "__attribute__",
        "__maxnreg__",
        "__cluster_dims__",
        "__block_size__",
        "alignas",
    }
)
_OF_INTEGERS = re.compile(r"(?i:index|idx|offset|size)|Int(?![a-z])|(?:\b|_)int(?:\b|_|\d)")
"""In names of type parameters that are integers."""
_CLOSING = {"(": ")", "[": "]", "{": "}"}

Compile = Callable[[str | bytes], CompiledUnit]


class KernelTemplate(Struct, frozen=True):
    """``name``: qualified; ``guess``: arguments that drano tries by itself, "" for none;
    ``example``: arguments that the user is shown.
    """

    name: str
    line: int
    guess: str
    example: str

    @property
    def last(self) -> str:
        """The name without its namespaces."""
        return self.name.rpartition("::")[2]

    def has_instance(self, symbols: Sequence[str]) -> bool:
        """Whether any of the mangled names is an instance's."""
        return any(f"{len(self.last)}{self.last}I" in symbol for symbol in symbols)


def is_template_id(text: str) -> bool:
    """Whether ``text`` can only be a name with template arguments.

    >>> is_template_id("ns::k<float, 4>"), is_template_id("k<f()>"), is_template_id("k")
    (True, False, False)
    """
    name = _NAME.match(text)
    if name is None or len(text) > MAX_NAME or not text.isascii():
        return False
    rest, depth, at = text[name.end() :].strip(" "), 0, 0
    if not rest.startswith("<"):
        return False
    while at < len(rest):
        token = _ARGUMENT.match(rest, at)
        if token is None:
            return False
        depth += {"<": 1, ">": -1}.get(token[0].strip(" "), 0)
        at = token.end()
        if depth <= 0 and at < len(rest):
            return False
    return depth == 0


def base_name(instance: str) -> str:
    """``k`` of ``ns::k<float>``."""
    return instance.partition("<")[0].strip().rpartition("::")[2]


def kernel_symbols(ir: str) -> list[str]:
    """The mangled names of the kernels in textual IR."""
    return _KERNEL.findall(ir)


def own_kernel_symbols(ir: str) -> list[str]:
    """Those of ``kernel_symbols`` that are not of CUB and Thrust: including a header makes some."""
    return [name for name in kernel_symbols(ir) if not name.startswith(_LIBRARIES)]


def with_instances(
    unit: CompiledUnit, options: CompileOptions, source: str | bytes | None, compile_text: Compile
) -> CompiledUnit:
    """``unit``, or the same with the instances that it should have besides, and notes on templates
    without any. ``source``: its text where it is not the file's; ``compile_text``: compiles another
    text in its place. Raises IRError as ``compile_text`` does.
    """
    if unit.ir is None:
        return unit
    text = text_of(unit.path) if source is None else _decoded(source)
    own = kernel_templates(text)
    asked = _asked(unit, options.instantiate, own)
    symbols = kernel_symbols(unit.ir)
    named = {base_name(instance) for instance in asked}
    named |= {base_name(lost.kernel) for lost in unit.not_analysed}
    bare = [t for t in own if t.last not in named and not t.has_instance(symbols)]
    tried = [t for t in bare if t.guess][:_MAX_INSTANCES]
    found = unit
    if asked:
        found = compile_text(_appended(text, asked))
        refused = _refusals(found, text, asked)
        if found.ir is None or refused:
            errors = refused or found.diagnostics
            return replace(found, ir=None, diagnostics=errors, not_analysed=())
    guesses = [f"{t.name}<{t.guess}>" for t in tried]
    if guesses:
        more = compile_text(_appended(text, [*asked, *guesses]))
        found, tried = (found, []) if _is_worse(more, found) else (more, tried)
    made = kernel_symbols(found.ir or "")
    notes = tuple(_note(unit.path, template, made, tried) for template in bare)
    return replace(found, diagnostics=found.diagnostics + notes)


def _asked(
    unit: CompiledUnit, instances: Sequence[str], own: Sequence[KernelTemplate]
) -> list[str]:
    """Instances of templates that the unit has, in its own file or in a header."""
    wanted = [instance for instance in dict.fromkeys(instances) if is_template_id(instance)]
    known = {template.last for template in own}
    missing = {base_name(instance) for instance in wanted} - known
    for path in unit.dependencies[:_MAX_HEADERS]:
        if not missing:
            break
        if path != unit.path and not is_system_header(path):
            known |= {template.last for template in kernel_templates(text_of(path))}
            missing -= known
    return [instance for instance in wanted if base_name(instance) in known][:_MAX_INSTANCES]


def _appended(text: str, instances: Sequence[str]) -> bytes:
    lines = [f"static auto drano_instance_{n} = &{name};" for n, name in enumerate(instances)]
    return "\n".join([text, "", *lines, ""]).encode("utf-8", "surrogateescape")


def _refusals(unit: CompiledUnit, text: str, asked: Sequence[str]) -> tuple[Diagnostic, ...]:
    """Errors behind the source, which are about what the user has asked for."""
    first = text.count("\n") + 3
    errors = (*unit.diagnostics, *unit.host_errors, *(lost.cause for lost in unit.not_analysed))
    return tuple(
        Diagnostic(
            unit.path, 0, 0, error.severity,
            f"'{asked[error.line - first]}' cannot be instantiated: {error.message}",
        )
        for error in dict.fromkeys(errors)
        if error.path == unit.path and 0 <= error.line - first < len(asked)
    )  # fmt: skip


def _is_worse(one: CompiledUnit, other: CompiledUnit) -> bool:
    """Whether less of ``one`` compiles."""
    lost = len(one.not_analysed) > len(other.not_analysed)
    return one.ir is None or lost or len(one.host_errors) > len(other.host_errors)


def _note(
    path: str, template: KernelTemplate, made: Sequence[str], tried: Sequence[KernelTemplate]
) -> Diagnostic:
    how = f"--instantiate '{template.name}<{template.example}>'"
    if template in tried and template.has_instance(made):
        said = f"analysed as {template.last}<{template.guess}> ({how} for others)"
    else:
        said = f"not analysed; {how} does"
    text = f"kernel template {template.name} is not instantiated here: {said}"
    return Diagnostic(path, template.line, 0, Severity.NOTE, text)


def text_of(path: str) -> str:
    """A source's text; "" where it cannot be read."""
    try:
        return _decoded(read_input(path, InputKind.CUDA))
    except IRError:
        return ""


def _decoded(source: str | bytes) -> str:
    return source if isinstance(source, str) else source.decode("utf-8", "surrogateescape")


# --- templates in a text -----------------------------------------------------------------------


def kernel_templates(text: str) -> list[KernelTemplate]:
    """Kernel templates at namespace level that are defined in ``text``, each name once.

    >>> kernel_templates("namespace n { template <class T, int N = 4> __global__ void k(T* a) {} }")
    [KernelTemplate(name='n::k', line=1, guess='float', example='float')]
    """
    if "__global__" not in text or "template" not in text:
        return []
    code = blanked(text.encode("utf-8", "surrogateescape"), NOT_CODE)
    words = [(token.text.decode("latin-1"), token.start) for token in tokens(code, WORDS)]
    found = dict[str, KernelTemplate]()
    for template in _Scan(words, code):
        found.setdefault(template.name, template)
    return list(found.values())


class _Scan(Struct):
    """Reads declarations one after the other; ``at``: the next token."""

    tokens: list[tuple[str, int]]
    code: bytes
    at: int = 0

    def __iter__(self) -> Iterator[KernelTemplate]:
        scopes: list[str] = []
        while self.at < len(self.tokens):
            word = self.tokens[self.at][0]
            if word == "}":
                scopes[-1:] = []
                self.at += 1
            elif word == "namespace":
                scopes += self._namespace()
            elif word == "extern" and self._word(1) == "{":  # of `extern "C++" {`
                scopes.append("")
                self.at += 2
            elif word == "template" and self._word(1) == "<":
                template = self._template("::".join(filter(None, scopes)))
                if template is not None:
                    yield template
            elif word in _CLOSING:
                self.at = self._behind(self.at)
            else:
                self.at += 1

    def _word(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.tokens[place][0] if place < len(self.tokens) else ""

    def _namespace(self) -> list[str]:
        """The scope that begins here; behind its brace."""
        end = self.at + 1
        while end < len(self.tokens) and self.tokens[end][0] not in "{;=":
            end += 1
        words = [token for token, _ in self.tokens[self.at + 1 : end]]
        opened = end < len(self.tokens) and self.tokens[end][0] == "{"
        self.at = end + 1
        return ["".join(w for w in words if w != "inline")] if opened else []

    def _template(self, scope: str) -> KernelTemplate | None:
        """The kernel template that is defined here, if it is one; behind the declaration."""
        start = self.tokens[self.at][1]
        first = self.at + 2
        self.at = self._behind_angle(self.at + 1)
        parameters = self.tokens[first : self.at - 1]
        words: list[str] = []
        while self.at < len(self.tokens) and self._word() not in {"{", ";", "="}:
            word = self._word()
            words.append(word)
            self.at = self._behind(self.at) if word in _CLOSING else self.at + 1
        defined = self._word() == "{"
        self.at = self._behind(self.at) if defined else self.at + 1
        name = _function_name(words) if "__global__" in words and defined else ""
        if not name:
            return None
        guess, example = _arguments([token for token, _ in parameters])
        full = f"{scope}::{name}" if scope else name
        return KernelTemplate(full, self.code.count(b"\n", 0, start) + 1, guess, example)

    def _behind(self, at: int) -> int:
        """The token behind the bracket that closes the one at ``at``."""
        waiting = [_CLOSING[self.tokens[at][0]]]
        while waiting and at + 1 < len(self.tokens):
            at += 1
            token = self.tokens[at][0]
            if token in _CLOSING:
                waiting.append(_CLOSING[token])
            elif token == waiting[-1]:
                waiting.pop()
        return at + 1

    def _behind_angle(self, at: int) -> int:
        depth = 0
        while at < len(self.tokens):
            token = self.tokens[at][0]
            if token in _CLOSING:
                at = self._behind(at)
                continue
            depth += {"<": 1, ">": -1}.get(token, 0)
            at += 1
            if depth == 0 or token in ";}":
                break
        return at


def _function_name(words: Sequence[str]) -> str:
    """The name before the parameters; ``words`` have an opening bracket for each pair."""
    for number, word in enumerate(words):
        before = words[number - 1] if number else ""
        if word == "(" and before.isidentifier() and before not in _WITH_ARGUMENTS:
            return before
    return ""


def _arguments(parameters: Sequence[str]) -> tuple[str, str]:
    """Arguments to try, "" where they cannot be guessed, and arguments to show."""
    shown: list[str] = []
    guessed = True
    split = list(_split(parameters))
    for number, words in enumerate(split):
        if shown and all("=" in each for each in split[number:]):
            break
        kind = next(iter(words), "")
        if kind in {"typename", "class"}:
            shown.append("int" if any(map(_OF_INTEGERS.search, words[1:2])) else "float")
            guessed = guessed and "." not in words
        else:
            shown.append("true" if kind == "bool" else "4")
            guessed = guessed and "=" in words
    return (", ".join(shown) if guessed else ""), ", ".join(shown)


def _split(parameters: Sequence[str]) -> Iterator[list[str]]:
    words: list[str] = []
    depth = 0
    for word in parameters:
        depth += {"<": 1, "(": 1, ">": -1, ")": -1}.get(word, 0)
        if word == "," and depth == 0:
            yield words
            words = []
        else:
            words.append(word)
    if words:
        yield words
