"""Run the code of the lab's pages and keep their pictures: `python lab/docs/lab_draw.py tutorial`, or all without a name."""

import shlex
import sys
from pathlib import Path

from typer.testing import CliRunner

from closerthan_lab.cli import app

DOCS = Path(__file__).resolve().parent
sys.path.append(str(DOCS.parents[1] / "docs"))
import draw  # noqa: E402


def call(command):
    """Run `closerthan`, and return what it prints."""
    done = CliRunner().invoke(app, shlex.split(command)[1:])
    assert done.exit_code == 0, f"{command}: {done.stderr}"
    return done.stdout


draw.PROGRAMS["closerthan"] = call

if __name__ == "__main__":
    draw.draw_pages(DOCS, sys.argv[1:])
