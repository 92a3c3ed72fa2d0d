"""The GPU back end: instrumented device code as PTX, and a run-time library beside CUDA's own."""
