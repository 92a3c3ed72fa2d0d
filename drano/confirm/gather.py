"""Which compiled code there is of each file of a report, and its findings beside it.

In order: files that the user has named, objects that a compilation database says are made of the
file, and what nvcc makes of it now. A file that was made before a source that its unit includes was
last changed says nothing of that unit: lines have other numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec import Struct, field

from drano.confirm.compiled import Limits, compiled_code, nvcc_code
from drano.confirm.judge import MachineCode, with_confirmations
from drano.embedded.markers import is_python
from drano.frontend.commands.compile_database import outputs, with_compile_commands
from drano.frontend.sdk.tools import find_tool
from drano.model.report import FileReport, FileStatus, Report
from drano.model.settings import Config
from drano.model.symbols import common_symbol
from drano.model.system_headers import is_system_header
from drano.output.source_lines import shown_path
from drano.support.errors import IRError
from drano.support.input_files import is_source

_BUILT = (".o", ".obj", ".cubin", ".fatbin", ".ptx")


class Asked(Struct, frozen=True):
    """What the user wants. ``named``: compiled files; ``database``: a compilation database, whose
    objects are looked at; ``compile``: nvcc is run; ``jobs``: processes at once; ``run``: whether
    machine code in named files may be printed by nvdisasm.
    """

    named: Sequence[str] = ()
    database: str | None = None
    compile: bool = False
    jobs: int = 1
    run: bool = True


class _Gathered(Struct):
    """Codes by file. Its functions add to them, and notes for the user."""

    report: Report
    settings: Callable[[str], Config]
    codes: dict[str, list[MachineCode]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def of_named(self, name: str, *, run: bool) -> None:
        """Raises IRError: who names a file wants to know."""
        limits = _limits(self.settings(str(Path(name).absolute())), run=run)
        code = compiled_code(name, limits)
        known = {common_symbol(function.symbol) for function in code.functions}
        files = [
            file
            for file in self.report.files
            if known & {common_symbol(k.symbol) for k in file.kernels}
        ]
        if not files:
            self.notes.append(f"{name}: has none of the kernels that were analysed")
        for file in files:
            self.add(file, name, code)

    def of_database(self, database: str) -> None:
        """Objects that are there. Nothing of a database is run, nor on what it names."""
        for file in _analysed(self.report):
            for name in outputs(database, file.path):
                if name.lower().endswith(_BUILT) and Path(name).is_file():
                    try:
                        self.add(file, name, compiled_code(name, Limits(run=False)))
                    except IRError as error:
                        self.notes.append(f"{shown_path(name)}: {error.reason}")

    def of_nvcc(self, jobs: int) -> None:
        """What nvcc makes of the sources with findings. Raises IRError where there is no nvcc."""
        sources = [
            file
            for file in _analysed(self.report)
            if file.findings and is_source(file.path) and not is_python(file.path)
        ]
        programs = {f.path: find_tool("nvcc", _tools(self.settings(f.path))) for f in sources}

        def compiled(file: FileReport) -> MachineCode | IRError:
            try:
                options = with_compile_commands(file.path, self.settings(file.path).compile)
                return nvcc_code(programs[file.path], file.path, options, file.found)
            except IRError as error:
                return error

        with ThreadPoolExecutor(max_workers=jobs) as pool:
            for file, code in zip(sources, pool.map(compiled, sources), strict=True):
                if isinstance(code, IRError):
                    self.notes.append(f"{shown_path(file.path)}: {code.reason}")
                else:
                    self.codes.setdefault(file.path, []).append(code)

    def add(self, file: FileReport, name: str, code: MachineCode) -> None:
        """Unless it is older than what it would have been made of."""
        newer = _changed_since(name, file.dependencies or (file.path,))
        if newer:
            said = f"{shown_path(name)}: is older than {shown_path(newer)}"
            self.notes.append(f"{said}, and was not compared with its findings")
        else:
            self.codes.setdefault(file.path, []).append(code)


def confirmed(
    report: Report, settings: Callable[[str], Config], asked: Asked
) -> tuple[Report, list[str]]:
    """The report with its findings marked, and notes. Raises IRError, one line, for what the user
    has named and cannot be used.
    """
    gathered = _Gathered(report, settings)
    for name in asked.named:
        gathered.of_named(name, run=asked.run)
    if asked.database is not None:
        gathered.of_database(asked.database)
    if asked.compile:
        gathered.of_nvcc(asked.jobs)
    return with_confirmations(report, gathered.codes), gathered.notes


def _analysed(report: Report) -> Iterable[FileReport]:
    return (file for file in report.files if file.status is FileStatus.OK)


def _limits(config: Config, *, run: bool) -> Limits:
    options = config.compile
    return Limits(_tools(config), run=run, timeout=options.timeout, memory=options.memory)


def _tools(config: Config) -> str | None:
    """The SDK whose programs may be run; that of a repository's configuration may not."""
    return config.compile.tools_path


def _changed_since(made: str, sources: Iterable[str]) -> str:
    """The first of the sources that is newer than what was made; "" where none is."""
    time = Path(made).stat().st_mtime_ns
    for source in sources:
        if is_system_header(source):
            continue
        try:
            if Path(source).stat().st_mtime_ns > time:
                return source
        except OSError:
            return source
    return ""
