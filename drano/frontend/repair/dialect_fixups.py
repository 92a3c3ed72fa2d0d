"""Repairs of what nvcc accepts and clang does not, by what clang has said; lines stay as they are.

``repaired`` is what a file becomes after a failed try. Columns stay, too, except behind a shared
variable, a register, an operator, a launch or a ``this->`` that had to be written longer.

nvcc reads ``kernel<< <grid, block>> >(…)`` as a launch. Here ``<< <`` becomes ``<<< `` and the
``>> >`` that closes it ``>>> ``. Comments, literals, ``operator<< <T>``, template arguments that
close no launch, and brackets that a line break splits stay. Assumption: no launch is spelled in a
macro's ``#`` or ``##`` operands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from drano.frontend.repair import asm_escapes, shared_objects
from drano.frontend.repair.functions import (
    constant_functions,
    host_functions,
    undeclared_functions,
)
from drano.frontend.repair.text_edits import Edit, edited, offset_of
from drano.frontend.text.cpp_lexer import (
    LITERALS,
    NOT_CODE,
    Kind,
    blank,
    blanked,
    closing,
    macros,
    statement_start,
)
from drano.model.report import Diagnostic

_BRACKETS = re.compile(
    rb"\boperator\s*<<[ \t]*<?|<<<|>>>|(?P<open><<(?P<open_gap>[ \t]+)<(?![<=]))"
    rb"|(?P<close>>>(?P<close_gap>[ \t]+)>(?=\s*\())"
)
_NOT_IN_LAUNCHES = LITERALS | {Kind.COMMENT}

_BETWEEN = rb"(?:\s|\b(?:static|extern|volatile)\b|\b(?:__align__|alignas)\s*\([^()]*\))+"


def plain_managed(source: bytes) -> bytes:
    """``source`` with ``__device__ __managed__`` as ``__managed__`` alone, at the same columns: for
    the host such a variable is its own. ``__managed__`` may have another name by a macro.
    """
    if b"__managed__" not in source:
        return source
    managed = (m.name for m in macros(source) if _without_comments(m.body) == b"__managed__")
    names = b"|".join([b"__managed__", *managed])
    gap = b" " * len("__device__")
    before = rb"\b__device__(" + _BETWEEN + rb"(?:" + names + rb")\b)"
    after = rb"\b((?:" + names + rb")\b" + _BETWEEN + rb")__device__\b"
    return re.sub(after, rb"\1" + gap, re.sub(before, gap + rb"\1", source))


def _without_comments(text: bytes) -> bytes:
    return blanked(text, {Kind.COMMENT}).strip()


def join_launch_brackets(source: bytes) -> bytes:
    """``source`` with split launch brackets joined; the same object when there are none.

    ``k<< <g, b>> >(x)`` becomes ``k<<< g, b>>> (x)``.
    """
    pieces: list[bytes] = []
    done = 0
    depth = 0
    for match in _BRACKETS.finditer(blanked(source, _NOT_IN_LAUNCHES)):
        if match["open"] is not None:
            depth += 1
            joined = b"<<<" + match["open_gap"]
        elif match["close"] is not None and depth > 0:
            depth -= 1
            joined = b">>>" + match["close_gap"]
        else:
            continue
        pieces += (source[done : match.start()], joined)
        done = match.end()
    return b"".join((*pieces, source[done:])) if pieces else source


# --- by clang's messages ----------------------------------------------------------------------

_BUILTIN_VARIABLE = re.compile(rb"(?:threadIdx|blockIdx|blockDim|gridDim)\b")
_BRACED = re.compile(rb"\{[^{}]*\}")
_COPIED_VARIABLE = re.compile(r"call to deleted constructor of '(?:const )?__cuda_builtin_")
_EXPECTED_EXPRESSION = "expected expression"
_EXPECTED_BRACKET = "expected ')'"
_SIZED_AT_RUN_TIME = "variable-sized object may not be initialized"
_BRACES_AMBIGUOUS = re.compile(r"use of overloaded operator '=' is ambiguous .* and 'void'\)")
_AMBIGUOUS = re.compile(r"use of overloaded operator '([%/*])' is ambiguous ")
_OPERAND = rb"\w+(?:(?:\.|->|::)\w+|\[[^][]*\])*"
_LEFT_OPERAND = re.compile(rb"(?<=[=(,{;?:&|<>])\s*(%s)\s*\Z" % _OPERAND)
_RIGHT_OPERAND = re.compile(rb"\s*(%s)(?!\s*(?:[\w.(\[<]|->|::|\+\+|--))" % _OPERAND)
_UNRESOLVED = "reference to overloaded function could not be resolved; did you mean to call it?"
_MEMBER_TEMPLATE = re.compile(rb"[^;{}]*?>::(?=[A-Za-z_]\w*\s*<)(?!template\b)")
_NO_TEMPLATE = (
    "reference to non-static member function must be called",
    "missing 'template' keyword prior to dependent template name",
)
_TEMPLATE_NAME = re.compile(r"use 'template' keyword to treat '\w+' as a dependent template name\Z")
_DEPENDENT_TEMPLATE = re.compile(rb"[A-Za-z_]\w*\s*<")
_THIS_IN_CONSTANT = "use of 'this' pointer is only allowed within the evaluation of a call"
_THIS = re.compile(rb"this\s*->(?=\s*[A-Za-z_])")
_NO_TYPENAME = "missing 'typename' prior to dependent type name"
_DEPENDENT_NAME = re.compile(rb"[A-Za-z_]\w*\s*(?:<|::)")
_NO_SUFFIX = "string literal with user-defined suffix cannot be used here"
_TEMPLATE_CALL = re.compile(rb"(?:operator\s*(?:\(\s*\)|\[\s*\])|[A-Za-z_]\w*)\s*<")
_TOO_MANY = re.compile(r"too many template arguments for class template '(?:Warp|Block)\w+'")
_COLLECTIVE = re.compile(
    rb"(?:Warp(?:Exchange|Load|MergeSort|Reduce|Scan|Store)"
    rb"|Block(?:AdjacentDifference|Discontinuity|Exchange|Histogram|Load|MergeSort|RadixRank"
    rb"|RadixSort|Reduce|RunLengthDecode|Scan|Shuffle|Store))\s*<"
)
EXTERNAL_SHARED = re.compile(r"__shared__ variable '\w+' cannot be 'extern'\Z")
_NO_STREAM = re.compile(r"no viable conversion from '.*' to 'void \*'\Z")
_EXTERN = re.compile(rb"\bextern\b")
_RESTRICTED_VALUE = "restrict requires a pointer or reference"
_DANGLING = re.compile(r"reference member '\w+' binds to a temporary object whose lifetime ")
_IGNORED_TEMPLATE = "candidate template ignored: substitution failure"
_UNMATCHED = re.compile(
    r"no function template matches function template specialization '"
    r"|candidate template ignored: target attributes do not match\Z"
)
_RESTRICT = re.compile(rb"\b__restrict(?:__)?\b")
_BEHIND_POINTER = re.compile(rb"[*&](?:\s|\b(?:const|volatile)\b)*\Z")
_IN_CUB = re.compile(rb"cub\w*\s*::\s*\Z")
_ASSIGNED = re.compile(rb"[\w.\[\]>-]+\s*\Z")
_NO_SEMICOLON = "expected ';' after expression"
_UNROLLED = re.compile(rb"^[ \t]*[A-Za-z_]\w*[ \t]+(\w+)[ \t]*\Z", re.MULTILINE)
_LOOP = re.compile(rb"\s*(?:for|while|do)\b")
_EXPANDED = "expanded from macro"
_PRAGMA = re.compile(rb"#[ \t]*pragma[ \t]+([^\r\n\"\\\\]*)(?=\r?\n|\Z)")
_BOTH_TARGETS = re.compile(rb"\b(?:__host__|__device__|\w*(?:HOST_?DEVICE|DEVICE_?HOST)\w*)\b")
_HOST_FUNCTION = re.compile(
    r"'.*' declared here\Z|candidate .*not viable: call to __host__ function"
)


def repaired(source: bytes, said: Iterable[Diagnostic]) -> bytes:
    """``source`` so that clang may take it; the same object where nothing is known to be wrong.

    ``said``: clang's errors and notes about this file.
    """
    source = join_launch_brackets(source)
    code = blanked(source, NOT_CODE)
    edits: list[Edit] = []
    for diagnostic in said:
        place = offset_of(source, diagnostic.line, diagnostic.column)
        if place is not None:
            edits += _edits_at(source, code, place, diagnostic.message)
    return edited(source, edits)


def _edits_at(source: bytes, code: bytes, place: int, message: str) -> list[Edit]:
    edit: Edit | None = None
    if message == asm_escapes.REFUSED:
        return asm_escapes.escaped(source, place)
    if _RESTRICTED_VALUE in message and message.startswith(_IGNORED_TEMPLATE):
        return _unrestricted_values(code, place)
    if _DANGLING.match(message):
        return _kept(code, place)
    undeclared = undeclared_functions.REFUSED.match(message)
    if undeclared is not None:
        return undeclared_functions.in_namespace(code, place, undeclared[1])
    if message.startswith(_RESTRICTED_VALUE):
        edit = _unrestricted_elements(code, place)
    elif _UNMATCHED.match(message):
        edit = _device_only(code, place)
    elif message == asm_escapes.NO_OPERAND:
        edit = asm_escapes.first_operand(source, place)
    elif shared_objects.REFUSED.match(message):
        edit = shared_objects.unconstructed(source, code, place)
    elif constant_functions.REFUSED.match(message):
        edit = constant_functions.ordinary(code, place)
    elif message.startswith(_THIS_IN_CONSTANT):
        edit = _static_member(code, place)
    elif message.startswith(_NO_TYPENAME):
        edit = _dependent_type(code, place)
    elif _TEMPLATE_NAME.match(message):
        named = _DEPENDENT_TEMPLATE.match(code, place)
        edit = Edit(place, place, b"template ") if named else None  # X::rebind_alloc<int>
    elif message == _NO_SUFFIX:
        edit = Edit(place, place, b" ")  # extern "C"__global__ void k()
    elif _COPIED_VARIABLE.match(message):
        edit = _copied_variable(code, place)
    elif message == _EXPECTED_EXPRESSION:
        edit = _braced_launch(code, place)
    elif message.startswith(_EXPANDED):
        edit = _pragma_of_macro(source, place)
    elif message == _NO_SEMICOLON:
        edit = _number_of_pragma(code, place)
    elif message == _EXPECTED_BRACKET:
        edit = _missing_comma(source, place)
    elif message == _SIZED_AT_RUN_TIME:
        edit = _initialiser(code, place)
    elif message == _UNRESOLVED:
        member = _MEMBER_TEMPLATE.match(code, place)
        edit = Edit(member.end(), member.end(), b"template ") if member else None
        edit = edit or _member_template_call(code, place)
    elif _TOO_MANY.match(message):
        edit = _without_architecture(code, place)
    elif message.startswith(_NO_TEMPLATE):
        edit = _member_template_call(code, place)
    elif _BRACES_AMBIGUOUS.match(message):
        edit = _typed_braces(code, place)
    elif _HOST_FUNCTION.match(message):
        edit = _host_constexpr(code, place)
    elif _NO_STREAM.match(message):
        edit = _no_stream(code, place)
    elif message == host_functions.CALLED:
        edit = _host_constexpr(code, place) or host_functions.namesake(code, place)
    elif message == host_functions.THROWN:
        edit = host_functions.unthrown(code, place)
    elif EXTERNAL_SHARED.match(message):
        word = _EXTERN.search(code, statement_start(code, place), place)
        edit = None if word is None else Edit(word.start(), word.end(), blank(word[0]))
    elif (ambiguous := _AMBIGUOUS.match(message)) is not None:
        edit = _named_operator(code, place, ambiguous[1].encode())
    return [] if edit is None else [edit]


def _kept(code: bytes, place: int) -> list[Edit]:
    """``member(Table())`` of a reference with its temporary as an argument: clang refuses what
    nvcc lets dangle.
    """
    before = code[:place].rstrip()
    end = closing(code, len(before) - 1) if before.endswith((b"(", b"{")) else None
    if end is None:
        return []
    return [Edit(place, place, b"drano_kept("), Edit(end - 1, end - 1, b")")]


def _unrestricted_values(code: bytes, place: int) -> list[Edit]:
    """The parameters of the template at ``place`` without ``__restrict__`` where no pointer is
    seen: it means nothing there, and nvcc ignores it where the type is a template's parameter.
    """
    start = code.find(b"(", place)
    end = None if start < 0 else closing(code, start)
    return [
        Edit(word.start(), word.end(), blank(word[0]))
        for word in _RESTRICT.finditer(code, start, end or start)
        if _BEHIND_POINTER.search(code, start, word.start()) is None
    ]


def _unrestricted_elements(code: bytes, place: int) -> Edit | None:
    """``const __restrict__ uint8_t a[8]`` as ``const uint8_t a[8]``: by names that stand for other
    types nvcc lets it pass.
    """
    word = _RESTRICT.match(code, place)
    return None if word is None else Edit(place, word.end(), blank(word[0]))


def _copied_variable(code: bytes, place: int) -> Edit | None:
    """``auto b = blockIdx`` as ``dim3 b = blockIdx``; ``f(blockIdx)`` as ``f(dim3(blockIdx))``."""
    variable = _BUILTIN_VARIABLE.match(code, place)
    if variable is not None:
        return Edit(place, variable.end(), b"dim3(%s)" % variable[0])
    declared = re.search(rb"\bauto(?=\s+(?:const\s+)?\Z)", code[max(0, place - 80) : place])
    if declared is None:
        return None
    start = max(0, place - 80) + declared.start()
    return Edit(start, start + len(b"auto"), b"dim3")


def _braced_launch(code: bytes, place: int) -> Edit | None:
    """``k<<<{2, 3}, 32>>>`` as ``k<<<dim3{2, 3}, 32>>>``."""
    start = code.rfind(b"<<<", 0, place)
    end = closing(code, place) if code[place : place + 1] == b"{" else None
    if end is None or start < 0 or re.search(rb"[;{}]", _BRACED.sub(b"", code[start:place])):
        return None
    return Edit(place, place, b"dim3")


def _no_stream(code: bytes, place: int) -> Edit | None:
    """``<<<g, b, 0, s>>>`` as ``<<<g, b, 0, 0>>>``: a stream of another version of a library's."""
    start = max(code.rfind(b"<<<", 0, place), statement_start(code, place))
    end = code.find(b">>>", place)
    if end < 0 or code[start : start + 3] != b"<<<" or re.search(rb"[;{}]", code[place:end]):
        return None
    return Edit(place, end, b"0" + blank(code[place + 1 : end]))


