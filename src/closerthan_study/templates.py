"""Templates of pages, with escaping of their content."""

from pathlib import Path


def templates(folder):
    """Return a jinja2 environment with the templates in a folder."""
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(folder)),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
