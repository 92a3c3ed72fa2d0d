"""Makes the pictures again, from the tool as it is.

    python docs/scripts/pictures.py                 of the tutorial
    python docs/scripts/pictures.py LLM_C_CHECKOUT  of real code, for the evaluation

Terminals become SVG by rich. The HTML report is shot by chromium; the editor is Neovim, started in
a pseudo-terminal that pyte (``pip install pyte``) reads. What is not installed is left out.
"""

from __future__ import annotations

import fcntl
import gzip
import io
import itertools
import json
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
from base64 import b64decode
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "tutorial"
OF_REAL_CODE = ROOT / "docs" / "evaluation" / "llm.c"
REAL = "dev/cuda/matmul_backward_bias.cu"
FIXED = "dev/cuda/layernorm_forward.cu"
OPENED, ACTIONS = "vim.diagnostic.open_float({ max_width = 100 })", "vim.lsp.buf.code_action()"
TRITON = ("check", "--compile-triton", "self", "examples/python/row_products.py")
DRANO = [sys.executable, "-m", "drano"]
EDITOR = """\
vim.o.termguicolors, vim.o.number, vim.o.signcolumn = true, true, "yes"
vim.cmd("hi Normal guifg=#d9d9d9 | hi NormalFloat guibg=#303446 guifg=#d9d9d9")
vim.cmd("hi LineNr guifg=#808080 | hi SignColumn guibg=NONE | hi NonText guifg=#404040")
vim.o.laststatus, vim.o.ruler, vim.o.showmode, vim.o.wrap = 0, false, false, false
vim.cmd("edit FILE | syntax on | setlocal filetype=cpp | normal TOPGzt")
local server = { name = "drano", cmd = { COMMAND }, root_dir = vim.fn.getcwd() }
local client = vim.lsp.start_client(server)
vim.lsp.buf_attach_client(0, client)
vim.wait(60000, function() return #vim.diagnostic.get(0) >= 2 end, 50)
vim.api.nvim_win_set_cursor(0, { LINE, 4 })
THEN
"""


def main(checkout: str | None = None) -> None:
    """All pictures, in a copy of what they are of."""
    os.environ["PYTHONPATH"] = str(ROOT)
    with tempfile.TemporaryDirectory() as directory:
        if checkout is None:
            shutil.copytree(ROOT / "examples", Path(directory, "examples"))
            os.chdir(directory)
            drawn = terminal("check", "check", "examples/matmul.cu")
            (PICTURES / "check.svg").write_text(drawn, encoding="utf-8")
            drawn = terminal("triton", *TRITON)
            (PICTURES / "triton.svg").write_text(drawn, encoding="utf-8")
            page(PICTURES / "triton.png", *TRITON, size="1100,1075")
            browser("report", "check", "examples/matmul.cu")
            editor(PICTURES / "editor.svg", "examples/matmul.cu", 7, 13, 17)
            return
        shutil.copytree(Path(checkout, "dev/cuda"), Path(directory, "dev/cuda"))
        os.chdir(directory)
        OF_REAL_CODE.mkdir(exist_ok=True)
        drawn = terminal("check", "check", REAL, "--top", "2", "-q")
        (OF_REAL_CODE / "terminal.svg").write_text(drawn, encoding="utf-8")
        page(OF_REAL_CODE / "page.png", "check", "dev/cuda")
        editor(OF_REAL_CODE / "editor.svg", REAL, 132, 138, 10)
        drawn = terminal("fix", "fix", "--diff", "--quiet", FIXED)
        (OF_REAL_CODE / "fix.svg").write_text(drawn, encoding="utf-8")
        editor(OF_REAL_CODE / "quickfix.svg", FIXED, 78, 88, 22, then=ACTIONS)


def terminal(name: str, *arguments: str) -> str:
    """What a command prints, in its colours."""
    done = subprocess.run(
        [*DRANO, *arguments, "--color", "always"], stdout=subprocess.PIPE, text=True, check=False
    )
    prompt = Text.assemble(("$ ", "bold green"), "drano ", " ".join(arguments), "\n")
    return draw(name, prompt + Text.from_ansi(done.stdout), width=126)


def draw(name: str, text: Text, width: int) -> str:
    """SVG: the same for the same text, and no font from the network."""
    console = Console(record=True, width=width, file=io.StringIO(), force_terminal=True)
    console.print(text)
    drawn = console.export_svg(title="", theme=MONOKAI, unique_id=name)
    drawn = re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL)
    return drawn.replace("Fira Code", "DejaVu Sans Mono, Menlo, Consolas")


