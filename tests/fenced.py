"""Find the fenced blocks of a page, and what they should print."""

import re

FENCE = re.compile(r"^( *)(`{3,}|:{3,})(\S[^\n]*)\n(.*?)^\1\2$", re.MULTILINE | re.DOTALL)


def blocks(text):
    """Yield the fenced blocks of a page: language, line, content and expected output."""
    found = list(FENCE.finditer(text))
    for number, block in enumerate(found):
        after = found[number + 1] if number + 1 < len(found) else None
        prints = after and after[3] == "text" and not text[block.end() : after.start()].strip()
        yield block[3], text[: block.start(4)].count("\n"), block[4], after[4] if prints else ""


def commands(block):
    """Yield each command of a console block with its expected output."""
    for command in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, output = command.partition("\n")
        yield line, output


def stripped(text):
    """Return the lines without trailing blanks, which pandas prints and editors remove."""
    return [line.rstrip() for line in text.splitlines()]
