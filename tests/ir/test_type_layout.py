"""Sizes against LLVM's own."""

from __future__ import annotations

import llvmlite.binding as llvm
from hypothesis import given
from hypothesis import strategies as st

from drano.ir.llvm_text import Tokens, TypeTable, tokenize
from drano.ir.model import StructType
from drano.ir.prepare.loaded_module import DATA_LAYOUT
from drano.ir.type_layout import alignment, alloc_size

SCALARS = ["i1", "i8", "i16", "i24", "i32", "i64", "i128", "half", "float", "double", "ptr"]
vectors = st.builds("<{} x {}>".format, st.integers(1, 9), st.sampled_from(SCALARS))
types = st.recursive(
    st.sampled_from(SCALARS) | vectors,
    lambda inner: (
        st.builds("[{} x {}]".format, st.integers(0, 5), inner)
        | st.lists(inner, max_size=4).map(lambda parts: f"{{ {', '.join(parts)} }}")
        | st.lists(inner, max_size=4).map(lambda parts: f"<{{ {', '.join(parts)} }}>")
    ),
    max_leaves=8,
)


@given(types)
def test_sizes_are_those_of_llvm(text):
    context = llvm.create_context()
    module = llvm.parse_assembly(f"@g = external global {text}", context)
    expected = module.get_global_variable("g").global_value_type
    target = llvm.create_target_data(DATA_LAYOUT)
    found = Tokens(TypeTable([]), tokenize(text)).type()
    assert alloc_size(found) == target.get_abi_size(expected)
    assert alignment(found) == target.get_abi_alignment(expected)
    if isinstance(found, StructType):
        offsets = [target.get_element_offset(expected, k) for k in range(len(found.elements))]
        assert list(found.offsets) == offsets
