"""``drano capture -- python script.py``: the kernels of a program that is run, checked.

Means: the command runs as it is, with ``recorder.py`` started in every Python of it. What was
recorded is then analysed as ``drano check`` does; what the program has done, and how it ended, is
its own. Kernels that are compiled before a program fails for want of a GPU are recorded. Those of
Pallas are compiled by Triton afterwards; what XLA has dumped is put into the form of the others.
Assumptions: whoever names a command here wants it run.
Limits: a program that starts Python with ``-S``, ``-I`` or ``-E`` is not recorded; nor are
libraries other than CuPy, JAX, Numba, PyCUDA, PyTorch, Triton, Warp and NVIDIA's bindings.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from drano.analysis.explain.source_expressions import reading
from drano.frontend.compiled.triton_cache import SUFFIX, at_source, python_files
from drano.frontend.template_instances import is_template_id
from drano.model.report import FileReport, Report
from drano.model.settings import Config
from drano.ptx import BinaryError, ptx_in
from drano.python.jax_records import records_of_jax, settled
from drano.run.driver import absolute, check
from drano.support.errors import IRError
from drano.support.regular_files import read_regular, regular_or_empty

_RECORDER = ("recorder.py", "driver_hooks.py", "jax_hooks.py", "numba_ptx.py")
_PTX, _BINARY = ".captured.ptx", ".fatbin"
_START = """\
import os as _os, sys as _sys
_here = _os.path.dirname(_os.path.abspath(__file__))
if _here in _sys.path:
    _sys.path.remove(_here)
import importlib.util as _util
_spec = _util.spec_from_file_location("_drano_recorder", _os.path.join(_here, "recorder.py"))
_recorder = _util.module_from_spec(_spec)
_spec.loader.exec_module(_recorder)
_recorder.install()
_own = _sys.modules.pop("sitecustomize", None)
try:
    import sitecustomize
except ImportError:
    # Python looks for the module that it has just run.
    _sys.modules["sitecustomize"] = _own
"""
_FILE = re.compile(r'^\s*\.file\s+\d+\s+"([^"\n]+)"', re.MULTILINE)
_DEFINE = re.compile(r"(?:-D\s*|--define-macro=)(\w+(?:=[\w.+-]*)?)", re.ASCII)
_INCLUDE = re.compile(r"(?:-I|--include-path=)(/.*)", re.DOTALL)
_STD = re.compile(r"--?std=((?:c|gnu)\+\+\w\w)")
_MAX_BYTES = 64 << 20
_MAX_RECORDS = 10_000


class Captured(Struct, frozen=True):
    """``status``: of the command; ``report``: of what it compiled; ``texts``: sources to show, by
    path; ``records``: how many there were; ``notes``: what is not among them.
    """

    status: int
    report: Report
    texts: dict[str, str]
    records: int
    notes: tuple[str, ...] = ()


def capture(
    command: Sequence[str],
    config: Config,
    keep: str | None = None,
    done: Callable[[], None] = lambda: None,
) -> Captured:
    """Run a command, and check what it compiles. ``keep``: a directory for the records; ``done``:
    called when the command has ended. Raises IRError where the command cannot be started.
    """
    with tempfile.TemporaryDirectory(prefix="drano-") as name:
        folder = Path(keep) if keep is not None else Path(name) / "records"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise IRError(str(folder), error.strerror or "cannot be made") from None
        old = frozenset(folder.iterdir())
        status = _run(command, folder, Path(name))
        done()
        notes = records_of_jax(folder, config.compile.timeout, old)
        notes += _without_ptx(folder)
        ends = (".cu", _PTX, _BINARY, SUFFIX)
        found = sorted(path for path in folder.iterdir() if path.name.endswith(ends))
        report, texts = _checked(found[:_MAX_RECORDS], config)
        report, more = settled(report)
        unrecorded = [_text(path).strip() for path in sorted(folder.glob("unrecorded-*.txt"))]
        said = tuple(dict.fromkeys((*unrecorded, *notes, *more)))
        return Captured(status, report, texts, len(found), said)


def _without_ptx(folder: Path) -> list[str]:
    """Remove recorded binaries that there is nothing to read in; what is to be said of them."""
    notes: list[str] = []
    for path in sorted(folder.glob(f"module-*{_BINARY}")):
        try:
            ptx_in(path.read_bytes())
        except BinaryError as error:
            notes.append(f"a module that the program loads is not analysed: it {error}")
            path.unlink()
    return notes


def _run(command: Sequence[str], folder: Path, start: Path) -> int:
    """The command's status, with the recorder in its Pythons."""
    hooks = start / "hooks"
    hooks.mkdir()
    (hooks / "sitecustomize.py").write_text(_START, encoding="utf-8")
    for name in _RECORDER:
        shutil.copyfile(Path(__file__).with_name(name), hooks / name)
    path = os.pathsep.join(filter(None, (str(hooks), os.environ.get("PYTHONPATH", ""))))
    environment = {**os.environ, "PYTHONPATH": path, "DRANO_CAPTURE": str(folder.resolve())}
    try:
        return subprocess.run(list(command), env=environment, check=False).returncode
    except OSError as error:
        raise IRError(command[0], error.strerror or "cannot be run") from None
    except ValueError as error:
        raise IRError("command", str(error)) from None


