"""Run the code of pages and keep the pictures that they show: `python docs/draw.py tutorial`.

The script writes into the page what each block of Python and each console command prints. Only the code is written by
hand. The pictures lie in a folder with the name of the page. They are committed, so that the site can be built without
the data.
"""

import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib as mpl
from PIL import Image

DOCS = Path(__file__).resolve().parent
PYTHON = r"^```python\n(.*?)^```$(?:\n+^```text\n.*?^```$)?"
BLOCK = re.compile(PYTHON + r"|^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def draw(name):
    page = DOCS / f"{name}.md"
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        text = run(text, page)
        for picture in re.findall(rf"\]\({name}/(\S+\.png)\)", text):
            with Image.open(picture) as drawn:  # few colors make a small file
                drawn.convert("RGB").quantize(256).save(DOCS / name / picture, optimize=True)
    page.write_text(text, encoding="utf-8")


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
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    text = ""
    for command in re.findall(r"^\$ (.*)", block, re.MULTILINE):
        done = subprocess.run(
            command,
            shell=True,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PATH": path},
        )
        text += f"$ {command}\n" + "".join(
            f"{line.rstrip()}\n" for line in done.stdout.splitlines()
        )
    return text


if __name__ == "__main__":
    mpl.use("agg")
    for name in sys.argv[1:]:
        draw(name)
