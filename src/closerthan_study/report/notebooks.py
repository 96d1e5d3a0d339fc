"""Run a notebook with papermill and keep it twice: as a notebook and as a page to read."""

import os
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
import papermill
from nbconvert import HTMLExporter
from nbconvert.preprocessors import CoalesceStreamsPreprocessor, TagRemovePreprocessor
from pygments.formatters import HtmlFormatter

from closerthan.files.writing import replacing

_KERNEL = "python3"
_TEMPLATE = Path(__file__).with_name("notebooks.html.j2")


def run_notebook(source, notebook, html, *, parameters, log):
    """Execute a notebook with papermill and keep it as a notebook and as a page.

    What is kept has neither times nor warnings (they stay in `log`), so that the same results
    give the same bytes; in the page the code is folded. Formulas are not typeset, for that would
    need a network: write them in Unicode. Of a notebook that fails the log has the traceback.
    """
    known = papermill.inspect_notebook(source)
    for name in parameters:
        if name not in known:
            raise ValueError(f"{source}: no parameter {name!r}; it has {', '.join(known)}")
    Path(log).parent.mkdir(parents=True, exist_ok=True)
    try:
        with _clean_jupyter():
            executed = papermill.execute_notebook(
                source,
                log,
                dict(parameters),
                kernel_name=_KERNEL,
                progress_bar=False,
                request_save_on_cell_execute=False,  # megabytes of figures, twice a cell
                # Without the kernel's warning about TCP, which says nothing about the notebook.
                extra_arguments=["--log-level=ERROR"],
            )
    except papermill.PapermillExecutionError as error:
        raise RuntimeError(
            f"{source}: the cell In [{error.exec_count}] failed with {error.ename}: "
            f"{error.evalue}; the notebook up to there is in {log}"
        ) from error
    executed = _without_traces(executed)
    with replacing(notebook) as temporary:
        nbformat.write(executed, temporary)
    with replacing(html) as temporary:
        temporary.write_text(_page(executed, Path(notebook), Path(html)), encoding="utf-8")


@contextmanager
def _clean_jupyter():
    """Keep kernels away from the user's settings, and their files out of the home folder."""
    before = dict(os.environ)
    with TemporaryDirectory() as folder:
        os.environ.update(IPYTHONDIR=folder, JUPYTER_RUNTIME_DIR=folder)
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)


def _without_traces(notebook):
    """Drop from an executed notebook what tells one run from another with the same results."""
    kernel = {"display_name": "Python 3", "language": "python", "name": _KERNEL}
    notebook.metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata.pop("papermill", None)
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = [out for out in cell.outputs if out.get("name") != "stderr"]
    return CoalesceStreamsPreprocessor().preprocess(notebook, {})[0]


def _page(notebook, path, html):
    """The notebook as a page that needs no network, without the cells that set parameters."""
    exporter = HTMLExporter(
        template_file=str(_TEMPLATE),
        exclude_input_prompt=True,
        exclude_output_prompt=True,
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
