"""Code that was compiled before: IR, PTX, and what Triton leaves of its kernels."""
