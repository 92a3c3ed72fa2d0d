"""x"""
from __future__ import annotations
from drano.config import CompileOptions
def with_compile_commands(path: str, options: CompileOptions) -> CompileOptions:
    return options
