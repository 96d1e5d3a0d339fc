"""Check that notebooks run, keep no traces of the run, need no network, or give one error."""

import os
import re
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from ipykernel.kernelspec import write_kernel_spec
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from closerthan_study.report.notebooks import NotebookError, run_notebook
from closerthan_study.reports import make_page


def write(path, *code, parameters="number = 1\nword = 'none'"):
    cells = [
        new_markdown_cell("# A study\n\nText with a [link](https://example.org)."),
        new_code_cell(parameters, metadata={"tags": ["parameters"]}),
        *(new_code_cell(source) for source in code),
    ]
    # Readers do not have the kernel of the author's machine.
    kernel = {"name": "mine", "display_name": "Mine", "language": "python"}
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": kernel}), path)


def run(folder, name, **parameters):
    out = folder / "out" / name
    kept = out.with_suffix(".ipynb"), out.with_suffix(".html")
    run_notebook(folder / "source.ipynb", *kept, parameters=parameters)


def test_notebook_runs_repeats_and_reads_without_network(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "settings"))
    # A kernel of the same name that belongs to another environment.
    write_kernel_spec(tmp_path / "hub" / "kernels" / "python3", {"argv": ["false"]})
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "hub"))
    write(
        tmp_path / "source.ipynb",
        "import sys\nprint('a line')\nprint('a warning'.upper(), file=sys.stderr)\n"
        "sys.stdout.flush()\nprint('another')\n"
        "get_ipython().kernel.log.error('KeyboardInterrupt caught in kernel.')",
        "from IPython.display import HTML\nHTML(f'<b>{word} {number + 1}</b>')",
    )
    run(tmp_path, "first", number=41, word="answer")
    run(tmp_path, "again", number=41, word="answer")

    kept = (tmp_path / "out" / "first.ipynb").read_text()
    assert kept == (tmp_path / "out" / "again.ipynb").read_text()
    assert "answer 42" in kept
    said = "".join(capfd.readouterr())
    assert "KeyboardInterrupt" not in said, "of the kernel's own log"
    assert "A WARNING" in said
    for trace in ("A WARNING", str(tmp_path), "papermill", "iopub", "start_time"):
        assert trace not in kept
    assert not (tmp_path / "settings").exists(), "the user's own IPython is left alone"
    assert os.environ["IPYTHONDIR"] == str(tmp_path / "settings")
    nbformat.validate(nbformat.read(tmp_path / "out" / "first.ipynb", as_version=4))

    page, again = (Path(tmp_path, "out", f"{name}.html").read_text() for name in ("first", "again"))
    assert page == again.replace("again", "first")
    assert "<b>answer 42</b>" in page and "a line" in page and "another" in page
    assert page.count("<details") == 2, "code is folded and the parameters are left out"
    assert set(re.findall(r"""(?:href|src)=["']([^"'#]+)""", page)) == {
        "../index.html",
        "first.ipynb",
        "https://example.org",
    }
    assert not re.search(r"<script|<link|@import|url\(", page)


def test_a_page_is_told_the_configuration(tmp_path):
    (tmp_path / "notebooks").mkdir()
    notebook = tmp_path / "notebooks" / "papers.ipynb"
    write(notebook, "print('scale', config['scale'])", parameters="config = {}")
    config = SimpleNamespace(model_dump=lambda: {"scale": "smoke"})
    results = tmp_path / "results"
    spec = SimpleNamespace(results=results, notebook=lambda name: notebook, config=config)
    make_page(spec, "papers")
    reports = results / "reports"
    assert all((reports / kind / "papers").is_dir() for kind in ("figures", "tables"))
    page = reports / "notebooks" / "papers.html"
    assert "scale smoke" in page.read_text()
    assert page.with_suffix(".ipynb").is_file()


def test_a_failing_cell_is_named_with_the_last_ten_lines_of_its_traceback(tmp_path):
    deep = "def f(n):\n    if n:\n        f(n - 1)\n    raise KeyError('missing column')"
    write(tmp_path / "source.ipynb", "fine = 1", f"{deep}\nf(9)")
    with pytest.raises(NotebookError, match=r"source\.ipynb: .*In \[4\] failed:") as error:
        run(tmp_path, "out", number=2)
    lines = str(error.value).splitlines()
    assert len(lines) == 11 and lines[-1] == "KeyError: 'missing column'"
    assert "\x1b" not in str(error.value)
    assert not (tmp_path / "out").exists()
