"""Functions that nvcc takes and clang refuses: where they are declared, who may call them."""
