"""What `drano capture` finds of a JAX program on a machine with a GPU, kept for tests.

    JAX_SKIP_CUDA_CONSTRAINTS_CHECK=1 python -m tests.python.record_jax

Needs JAX with its plugin for CUDA, and `ptxas` on PATH, but no GPU: JAX compiles for one that is
described. Writes ``tests/data/jax``: Triton's IR of ``jax_cases.py``, and of XLA's dumps what
drano reads, with the place of the source taken out.
"""

from __future__ import annotations

import os
import re
import runpy
import shutil
import sys
import tempfile
from pathlib import Path

from drano.python.jax_hooks import DUMPS

CASES = Path(__file__).with_name("jax_cases.py")
RECORDED = Path(__file__).parents[1] / "data" / "jax"
H100 = """
gpu_device_info {
  threads_per_block_limit: 1024 threads_per_warp: 32 shared_memory_per_block: 49152
  shared_memory_per_core: 233472 threads_per_core_limit: 2048 core_count: 132 fpus_per_core: 128
  block_dim_limit_x: 2147483647 block_dim_limit_y: 65535 block_dim_limit_z: 65535
  memory_bandwidth: 3352320000000 l2_cache_size: 52428800 clock_rate_ghz: 1.98
  device_memory_size: 84978434048 shared_memory_per_block_optin: 232448
  cuda_compute_capability { major: 9 minor: 0 }
  registers_per_core_limit: 65536 registers_per_block_limit: 65536
}
platform_name: "CUDA"
dnn_version_info { major: 9 minor: 10 patch: 0 }
device_description_str: "NVIDIA H100"
"""
KEPT = re.compile(r"\.ptx$|gpu_after_optimizations\.txt$|\.thunk_sequence\.txt$")


def compile_cases() -> None:
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax.experimental import topologies
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    cases = runpy.run_path(str(CASES))["cases"]
    topology = topologies.get_topology_desc("", "cuda", target_config=H100, topology="1x1x1")
    here = NamedSharding(Mesh(np.array(topology.devices), ("x",)), PartitionSpec())
    x = jax.ShapeDtypeStruct((4096, 32), jnp.float32, sharding=here)
    jax.jit(cases).lower(x).compile()


def main() -> None:
    from drano.python import recorder

    shutil.rmtree(RECORDED, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ[recorder.DIRECTORY] = folder
        recorder.install()
        compile_cases()
        for path in sorted(Path(folder).glob("**/*")):
            beside = path.parent != Path(folder)
            if path.is_dir() or (beside and not KEPT.search(path.name)) or not path.stat().st_size:
                continue
            text = path.read_text(encoding="utf-8").replace(str(CASES.parent), "/w")
            text = re.sub(r'ir = "ML[^\n]*?", name = ', 'ir = "", name = ', text)
            text = text.replace(sys.executable, "python3")
            target = RECORDED / (f"{DUMPS}/1" if beside else ".") / path.name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
