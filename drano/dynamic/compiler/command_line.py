"""A compiler's command line as ``drano cc`` must obey it: nvcc's, gcc's or clang's.

``frontend.commands.nvcc_options`` keeps only what parsing needs; here everything that the host
compiler or the linker understands is kept. Flags that only concern GPU code generation have no
meaning here and are dropped. The command line is the user's own, so its flags are trusted.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from drano.frontend.commands.nvcc_options import words_of
from drano.support.errors import IRError

_MAX_DEPTH = 4
MOST_SAMPLE = 65536
_PTXAS_LEVEL = re.compile(r"-O([0-3])")
_PART = re.compile(r"1/([1-9]\d{0,5})")
_CUDA = frozenset({".cu"})
_C_LIKE = frozenset({".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".i", ".ii", ".s", ".S"})
_LIBRARIES = re.compile(r"-l(cudart(_static)?|cudadevrt|cuda|culibos|rt)\Z")

_DROPPED_TEXT = """
    -Xnvlink --nvlink-options -Xcudafe -Xfatbin --fatbin-options
    -Xarch_device -Xcuda-ptxas -Xcuda-fatbinary -code --gpu-code -maxrregcount --maxrregcount
    -cudart --cudart -cudadevrt --cudadevrt -ftz --ftz -prec-div --prec-div -prec-sqrt --prec-sqrt
    -fmad --fmad --threads -ccbin --compiler-bindir -keep-dir --keep-dir
    -diag-suppress --diag-suppress -diag-error --diag-error -diag-warn --diag-warn -target-dir
    --target-directory -default-stream --default-stream -split-compile --split-compile --machine
    -ldir --libdevice-directory -nvvmdir -idp --input-drive-prefix -ddp --dependency-drive-prefix
    -dp --drive-prefix --relocatable-device-code-unused -lto --cuda-path -Xarchive --archive-options
"""
_DROPPED = frozenset(_DROPPED_TEXT.split())
_DROPPED_ALONE_TEXT = """
    -G --device-debug -use_fast_math --use_fast_math
    --extended-lambda -extended-lambda --expt-extended-lambda -expt-extended-lambda
    --expt-relaxed-constexpr -expt-relaxed-constexpr -restrict --restrict -keep --keep
    --source-in-ptx -src-in-ptx -res-usage --resource-usage -forward-unknown-to-host-compiler
    --forward-unknown-to-host-compiler -forward-unknown-to-host-linker -dlto -clean --clean
    --forward-unknown-to-host-linker -noprof --no-device-link -nodlink -disable-warnings
    --disable-warnings -arch=native -extra-device-vectorization -m64 --m64
    -Wno-deprecated-gpu-targets
    -Wext-lambda-captures-this -use-local-env --use-local-env -no-align-double
    -Wdefault-stream-launch -forward-slash-prefix-opts -allow-unsupported-compiler
    --allow-unsupported-compiler
"""
_DROPPED_ALONE = frozenset(_DROPPED_ALONE_TEXT.split())
# Spellings of what parsing needs; `ir.nvcc` understands them, the host compiler gets clang's own.
_PARSED_TEXT = """
    -I --include-path -isystem --system-include -iquote -idirafter -include --include --pre-include
    -imacros -D --define-macro -U --undefine-macro -std --std -arch --gpu-architecture -gencode
    --generate-code --cuda-gpu-arch --offload-arch -isysroot --sysroot