def _pragma_of_macro(source: bytes, place: int) -> Edit | None:
    """``#define UNROLL #pragma unroll`` with ``_Pragma("unroll")``, as nvcc takes it to mean."""
    pragma = _PRAGMA.match(source, place)
    if pragma is None:
        return None
    return Edit(place, pragma.end(), b'_Pragma("%s")' % pragma[1].rstrip())


def _host_constexpr(code: bytes, place: int) -> Edit | None:
    """``__host__ constexpr`` without ``__host__``: what device code may call, too."""
    before = code[statement_start(code, place) : place]
    if not re.search(rb"\bconstexpr\b", before) or b"__device__" in before:
        return None
    return _without_host(code, place)


def _device_only(code: bytes, place: int) -> Edit | None:
    """``__host__ __device__`` without ``__host__``: clang wants it of a template and of all its
    specialisations or of none, nvcc does not. ``constexpr`` says both to clang, and needs no word.
    """
    start = statement_start(code, place)
    before = code[start:place]
    if b"constexpr" in before.split():
        words = list(_BOTH_TARGETS.finditer(before))
        if not words:
            return None
        first, last = words[0].start(), words[-1].end()
        plain = _BOTH_TARGETS.sub(lambda word: blank(word[0]), before[first:last])
        return Edit(start + first, start + last, plain)
    return _without_host(code, place) if b"__device__" in before else None


