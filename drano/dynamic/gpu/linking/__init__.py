"""Device code of several units: kept in host objects, gathered, linked, and made known to CUDA."""
