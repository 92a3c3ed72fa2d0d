"""CUDA SDKs: their headers, assembled for clang, and which one a unit is compiled with."""
