"""Templates of pages, with escaping of their content."""

import json
from pathlib import Path


def page_templates(*folders):
    """Return a jinja2 environment with templates in some folders, and those that pages share."""
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader([*folders, Path(__file__).parent]),
        autoescape=lambda name: not name.endswith(".txt.j2"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def to_script(value):
    """Return JSON without ``<``, U+2028 and U+2029, so that it cannot end its script element."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
