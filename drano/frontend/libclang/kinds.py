"""Numbers by which libclang tells kinds of cursors and unary operators."""

from __future__ import annotations

from enum import IntEnum


class Kind(IntEnum):
    """Cursor kinds (CXCursorKind, Index.h of LLVM 22) that the host evaluator tells apart."""

    UNEXPOSED_DECL = 1
    STRUCT = 2
    UNION = 3
    CLASS = 4
    FIELD = 6
    ENUM_CONSTANT = 7
    FUNCTION = 8
    VAR = 9
    PARM = 10
    METHOD = 21
    NAMESPACE = 22
    LINKAGE_SPEC = 23
    CONSTRUCTOR = 24
    DESTRUCTOR = 25
    CONVERSION = 26
    NON_TYPE_PARAMETER = 28
    FUNCTION_TEMPLATE = 30
    CLASS_TEMPLATE = 31
    CLASS_PARTIAL = 32
    TYPE_REF = 43
    BASE = 44
    TEMPLATE_REF = 45
    NAMESPACE_REF = 46
    MEMBER_REF = 47
    OVERLOADED_REF = 49
    VARIABLE_REF = 50
    UNEXPOSED_EXPR = 100
    DECL_REF = 101
    MEMBER_REF_EXPR = 102
    CALL = 103
    INTEGER = 106
    FLOATING = 107
    STRING = 109
    CHARACTER = 110
    PAREN = 111
    UNARY = 112
    SUBSCRIPT = 113
    BINARY = 114
    COMPOUND_ASSIGN = 115
    CONDITIONAL = 116
    C_CAST = 117
    INIT_LIST = 119
    STATIC_CAST = 124
    REINTERPRET_CAST = 126
    CONST_CAST = 127
    FUNCTIONAL_CAST = 128
    BOOL = 130
    THIS = 132
    NEW = 134
    UNARY_TRAIT = 136
    LAMBDA = 144
    CASE = 203
    DEFAULT = 204
    COMPOUND = 202
    LABEL = 201
    IF = 205
    SWITCH = 206
    WHILE = 207
    DO = 208
    FOR = 209
    GOTO = 210
    INDIRECT_GOTO = 211
    CONTINUE = 212
    BREAK = 213
    RETURN = 214
    ASM = 215
    TRY = 224
    FOR_RANGE = 225
    DECL_STMT = 231
    DEVICE_ATTR = 413
    GLOBAL_ATTR = 414
    HOST_ATTR = 415
    FRIEND = 603


class Unary(IntEnum):
    """CXUnaryOperatorKind."""

    POST_INC = 1
    POST_DEC = 2
    PRE_INC = 3
    PRE_DEC = 4
    ADDRESS = 5
    DEREF = 6
    PLUS = 7
    MINUS = 8
    NOT = 9
    LNOT = 10
