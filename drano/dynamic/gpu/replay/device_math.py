"""Numbers that only the GPU can tell: what the host asks it before counting launches.

Means: hardware approximates functions like ``__powf``, so the host cannot compute the GPU's
results. Where such a function of one integer, or of constants, decides what a kernel accesses
(``__powf(2, i)`` in a reduction), a kernel of our own, ``__drano_ask``, stores its values for the
integers from -256 to 256, and the slice looks them up.
Assumptions: beyond these integers an exponential keeps its last value: 0 or infinity. The run-time
library (``runtime/gpu/questions.c``) refuses others.
Limits: numbers of 32 bits, exponentials with constant bases.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from drano.dynamic.instrument.printed_instructions import LOCAL_TOKEN
from drano.ir import model as m

FURTHEST, MOST_QUESTIONS = 256, 8
_ROW = 2 * FURTHEST + 1
_CELLS = MOST_QUESTIONS * _ROW + 1
_EXPONENTIAL = re.compile(r"__nv_(?:fast_)?(?:exp|exp2|exp10|pow)f\Z")
_ANY = re.compile(r"__nv_\w+f\Z")
_THREAD = "llvm.nvvm.read.ptx.sreg.tid.x"
_LINE = re.compile(r"\s*(%\S+) = (?:tail |notail )?call [^@]*\bfloat (@__nv_\w+\(.*\))")
DECLARED = (
    "declare i32 @llvm.fptosi.sat.i32.f32(float)",
    "declare i32 @llvm.smax.i32(i32, i32)",
    "declare i32 @llvm.smin.i32(i32, i32)",
)


def is_asked(call: m.Call, definitions: Mapping[int, m.Instruction]) -> bool:
    """Whether it is a function of constants, or an exponential of an integer."""
    name = call.callee or ""
    if not isinstance(call.type, m.FloatType) or call.type.bits != 32 or not _ANY.match(name):
        return False
    given = [a for a in call.args if not isinstance(a, m.FloatConst)]
    if not given:
        return True
    if len(given) > 1 or call.args[-1] != given[0] or not _EXPONENTIAL.match(name):
        return False
    found = definitions.get(given[0].index) if isinstance(given[0], m.Local) else None
    return isinstance(found, m.Cast) and found.op in ("sitofp", "uitofp")


def question_of(line: str) -> str:
    """The call that ``line`` prints, of ``%x``."""
    found = _LINE.match(line)
    assert found is not None, line
    return "call float " + LOCAL_TOKEN.sub("%x", found[2])


def answered(line: str, number: int, row: int, answers: int) -> list[str]:
    """IR that looks up what the call on ``line`` gives, in the ``row`` of its question.

    ``answers``: how many bytes behind the variables' addresses they begin.
    """
    found = _LINE.match(line)
    assert found is not None, line
    argument = LOCAL_TOKEN.search(found[2])
    at, center = f"%drano.q{number}", answers + 4 * (row * _ROW + FURTHEST)
    place = f"{at}.row = getelementptr i8, ptr %drano.variables, i64 {center}"
    if argument is None:
        return [f"  {place}", f"  {found[1]} = load float, ptr {at}.row"]
    return [
        f"  {place}",
        f"  {at}.n = call i32 @llvm.fptosi.sat.i32.f32(float {argument[0]})",
        f"  {at}.low = call i32 @llvm.smax.i32(i32 {at}.n, i32 -{FURTHEST})",
        f"  {at}.at = call i32 @llvm.smin.i32(i32 {at}.low, i32 {FURTHEST})",
        f"  {at}.cell = getelementptr float, ptr {at}.row, i32 {at}.at",
        f"  {found[1]} = load float, ptr {at}.cell",
    ]


def asking_kernel(questions: Sequence[str], text: str) -> str:
    """IR, for the device, of the answers, in a row for each question, and of what stores them: by
    one block with a thread for each integer. Behind the rows is 1 when it has. ``text``: of the
    module.
    """
    answers = f"@drano_answers = addrspace(1) global [{_CELLS} x float] zeroinitializer"
    lines = [
        "define ptx_kernel void @__drano_ask() {",
        f"  %thread = call i32 @{_THREAD}()",
        f"  %n = sub i32 %thread, {FURTHEST}",
        "  %x = sitofp i32 %n to float",
    ]
    for row, question in enumerate(questions):
        place = f"[{_CELLS} x float], ptr addrspace(1) @drano_answers, i32 0, i32 %at{row}"
        lines += [
            f"  %y{row} = {question}",
            f"  %at{row} = add i32 %thread, {row * _ROW}",
            f"  %p{row} = getelementptr {place}",
            f"  store volatile float %y{row}, ptr addrspace(1) %p{row}",
        ]
    last = f"[{_CELLS} x float], ptr addrspace(1) @drano_answers, i32 0, i32 {_CELLS - 1}"
    lines += [
        f"  %last = getelementptr {last}",
        "  store volatile float 1.0, ptr addrspace(1) %last",
        "  ret void",
        "}",
    ]
    if f"@{_THREAD}(" not in text:
        lines.append(f"declare i32 @{_THREAD}()")
    return "\n".join([answers, *lines])


def question_count(questions: Sequence[str]) -> tuple[str, str]:
    """IR of how many there are; of its registration."""
    if not questions:
        return "", ""
    return (
        "declare void @drano_register_questions(ptr, i32)\n",
        f"  call void @drano_register_questions(ptr @drano.unit, i32 {len(questions)})\n",
    )