def _checked(paths: Iterable[Path], config: Config) -> tuple[Report, dict[str, str]]:
    """The report of the records, and the Python sources that their lines are of."""
    sources: dict[str, bytes] = {}
    told: dict[str, Config] = {}
    names = [absolute(str(path)) for path in paths]
    for name in names:
        told[name] = _with_options(config, name)
        if name.endswith(SUFFIX):
            text = _at_its_source(name)
            named = python_files(text)
        else:
            named = _python_files_of(name) if name.endswith(_PTX) else ()
        # The user has run the program that these are of.
        sources |= {path: regular_or_empty(path, _MAX_BYTES) for path in named if path}
    texts = {path: text.decode("utf-8", "surrogateescape") for path, text in sources.items()}
    with reading(sources):
        report = check(names, lambda path: told.get(path, config), texts=texts)
    return replace(report, files=tuple(map(_without_notes, report.files))), texts


def _python_files_of(name: str) -> tuple[str, ...]:
    """The Python sources that the lines of PTX are of."""
    return tuple(path for path in _FILE.findall(_text(Path(name))) if path.endswith(".py"))


def _text(path: Path) -> str:
    return regular_or_empty(str(path), _MAX_BYTES).decode("utf-8", "replace")


def _facts(name: str) -> dict[str, Any]:
    """What the recorder has written beside a text."""
    try:
        beside = Path(name.removesuffix(_PTX)).with_suffix(".json")
        facts = json.loads(read_regular(beside, _MAX_BYTES))
    except (OSError, ValueError):
        return {}
    return facts if isinstance(facts, dict) else {}


def _at_its_source(name: str) -> str:
    """Triton's module, with the lines of the file that the program has it from."""
    text = _text(Path(name))
    facts = _facts(name)
    changed = at_source(text, str(facts.get("name", "")), str(facts.get("source", "")))
    if changed != text:
        Path(name).write_text(changed, encoding="utf-8")
    return changed


def _with_options(config: Config, name: str) -> Config:
    """What the library told its compiler, as far as it says what the source means."""
    facts = _facts(name)
    options = _texts(facts.get("options"))
    named = [text for text in _texts(facts.get("instances")) if is_template_id(text)]
    folders = [match[1] for text in options if (match := _INCLUDE.fullmatch(text))]
    defines = [m[1] for text in options if (m := _DEFINE.fullmatch(text))]
    stds = [m[1] for text in options if (m := _STD.fullmatch(text))]
    chosen = config.compile
    return replace(
        config,
        compile=replace(
            chosen, defines=(*chosen.defines, *defines),
            std=chosen.std or (stds[-1] if stds else None),
            include_dirs=(*chosen.include_dirs, *filter(_is_no_sdk, folders)),
            instantiate=(*chosen.instantiate, *named),
        ),
    )  # fmt: skip


def _texts(given: object) -> list[str]:
    """Those in a list that came from outside."""
    return [text for text in given if isinstance(text, str)] if isinstance(given, list) else []


def _is_no_sdk(folder: str) -> bool:
    """CUDA's own headers are all of one version, and come from elsewhere."""
    return not Path(folder, "cuda_runtime.h").is_file()


def _without_notes(file: FileReport) -> FileReport:
    """Texts without kernels (a library's probes) are nothing to speak of."""
    said = tuple(d for d in file.diagnostics if not d.message.startswith("no kernel in this file"))
    return replace(file, diagnostics=said)
