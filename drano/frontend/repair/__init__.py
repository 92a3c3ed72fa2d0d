"""Sources that clang refuses: what nvcc accepts is rewritten, what is wrong is taken out."""
