"""Templates of pages, and how content gets into them without becoming a part of the page."""

import json
from pathlib import Path


def templates(*folders):
    """Return the jinja2 environment of templates in some folders, before those that pages share.

    Everything is escaped for HTML. The filter `to_script` is for content within a script element.
    """
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([*folders, Path(__file__).parent]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["to_script"] = to_script
    return environment


def to_script(value):
    """Return JSON that nothing in it can end the script element around.

    Neither a tag nor a comment begins in it, and it holds none of the two line ends (U+2028 and
    U+2029) that JSON allows within a string and scripts long did not.

    >>> print(to_script("</script>"))
    "\\u003c/script>"
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
