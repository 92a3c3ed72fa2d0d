"""Variables in managed memory of a GPU's program: the code of both sides, and that of the host run.

CUDA's library is stood in for by one that gives each variable memory, so that the host's code runs
without a GPU. With one it is tests/dynamic/programs/managed.cu.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from drano.dynamic.compiler.cc import compile_main
from drano.dynamic.cpu.runtime_library import linker
from drano.dynamic.gpu.managed import managed_device_ir, managed_host_ir
from drano.frontend.repair.dialect_fixups import plain_managed
from drano.frontend.toolchain import find_clang
from drano.support.errors import IRError
from tests.conftest import Run

PROGRAMS = Path(__file__).parents[1] / "programs"
LIBRARY = """
#include <stdlib.h>
#include <string.h>
struct variable { void **slot; const char *name; unsigned long bytes; };
void drano_register_managed(const char *unit, const struct variable *v, unsigned count) {
  for (unsigned k = 0; k < count; k++) {
    *v[k].slot = calloc(1, v[k].bytes);
    if (strcmp(v[k].name, "seven") == 0) **(int **)v[k].slot = 7;
  }
}
void drano_register_unit(void *u) {}
void drano_register_places(void *u, void *p, int s, void *f, int n) {}
void drano_register_roots(void *u, void *r, int n) {}
void **__cudaRegisterFatBinary(void *w) { return 0; }
void __cudaRegisterFatBinaryEnd(void **h) {}
void __cudaUnregisterFatBinary(void **h) {}
int __cudaRegisterFunction(void) { return 0; }
int __cudaPopCallConfiguration(void) { return 0; }
int cudaLaunchKernel(void) { return 0; }
"""
SOURCE = """#include <cstdio>
struct box { int rows; int cells[8]; double last; };
__managed__ int seven = 7;
static __device__ __managed__ int own[4];
__managed__ box boxes[3];
extern __managed__ long other;
__global__ void k() { seven += own[1] + boxes[2].rows + (int)other; }
static int add(const int *from, int n) { return n ? *from + add(from + 1, n - 1) : 0; }
template <class T> static T &first(T *from) { return from[0]; }
static int *chosen(int n) {
  int *from = n > 1 ? boxes[0].cells + 3 : &boxes[2].rows;
  for (int i = 0; i < n; i++) from = i & 1 ? &seven : &own[3];
  return from;
}
struct early { int value; early() : value(seven + 1) {} } before;
int main() {
  for (int &cell : boxes[1].cells) cell = (int)(&cell - boxes[1].cells) + 1;
  first(own) = before.value;
  own[3] = 50;
  box copy = boxes[1];
  boxes[2].last = 2.5;
  other = reinterpret_cast<char *>(&boxes[2].last) - reinterpret_cast<char *>(boxes);
  auto later = [](int n) { return own[n] + seven; };
  printf("%d %d %d %d ", add(boxes[1].cells, 8), copy.cells[7], *chosen(1), *chosen(4));
  printf("%d %d %ld\\n", later(0), own[3] += 2, other);
}
"""


@pytest.mark.parametrize("flags", [["-O0", "-g"], ["-O2"], ["-O2", "-rdc=true"]])
def test_host_code_reaches_variables_by_pointers(flags: list[str], tmp_path: Path) -> None:
    source, other = tmp_path / "a.cu", tmp_path / "b.cu"
    source.write_text(SOURCE)
    other.write_text("__managed__ long other;\n")
    (tmp_path / "library.c").write_text(LIBRARY)
    objects = []
    for path in (source, other):
        objects.append(str(path.with_suffix(".o")))
        words = ["--device", "gpu", *flags, "-c", str(path), "-o", objects[-1]]
        if "-rdc=true" not in flags and path is source:
            path.write_text(SOURCE.replace("+ (int)other", ""))
        assert compile_main(words) == 0
    program = tmp_path / "program"
    gcc = ["--rtlib=libgcc", "--unwindlib=libgcc", "-lm"]
    command = [*linker(find_clang()), "-w", "-x", "c", tmp_path / "library.c", "-x", "none"]
    subprocess.run([*command, *objects, *gcc, "-o", program], check=True)
    done = subprocess.run([program], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "36 8 50 7 15 52 136\n"


def test_device_code_has_them_in_managed_memory(tmp_path: Path) -> None:
    program = tmp_path / "program"
    words = ["--device", "gpu", "-arch=sm_80", str(PROGRAMS / "managed.cu"), "-o", str(program)]
    assert compile_main(words) == 0
    data = program.read_bytes()
    assert b".visible .global .attribute(.managed) .align 4 .u32 limit = 3;" in data
    assert len(re.findall(rb"\.attribute\(\.managed\)", data)) == 4


def test_units_share_them(tmp_path: Path) -> None:
    program = tmp_path / "program"
    (tmp_path / "a.cu").write_text(
        "extern __managed__ int both; static __managed__ int own;\n"
        "__global__ void k() { both += own; }\nint main() { own = 1; k<<<1, 1>>>(); }\n"
    )
    (tmp_path / "b.cu").write_text(
        "__managed__ int both = 5; static __managed__ int own = 8;\n"
        "__global__ void other() { both += own; }\nint f() { return own + both; }\n"
    )
    sources = [str(tmp_path / name) for name in ("a.cu", "b.cu")]
    assert compile_main(["--device", "gpu", "-rdc=true", *sources, "-o", str(program)]) == 0
    found = re.findall(rb"\.attribute\(\.managed\) \.align 4 \.u32 (\w+)", program.read_bytes())
    assert len(found) == 3
    assert sum(name.startswith(b"_ZL3own__static__") for name in found) == 2


def test_what_cannot_be_edited_is_one_line(tmp_path: Path, drano: Run) -> None:
    (tmp_path / "a.cu").write_text(
        "__managed__ int x;\nint *p = &x;\n__global__ void k() { x = 1; }\nint main() { *p = 2; }\n"
    )
    done = drano("cc", "--device", "gpu", tmp_path / "a.cu", "-o", tmp_path / "program")
    assert done.status == 2
    assert len(done.error_lines) == 1
    assert "a static initialiser holds the address of __managed__ x" in done.error_lines[0]


def test_other_code_stays_as_it_is() -> None:
    text = '@a = global i32 0\n@b = global ptr @a, section ".data"\n'
    assert managed_device_ir(text) == text
    assert managed_host_ir(text, "a.cu", "id", "") == text
    with pytest.raises(IRError, match="__managed__ a"):
        managed_host_ir(text.replace("i32 0", 'i32 0, section ".drano.managed"'), "a.cu", "id", "")


def test_spellings_of_managed_device_variables() -> None:
    source = (
        b"#define SHARED __managed__ // memory of both\n#define CRLF __managed__ \r\n"
        b"SHARED __device__ int a; __device__ static __managed__ int b;\n"
        b"__device__ __align__(8) CRLF int c; __device__ int d; SHARED int e;\n"
    )
    plain = plain_managed(source)
    assert len(plain) == len(source)
    assert plain.split(b"\n")[2].split() == b"SHARED int a; static __managed__ int b;".split()
    assert plain.split(b"\n")[3].split() == (
        b"__align__(8) CRLF int c; __device__ int d; SHARED int e;".split()
    )
    assert plain_managed(b"__device__ int x;") == b"__device__ int x;"


def test_a_variable_that_clang_takes_for_the_devices_is_refused(tmp_path: Path, drano: Run) -> None:
    (tmp_path / "both.h").write_text("__device__ __managed__ int x;\n")
    (tmp_path / "a.cu").write_text(
        '#include "both.h"\n__global__ void k() { x = 1; }\nint main() { x = 2; }\n'
    )
    for flags in ([], ["-rdc=true"]):
        done = drano("cc", "--device", "gpu", *flags, tmp_path / "a.cu", "-o", tmp_path / "program")
        assert done.status == 2, done.stderr
        assert "give x in a header __managed__ without __device__" in done.error_lines[-1]
