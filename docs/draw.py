"""Run the Python of pages, and keep the pictures that they show: `python docs/draw.py tutorial`.

What a block prints is written into the page, so that only the code is written by hand. Pictures lie in a folder of the
page's name. They are committed, so that the site can be made where the answers are not at hand.
"""

import contextlib
import io
import re
import sys
import tempfile
from pathlib import Path

import matplotlib as mpl
from PIL import Image

DOCS = Path(__file__).parent
BLOCK = re.compile(r"^```python\n(.*?)^```$(?:\n+^```text\n.*?^```$)?", re.MULTILINE | re.DOTALL)


def draw(name):
    page = DOCS / f"{name}.md"
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        text = run(text)
        for picture in re.findall(rf"\]\({name}/(\S+\.png)\)", text):
            with Image.open(picture) as drawn:  # few colors make a small file
                drawn.convert("RGB").quantize(256).save(DOCS / name / picture, optimize=True)
    page.write_text(text, encoding="utf-8")


def run(text):
    """Run the blocks of a page, and write below each what it prints."""
    namespace = {}

    def of(block):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(block[1], "page", "exec"), namespace)
        lines = "".join(f"{line.rstrip()}\n" for line in printed.getvalue().splitlines())
        return f"```python\n{block[1]}```" + (f"\n\n```text\n{lines}```" if lines else "")

    return BLOCK.sub(of, text)


if __name__ == "__main__":
    mpl.use("agg")
    for name in sys.argv[1:]:
        draw(name)
