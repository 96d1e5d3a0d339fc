"""Run a notebook with papermill and keep it twice: as a notebook and as an HTML page."""

import os
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
import papermill
from ipykernel.kernelspec import write_kernel_spec
from nbconvert import HTMLExporter
from nbconvert.filters import strip_ansi
from nbconvert.preprocessors import CoalesceStreamsPreprocessor, TagRemovePreprocessor
from pygments.formatters import HtmlFormatter

from closerthan._core.writing import replacing
from closerthan_study.files import write_text

_KERNEL = "python3"
_LAST = 10  # lines of a traceback
_TEMPLATE = Path(__file__).with_name("notebooks.html.j2")


class NotebookError(RuntimeError):
    """A cell of a notebook failed. The message has the end of its traceback."""


def run_notebook(source, notebook, html, *, parameters):
    """Execute a notebook with papermill and keep it as a notebook and as a page.

    Both are kept without times and warnings, so that the same results give the same bytes; warnings
    are printed. The page typesets no formulas, because that needs a network: write them in Unicode.
    """
    try:
        with _clean_jupyter():
            executed = papermill.execute_notebook(
                source,
                None,
                dict(parameters),
                kernel_name=_KERNEL,
                progress_bar=False,
                request_save_on_cell_execute=False,  # saves megabytes of figures twice a cell
                # Its log says nothing about the notebook: it warns about TCP, and at the end it is
                # interrupted, which it calls an error.
                extra_arguments=["--log-level=CRITICAL"],
            )
    except papermill.PapermillExecutionError as error:
        said = strip_ansi("\n".join(error.traceback)).splitlines()[-_LAST:]
        where = f"{source}: the cell In [{error.exec_count}] failed:"
        raise NotebookError("\n".join([where, *said])) from None
    executed = _without_traces(executed)
    with replacing(notebook) as temporary:
        nbformat.write(executed, temporary)
    write_text(html, _page(executed, Path(notebook), Path(html)))


@contextmanager
def _clean_jupyter():
    """Run kernels of this Python without the user's settings, and no file in the home folder."""
    before = dict(os.environ)
    with TemporaryDirectory() as folder:
        write_kernel_spec(Path(folder, "kernels", _KERNEL))
        os.environ.update(IPYTHONDIR=folder, JUPYTER_RUNTIME_DIR=folder, JUPYTER_PATH=folder)
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)


def _without_traces(notebook):
    """Drop everything that differs between two runs of a notebook with the same results."""
    kernel = {"display_name": "Python 3", "language": "python", "name": _KERNEL}
    notebook.metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata.pop("papermill", None)
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            warned = [out for out in cell.outputs if out.get("name") == "stderr"]
            print(*(out.text for out in warned), sep="", end="")
            cell.outputs = [out for out in cell.outputs if out not in warned]
    return CoalesceStreamsPreprocessor().preprocess(notebook, {})[0]


def _page(notebook, path, html):
    """Return the notebook as an offline page, without the cells that set parameters."""
    exporter = HTMLExporter(
        template_file=str(_TEMPLATE), exclude_input_prompt=True, exclude_output_prompt=True
    )
    tags = {"parameters", "injected-parameters"}
    exporter.register_preprocessor(TagRemovePreprocessor(remove_cell_tags=tags), enabled=True)
    about = {
        "title": html.stem,
        "notebook": os.path.relpath(path, html.parent),
        "highlighting": HtmlFormatter().get_style_defs(".highlight"),
    }
    page, _ = exporter.from_notebook_node(notebook, resources=about)
    return page
