"""From a source file to device IR: clang, its flags and headers, and what nvcc takes besides.

Import from its modules; nothing is loaded here. Of data it has ``prelude/`` (what every unit
includes), ``stubs/`` (stand-ins for missing headers) and ``libc/`` (the C library's headers).
"""
