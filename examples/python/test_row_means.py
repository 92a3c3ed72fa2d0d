"""The access pattern of ``row_means``, as a test that needs no GPU."""

from row_means import row_means


def test_row_means_is_coalesced(assert_coalesced):
    assert_coalesced(
        row_means,
        signature={"x": "*fp32", "out": "*fp32", "stride": "i32:16", "n": "i32:16"},
        constexprs={"ROWS": 128, "BLOCK": 32},
        num_warps=4,
    )