def _without_host(code: bytes, place: int) -> Edit | None:
    start = statement_start(code, place)
    host = re.search(rb"\b__host__\b", code[start:place])
    if host is None:
        return None
    return Edit(start + host.start(), start + host.end(), blank(host[0]))


def _number_of_pragma(code: bytes, place: int) -> Edit | None:
    """``UNROLL 4`` before a loop, of ``#define UNROLL #pragma unroll``, without the number: the
    loop is unrolled as far as it goes.
    """
    line = code.rfind(b"\n", 0, place) + 1
    number = _UNROLLED.match(code[line:place])
    if number is None or _LOOP.match(code, place) is None:
        return None
    start, end = line + number.start(1), line + number.end(1)
    return Edit(start, end, blank(number[1]))


def _missing_comma(source: bytes, place: int) -> Edit | None:
    """``"r"(a) "l"(b)`` among the operands of an ``asm`` as ``"r"(a),"l"(b)``."""
    between = re.search(rb"\)\s+\Z", source[max(0, place - 200) : place])
    if between is None or source[place : place + 1] != b'"':
        return None
    start = max(0, place - 200) + between.start() + 1
    return Edit(start, start + 1, b"\n," if source[start : start + 1] == b"\n" else b",")


def _initialiser(code: bytes, place: int) -> Edit | None:
    """``int a[n] = {0};`` without the initialiser: a host's array that g++ takes."""
    end = code.find(b";", place)
    start = code.find(b"=", place, end)
    if min(start, end) < 0:
        return None
    return Edit(start, end, blank(code[start:end]))