"""
_PARSED = frozenset(_PARSED_TEXT.split())
_JOINED = ("-isystem", "-iquote", "-idirafter", "-I", "-D", "-U")
_DEVICE_ONLY = frozenset(
    {
        "-arch",
        "--gpu-architecture",
        "-gencode",
        "--generate-code",
        "--cuda-gpu-arch",
        "--offload-arch",
    }
)
_PLAIN_FORM = {
    "--include-path": "-I", "--system-include": "-isystem", "--include": "-include",
    "--pre-include": "-include", "--define-macro": "-D", "--undefine-macro": "-U", "--std": "-std",
}  # fmt: skip
_MODES = {
    "-c": "object", "--compile": "object", "-dc": "relocatable", "--device-c": "relocatable",
    "-dw": "object", "--device-w": "object", "-E": "preprocess", "--preprocess": "preprocess",
    "-dlink": "device link", "--device-link": "device link", "-lib": "archive", "--lib": "archive",
}  # fmt: skip
_NOT_HERE = frozenset(
    {"-ptx", "--ptx", "-cubin", "--cubin", "-fatbin", "--fatbin", "-cuda", "--cuda", "-optix-ir"}
)
_LINKED_TOO = (
    "-fopenmp", "-pthread", "-fsanitize", "-stdlib", "-static", "-m32", "-fuse-ld", "-pie",
    "-no-pie", "-flto", "--coverage", "-fprofile", "-rdynamic", "-nostdlib", "-B",
)  # fmt: skip


class Mode(StrEnum):
    """What the command is to make."""

    LINK = "link"
    OBJECT = "object"
    PREPROCESS = "preprocess"
    DEVICE_LINK = "device link"
    ARCHIVE = "archive"


class Language(StrEnum):
    """How an input is treated."""

    CUDA = "cuda"
    HOST = "host"
    PTX = "ptx"
    LINKER = "linker"


class Input(Struct, frozen=True):
    """One input file; ``name``: as given."""

    name: str
    language: Language


class Command(Struct, frozen=True):
    """``parsed``: arguments for ``frontend.commands.nvcc_options.translate_nvcc_args``; ``host``:
    for the host compiler, without includes and macros; ``preprocessor``: includes and macros in
    clang's spelling; ``sample``: N to count one of N blocks, 0: all (only a GPU's program);
    ``link``: inputs and flags of the linker in their order; ``dependencies``: ``-MD`` and its like;
    ``root``: say where the directory is that looks like an SDK; ``prune``: let what is proved of an
    access stand for measuring it; ``device``: where kernels will run, ``cpu`` or ``gpu``;
    ``counted``: whether accesses are counted (only a GPU's program can do without); ``lines``: keep
    line numbers in GPU code; ``written``: leave its accesses as the source has them; ``histogram``:
    count requests by their lines; ``operations``: count what is executed; ``cuda_path``: an SDK to
    use in place of the pip packages; ``contracted``: a product and a sum may become one operation
    that rounds once, as the code generator likes (only a program for the CPU can do without);
    ``level``: how hard kernels' code for the CPU is optimised, which is ptxas's to do for a GPU.
    """

    mode: Mode = Mode.LINK
    inputs: tuple[Input, ...] = ()
    output: str | None = None
    relocatable: bool = False
    verbose: bool = False
    dry_run: bool = False
    version: bool = False
    root: bool = False
    prune: bool = True
    device: str = "cpu"
    counted: bool = True
    lines: bool = False
    written: bool = False
    histogram: bool = False
    operations: bool = False
    sample: int = 0
    cuda_path: str | None = None
    contracted: bool = True
    level: int = 3
    parsed: tuple[str, ...] = ()
    host: tuple[str, ...] = ()
    preprocessor: tuple[str, ...] = ()
    link: tuple[str | Input, ...] = ()
    dependencies: tuple[str, ...] = ()

    @property
    def ptx(self) -> tuple[str, ...]:
        """PTX that has kernels in the place of the sources'."""
        return tuple(item.name for item in self.inputs if item.language is Language.PTX)

    @property
    def units(self) -> int:
        """How many CUDA sources there are."""
        return sum(item.language is Language.CUDA for item in self.inputs)


# Flags without a value: what they set.
_SWITCHES: Final[Mapping[str, Mapping[str, bool]]] = {
    "-v": {"verbose": True},
    "--verbose": {"verbose": True},
    "-dryrun": {"dry_run": True},
    "--dryrun": {"dry_run": True},
    "--version": {"version": True},
    "-V": {"version": True},
    "--cuda-root": {"root": True},
    "--no-prune": {"prune": False},
    "-lineinfo": {"lines": True},
    "--generate-line-info": {"lines": True},
    "--as-written": {"written": True},
    "--histogram": {"histogram": True},
    "--operations": {"operations": True},
    "--no-count": {"counted": False},
}


class _Collected(Struct):
    """What has been seen so far; the functions below fill it. ``command`` has none of the lists."""

    command: Command = Command()
    language: str = ""
    inputs: list[Input] = field(default_factory=list)
    parsed: list[str] = field(default_factory=list)
    host: list[str] = field(default_factory=list)
    preprocessor: list[str] = field(default_factory=list)
    link: list[str | Input] = field(default_factory=list)
    dependencies: list[str] = field(default_factory=list)

    def set(self, **changes: Any) -> None:
        """Fields of ``command``."""
        self.command = replace(self.command, **changes)


def parse_command(arguments: Sequence[str]) -> Command:
    """The command line without its program name.

    ``-O2 -arch=sm_80 -c a.cu -o a.o -Xcompiler -Wall,-fPIC`` makes an object of one CUDA input,
    with ``-O2 -Wall -fPIC`` for the host compiler. Raises IRError (one line).
    """
    found = _Collected()
    _collect(deque(arguments), found, 0)
    command = replace(
        found.command,
        inputs=tuple(found.inputs),
        parsed=tuple(found.parsed),
        host=tuple(found.host),
        preprocessor=tuple(found.preprocessor),
        link=tuple(found.link),
        dependencies=tuple(found.dependencies),
    )
    _check(command)
    return command


def _check(command: Command) -> None:
    """Raises IRError for options that exclude each other."""
    on_gpu = command.device == "gpu"
    if command.histogram and not on_gpu:
        raise IRError("--histogram", "is for --device gpu")
    if command.ptx and not command.units:
        raise IRError(command.ptx[0], "PTX needs host code that launches it: a CUDA source")
    if command.ptx and on_gpu:
        raise IRError(command.ptx[0], "PTX in the place of a source's kernels is for the CPU only")
    if command.operations and command.sample:
        raise IRError("--operations", "cannot be counted in a sample")
    if command.operations and not on_gpu:
        raise IRError("--operations", "is for --device gpu")
    if command.sample and not on_gpu:
        raise IRError("--sample", "is for --device gpu; on the CPU DRANO_LAUNCHES chooses launches")


def _one_in(value: str) -> int:
    """N of ``1/N``."""
    number = _PART.fullmatch(value)
    if number is None or not 2 <= int(number[1]) <= MOST_SAMPLE:
        raise IRError(f"--sample {value}", f"is not 1/N with N from 2 to {MOST_SAMPLE}")
    return int(number[1])


def _collect(rest: deque[str], found: _Collected, depth: int) -> None:
    if depth > _MAX_DEPTH:
        raise IRError("command line", "options files nest too deeply")
    while rest:
        argument = rest.popleft()
        if argument.startswith("@") and len(argument) > 1:
            _collect(_options_file(argument[1:]), found, depth + 1)
        elif argument in {"-optf", "--options-file"}:
            for name in _value(argument, rest).split(","):
                _collect(_options_file(name), found, depth + 1)
        elif not argument.startswith("-") or argument == "-":
            _add_input(argument, found)
        else:
            _option(argument, rest, found, depth)


def _option(argument: str, rest: deque[str], found: _Collected, depth: int) -> None:
    name, equals, joined = argument.partition("=")
    if argument in _MODES:
        kind = _MODES[argument]
        if kind == "relocatable":
            found.set(relocatable=True, mode=Mode.OBJECT)
        else:
            found.set(mode=Mode(kind))
    elif argument in _NOT_HERE:
        raise IRError(argument, "there is no GPU code here: drano cc makes host objects only")
    elif argument in {"-o", "--output-file"}:
        found.set(output=_value(argument, rest))
    elif name == "--output-file":
        found.set(output=joined)
    elif name in {"-rdc", "--relocatable-device-code"}:
        found.set(relocatable=(joined if equals else _value(argument, rest)) == "true")
    elif argument in {"-x", "--x", "--language"} or name in {"--x", "--language"}:
        found.language = joined if equals else _value(argument, rest)
    elif name in {"-Xcompiler", "--compiler-options"}:
        value = joined if equals else _value(argument, rest)
        _collect(deque(_split_commas(value)), found, depth + 1)
    elif name in {"-Xlinker", "--linker-options"}:
        value = joined if equals else _value(argument, rest)
        found.link += [part for word in _split_commas(value) for part in ("-Xlinker", word)]
    elif name in {"-Xptxas", "--ptxas-options"}:
        value = joined if equals else _value(argument, rest)
        for level in filter(None, map(_PTXAS_LEVEL.fullmatch, _split_commas(value))):
            found.set(level=int(level[1]))
    elif argument in _SWITCHES:
        found.set(**_SWITCHES[argument])
    elif name == "--device":
        device = joined if equals else _value(name, rest)
        found.set(device=_one_of(argument, ("cpu", "gpu"), device))
    elif name == "--sample":
        found.set(sample=_one_in(joined if equals else _value(argument, rest)))
    elif name == "--cuda-path":
        found.set(cuda_path=joined if equals else _value(argument, rest))
    elif argument in _DROPPED_ALONE:
        pass
    elif name in _DROPPED and argument not in _PARSED:
        if not equals:
            _value(argument, rest)
    elif name in _PARSED or argument.startswith(_JOINED):
        _parsed(argument, rest, found)
    else:
        _host_or_link(argument, rest, found)


def _parsed(argument: str, rest: deque[str], found: _Collected) -> None:
    """Includes, macros, standard, architecture: for parsing on both sides."""
    name, equals, value = argument.partition("=")
    if argument in _PARSED:
        value = _value(argument, rest)
    elif not (equals and name in _PARSED):
        name = next(prefix for prefix in _JOINED if argument.startswith(prefix))
        value = argument[len(name) :]
    found.parsed += [name, value]
    if name in _DEVICE_ONLY:
        return
    plain = _PLAIN_FORM.get(name, name)
    if plain == "-std":
        found.preprocessor.append(f"-std={value}")
    else:
        found.preprocessor += [plain, value]


def _host_or_link(argument: str, rest: deque[str], found: _Collected) -> None:
    if argument in {"-l", "--library", "-L", "--library-path"}:
        argument = ("-L" if argument in {"-L", "--library-path"} else "-l") + _value(argument, rest)
    name, equals, value = argument.partition("=")
    if equals and name in {"--library", "--library-path"}:
        argument = ("-l" if name == "--library" else "-L") + value
    if argument in {"-MF", "-MT", "-MQ"}:
        found.dependencies += [argument, _value(argument, rest)]
    elif argument.startswith(("-MD", "-MMD", "-MP", "-MF", "-MT", "-MQ")):
        found.dependencies.append(argument)
    elif argument in {"--generate-dependencies-with-compile"}:
        found.dependencies.append("-MD")
    elif name in {"--dependency-output", "-dependency-output"}:
        found.dependencies += ["-MF", value if equals else _value(argument, rest)]
    elif argument in {"-M", "-MM", "--generate-dependencies", "--generate-nonsystem-dependencies"}:
        found.set(mode=Mode.PREPROCESS)
        found.host.append(
            "-MM" if argument in {"-MM", "--generate-nonsystem-dependencies"} else "-M"
        )
    elif argument.startswith(("-l", "-L", "-Wl,", "-shared", "--shared")):
        if not _LIBRARIES.match(argument):
            found.link.append("-shared" if argument == "--shared" else argument)
    elif argument.startswith("-T") or argument in {"-u", "-z", "-rpath"}:
        found.link += [argument, _value(argument, rest)] if len(argument) == 2 else [argument]
    elif argument in {"-O", "--optimize"} or name == "--optimize":
        level = value or (rest.popleft() if rest and rest[0] in {"0", "1", "2", "3"} else "2")
        found.host.append(f"-O{level}")
    elif argument in {"--debug", "-g"} or argument == "--profile":
        found.host.append("-g" if argument != "--profile" else "-pg")
    elif argument in {"-Werror", "--Werror"}:
        if rest and not rest[0].startswith("-") and "." not in rest[0]:
            rest.popleft()  # nvcc's kind of warning
    elif argument.startswith(("-Werror=", "--Werror=")):
        pass
    elif argument in {"-m", "-t"}:
        _value(argument, rest)
    elif argument in {
        "-Xclang",
        "-mllvm",
        "-target",
        "-Xpreprocessor",
        "-Xassembler",
        "-Xarch_host",
    }:
        value = _value(argument, rest)
        found.host += [value] if argument == "-Xarch_host" else [argument, value]
    else:
        found.host.append(argument)
        if argument.startswith(_LINKED_TOO):
            found.link.append(argument)


def _add_input(name: str, found: _Collected) -> None:
    suffix = Path(name).suffix
    if found.language in {"cu", "cuda"} or (not found.language and suffix in _CUDA):
        language = Language.CUDA
    elif found.language or suffix in _C_LIKE:
        language = Language.HOST
    elif suffix == ".ptx":
        found.inputs.append(Input(name, Language.PTX))
        return
    elif suffix in {".cubin", ".fatbin"}:
        raise IRError(name, "GPU code cannot be run here; give its source, or its PTX")
    else:
        language = Language.LINKER
    found.inputs.append(Input(name, language))
    found.link.append(found.inputs[-1])


def _one_of(argument: str, known: tuple[str, ...], value: str) -> str:
    if value not in known:
        raise IRError(argument, f"'{value}' is none of: {', '.join(known)}")
    return value


def _value(argument: str, rest: deque[str]) -> str:
    if not rest:
        raise IRError(argument, "needs a value")
    return rest.popleft()


def _split_commas(value: str) -> list[str]:
    """``-Xcompiler`` takes a list: ``-Wall,-fPIC`` and ``"-Wall -fPIC"`` are two flags each.

    ``-Wl,-rpath,x`` stays one.
    """
    words: list[str] = []
    for part in words_of(value):
        words += [part] if part.startswith("-Wl,") else [w for w in part.split(",") if w]
    return words


def _options_file(name: str) -> deque[str]:
    try:
        return deque(words_of(Path(name).read_text(encoding="utf-8", errors="surrogateescape")))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise IRError(name, f"options file cannot be read: {reason}") from error
