"""Run the code of pages and keep the pictures that they show: `python docs/draw.py how-it-works`, or all without a name.

The script writes into the page what each block of Python and each console command prints. Only the code is written by
hand. The pictures lie in a folder with the name of the page. They are committed, so that the site can be built without
the data.
"""

import contextlib
import io
import re
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib as mpl
from pictures import keep, recording
from PIL import Image

DOCS = Path(__file__).resolve().parent
PROGRAMS = {}  # by the first word of a command: what runs its text in this process, and returns what it prints
PYTHON = r"^```python\n(.*?)^```$(?:\n+^```text\n.*?^```$)?"
BLOCK = re.compile(PYTHON + r"|^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def draw(page):
    name = page.stem
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), recording() as saved:
        text = run(text, page)
        draw_apart(page)
        for picture in shown(name, text):
            with Image.open(picture) as drawn:
                keep(drawn, page.parent / name / picture, saved[picture])
    page.write_text(text, encoding="utf-8")


def shown(name, text):
    """Return the pictures of its own that a page shows."""
    return re.findall(rf"\]\({name}/(\S+\.png)\)", text)


def draw_apart(page):
    """Run the code of the pictures that a page shows without their code, if it has such."""
    script = page.parent / page.stem / "drawings.py"
    if script.exists():
        runpy.run_path(str(script))


def run(text, page):
    """Run the blocks of a page, and write below each what it prints."""
    namespace = {"__name__": "__main__"}

    def of(block):
        if block[2]:
            return f"```console\n{console(block[2])}```"
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(block[1], str(page), "exec"), namespace)
        lines = "".join(f"{line.rstrip()}\n" for line in printed.getvalue().splitlines())
        return f"```python\n{block[1]}```" + (f"\n\n```text\n{lines}```" if lines else "")

    return BLOCK.sub(of, text)


def console(block):
    """Run the commands of a block, and write below each what it prints."""
    text = ""
    for command in re.findall(r"^\$ (.*)", block, re.MULTILINE):
        lines = call(command).splitlines()
        text += f"$ {command}\n" + "".join(f"{line.rstrip()}\n" for line in lines)
    return text


def call(command):
    """Run a command of a page, and return what it prints."""
    program = PROGRAMS.get(command.partition(" ")[0])
    if program:
        return program(command)
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout


def draw_pages(docs, names):
    """Draw some pages of a folder, or all that show pictures."""
    mpl.use("agg")
    pages = [docs / f"{name}.md" for name in names] or sorted(docs.glob("*.md"))
    for page in pages:
        if names or shown(page.stem, page.read_text(encoding="utf-8")):
            draw(page)


if __name__ == "__main__":
    draw_pages(DOCS, sys.argv[1:])