def _member_template_call(code: bytes, place: int) -> Edit | None:
    """``x.sum<4>(v)`` as ``x.template sum<4>(v)``: without it clang compares where the type of
    ``x`` depends on parameters; nvcc looks the name up when it knows them.
    """
    member = _TEMPLATE_CALL.match(code, place)
    behind = code[max(0, place - 64) : place].rstrip().endswith((b".", b"->", b"::"))
    return Edit(place, place, b"template ") if member is not None and behind else None


def _static_member(code: bytes, place: int) -> Edit | None:
    """``if constexpr (this->is_map)`` of the class of ``*this``: for clang ``this`` is no constant,
    whatever member it leads to, for nvcc and g++ a static one is.
    """
    this = _THIS.match(code, place)
    own = b"std::remove_reference_t<decltype(*this)>::"
    return None if this is None else Edit(place, this.end(), own)


def _dependent_type(code: bytes, place: int) -> Edit | None:
    """``f(M::In(x))`` as ``f(typename M::In(x))``: nvcc sees what it is when it knows ``M``."""
    name = _DEPENDENT_NAME.match(code, place)
    said = re.search(rb"\btypename\s+\Z", code[max(0, place - 80) : place])
    return Edit(place, place, b"typename ") if name is not None and said is None else None


def _without_architecture(code: bytes, place: int) -> Edit | None:
    """``cub::WarpReduce<T, 32, ARCH>`` without the last argument, as CUB 3 has it."""
    name = _COLLECTIVE.match(code, place)
    if name is None or _IN_CUB.search(code, max(0, place - 64), place) is None:
        return None
    last, depth = None, 0
    for at in range(name.end(), len(code)):
        mark = code[at : at + 1]
        if mark == b"," and not depth:
            last = at
        elif mark in b"<([{":
            depth += 1
        elif mark in b">)]}":
            depth -= 1
        if depth < 0 or mark == b";":
            break
    else:
        return None
    return None if last is None or mark != b">" else Edit(last, at, blank(code[last:at]))


def _typed_braces(code: bytes, place: int) -> Edit | None:
    """``h = {…}`` as ``h = drano_value<decltype((h))>{…}``: clang finds half2's ``=`` ambiguous."""
    equals = re.compile(rb"=\s*(?=\{)").match(code, place)
    assigned = _ASSIGNED.search(code, max(0, place - 200), place)
    if equals is None or assigned is None:
        return None
    text = b" drano_value<decltype((%s))>" % assigned[0].strip()
    return Edit(place + 1, equals.end(), text)


def _named_operator(code: bytes, place: int, operator: bytes) -> Edit | None:
    """``a % b`` as ``operator%(a, b)``: nvcc and g++ take the function that a type declares where
    the language finds the built-in operator, of what the type converts to, as good.
    """
    start = max(0, place - 200)
    left = _LEFT_OPERAND.search(code[start:place])
    right = _RIGHT_OPERAND.match(code, place + 1)
    if left is None or right is None or code[place : place + 1] != operator:
        return None
    text = b"operator%s(%s, %s)" % (operator, left[1], right[1])
    return Edit(start + left.start(1), right.end(1), text)
