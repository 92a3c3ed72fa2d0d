"""LLVM's modules as llvmlite has them, each freed with the context that it is in."""

from __future__ import annotations

import re
import weakref
from typing import Any

import llvmlite.binding as llvm

from drano.ir.target import TRIPLE
from drano.support.errors import IRError

DATA_LAYOUT = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
_PARSE_ERROR = re.compile(r"(?:<string>:)?(\d+):\d+: error: (.*)")


class LoadedModule:
    """LLVM's module in a context of its own, so that struct names of two units do not meet.

    LLVM crashes when the context goes first, as may happen when the garbage collector takes both
    at once (an exception's traceback suffices). So the finalizer alone holds and frees them.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.context = llvm.create_context()
        self.module: Any = None
        self._modules: list[Any] = []
        weakref.finalize(self, _dispose, self._modules, self.context).atexit = False

    def parse(self, text: str) -> str:
        """Load ``text``, and print what was loaded."""
        self.load(text)
        return str(self.module)

    def beside(self, text: str) -> Any:
        """Another module in the same context, which is freed with it. Raises RuntimeError."""
        other = llvm.parse_assembly(text, self.context)
        self._modules.append(other)
        return other

    def load(self, text: str, *, verified: bool = False) -> None:
        """Parse ``text``, verify it unless it is, and make it the current module."""
        if "\0" in text:
            raise IRError(self.path, "not LLVM IR: holds a NUL byte")
        try:
            module = llvm.parse_assembly(text, self.context)
            if self.module is not None:  # frees it: it is as large as the new one
                self._modules.remove(self.module)
                self.module.close()
            self.module = module
            self._modules.append(module)
            _check_target(self.module, self.path)
            if not verified:
                self.module.verify()
        except UnicodeEncodeError:
            raise IRError(self.path, "not LLVM IR: holds bytes that are not UTF-8") from None
        except RuntimeError as error:
            match = _PARSE_ERROR.search(str(error))
            reason = f"line {match[1]}: {match[2]}" if match else last_line(error)
            raise IRError(self.path, f"not valid LLVM IR: {reason}") from None


def _dispose(modules: list[Any], context: Any) -> None:
    for module in modules:
        module.close()
    context.close()


def last_line(error: RuntimeError) -> str:
    """What LLVM says last of an error."""
    lines = [line for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else "unknown error"


def _check_target(module: Any, path: str) -> None:
    if module.triple and not module.triple.startswith("nvptx64"):
        raise IRError(path, f"IR for {module.triple}, not for nvptx64")
    if not module.triple:
        module.triple = TRIPLE
    if not module.data_layout:
        module.data_layout = DATA_LAYOUT