def page(picture: Path, *arguments: str, size: str = "1200,900") -> None:
    """The HTML report as it opens."""
    program = _browser()
    if program is None:
        return print(f"{picture}: there is no chromium", file=sys.stderr)
    subprocess.run([*DRANO, *arguments, "--output-format", "html", "-o", "r.html"], check=False)
    return shoot(program, picture, size)


def _browser() -> str | None:
    found = filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome")))
    return next(found, None)


def shoot(program: str, picture: Path, size: str) -> None:
    """A picture of ``r.html``."""
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    subprocess.run(
        [program, *flags, f"--window-size={size}", f"--screenshot={picture}",
         Path("r.html").resolve().as_uri()],
        check=True, capture_output=True,
    )  # fmt: skip


def browser(name: str, *arguments: str) -> None:
    """The card of the HTML report's first entry, with its lanes and sectors."""
    program = _browser()
    if program is None:
        return print(f"{name}: there is no chromium", file=sys.stderr)
    subprocess.run([*DRANO, *arguments, "--output-format", "html", "-o", "r.html"], check=False)
    page = Path("r.html").read_text(encoding="utf-8")
    style_sheet = "\n".join(re.findall(r"<style>.*?</style>", page, re.DOTALL))
    shared = "\n".join(re.findall(r"<svg[^>]*>\s*<defs>.*?</svg>", page, re.DOTALL))
    packed = re.findall(r'<template id="c-cards[^"]*">([^<]*)</template>', page)
    cards = [card for text in packed for card in json.loads(gzip.decompress(b64decode(text)))]
    assert cards, "the report has no card"
    Path("r.html").write_text(f"{style_sheet}{shared}{cards[0]}", encoding="utf-8")
    return shoot(program, PICTURES / f"{name}.png", "960,388")


def editor(picture: Path, file: str, top: int, line: int, rows: int, then: str = OPENED) -> None:
    """Neovim with the language server's diagnostics, that of ``line`` opened, or something else
    done ``then``.
    """
    try:
        import pyte  # noqa: PLC0415 - only this picture needs it
    except ImportError:
        return print(f"{picture}: there is no pyte", file=sys.stderr)
    if not shutil.which("nvim"):
        return print(f"{picture}: there is no nvim", file=sys.stderr)
    command = ", ".join(f'"{part}"' for part in [*DRANO, "lsp"])
    script = EDITOR.replace("COMMAND", command).replace("FILE", file)
    script = script.replace("TOP", str(top)).replace("LINE", str(line)).replace("THEN", then)
    Path("init.lua").write_text(script, "utf-8")
    columns = 150
    child, terminal_end = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
        os.execvp("nvim", ["nvim", "--clean", "-n", "-c", "luafile init.lua"])
    fcntl.ioctl(terminal_end, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    screen = pyte.Screen(columns, rows)
    stream = pyte.ByteStream(screen)
    end = time.monotonic() + 40
    while time.monotonic() < end:
        if select.select([terminal_end], [], [], 0.2)[0]:
            stream.feed(os.read(terminal_end, 65536))
    os.write(terminal_end, b"\x1b:qall!\r")
    os.waitpid(child, 0)
    text = Text()
    for row in range(rows):
        cells = [screen.buffer[row][column] for column in range(columns)]
        for look, same in itertools.groupby(cells, style):
            text.append("".join(cell.data for cell in same), look)
        text.append("\n")
    picture.write_text(draw(picture.stem, text, columns), encoding="utf-8")
    return None


def style(cell: object) -> str:
    """A cell's look, as rich names it."""
    names = [getattr(cell, "fg", "default"), getattr(cell, "bg", "default")]
    if getattr(cell, "reverse", False):
        names.reverse()
    colours = [f"#{n}" if re.fullmatch("[0-9a-f]{6}", n) else n for n in names]
    known = {"brown": "yellow", "brightbrown": "bright_yellow"}
    colours = [known.get(c, re.sub("^bright", "bright_", c)) for c in colours]
    bold = "bold " if getattr(cell, "bold", False) else ""
    return f"{bold}{colours[0]} on {colours[1]}"


if __name__ == "__main__":
    main(*sys.argv[1:2])
