"""A program of JAX: kernels of Pallas, and operations that XLA fuses. Needs JAX."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import triton as plgpu


def third_of_each_row(x_ref, o_ref):
    rows = pl.program_id(0) * 128 + jnp.arange(128)
    o_ref[rows] = x_ref[rows, 3]


def doubled(x_ref, o_ref):
    o_ref[...] = x_ref[...] * 2


def cases(x, *, interpret=False):
    third = pl.pallas_call(
        third_of_each_row,
        out_shape=jax.ShapeDtypeStruct((x.shape[0],), x.dtype),
        grid=(x.shape[0] // 128,),
        compiler_params=plgpu.CompilerParams(num_warps=4),
        interpret=interpret,
    )
    twice = pl.pallas_call(
        doubled,
        out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype),
        grid=(x.shape[0] // 64,),
        in_specs=[pl.BlockSpec((64, 32), lambda i: (i, 0))],
        out_specs=pl.BlockSpec((64, 32), lambda i: (i, 0)),
        compiler_params=plgpu.CompilerParams(),
        interpret=interpret,
    )
    first = x[:, 0] + 1
    return third(x), twice(x), first


if __name__ == "__main__":
    print(jax.jit(lambda x: cases(x, interpret=True))(jnp.ones((4096, 32)))[0])
