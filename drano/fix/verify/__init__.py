"""Both versions of a program, before and after fixes, built, run on the CPU, and compared."""
