"""What pages show that is made when the site is: the gallery, and tables of published results.

A page holds `<!-- made: name -->` where the Markdown of `MADE[name]()` comes to stand, so that no number is typed
and no picture is older than its code.
"""

import ast
import contextlib
import re
import runpy
from pathlib import Path

import matplotlib
import pandas as pd
import yaml

DOCS = Path(__file__).parent
ROOT = DOCS.parent
PUBLISHED = ROOT / "results" / "published"
PLACE = re.compile(r"<!-- made: (\S+) -->")
MEASURED = ROOT / "benchmarks" / "published"
PAPERS = {
    path.parent.name: yaml.safe_load(path.read_text(encoding="utf-8"))["title"]
    for path in sorted((ROOT / "config" / "studies").glob("*/study.yaml"))
    if path.with_name("claims.yaml").exists()
}


def fill(text):
    """Put what is made into the Markdown of a page."""
    return PLACE.sub(lambda found: MADE[found[1]](), text)


# The gallery


def scripts():
    return sorted((DOCS / "gallery").glob("*.py"))


def draw(script, folder):
    """Run a script of the gallery in a folder, where it leaves a picture of its name."""
    with contextlib.chdir(folder), matplotlib.rc_context({"backend": "agg"}):
        runpy.run_path(str(script))
        matplotlib.pyplot.close("all")


def words(script):
    """Return the title of a script and what it shows, which are its docstring."""
    title, _, text = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))).partition(
        "\n\n"
    )
    return title, text


def gallery():
    for script in scripts():
        draw(script, script.parent)
    thumbnails = [
        f"[![]({_picture(script)}) {words(script)[0]}](#{script.stem})\n" for script in scripts()
    ]
    sections = [
        f"({script.stem})=\n## {title}\n\n{text}\n\n![{title}]({_picture(script)})\n\n"
        f"```python\n{_code(script)}```\n"
        for script in scripts()
        for title, text in [words(script)]
    ]
    return "\n".join([":::{container} gallery", *thumbnails, ":::\n", *sections])


def _picture(script):
    return f"gallery/{script.stem}.png"


def _code(script):
    return script.read_text(encoding="utf-8").split('"""\n\n', 1)[1]


# Tables


def table(frame):
    """Write a table in Markdown; what is missing is an empty cell."""
    rows = frame.fillna("").astype(str).replace(r"\|", r"\\|", regex=True)
    lines = [list(rows), ["---"] * rows.shape[1], *rows.to_numpy().tolist()]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def claims():
    """The claims of each paper with their verdicts, from the scoreboard that was published."""
    board = pd.read_csv(PUBLISHED / "scoreboard.csv")
    board["parts met"] = [
        f"{row.met} of {row.met + row.not_met + row.undecided}" for row in board.itertuples()
    ]
    columns = {
        "statement": "claim",
        "where": "where",
        "verdict": "verdict",
        "verdict_fair": "against fair baselines",
        "parts met": "parts met",
        "data": "data",
        "claim": "in the figure",
    }
    return _by_study(board, board[["study", *columns]].rename(columns=columns), _effects)


def _effects(study):
    """The figure of what each part of the claims came to."""
    name = f"figures/scoreboard/effects_{study}.png"
    if not (PUBLISHED / name).exists():
        return ""
    what = f"Effects of the claims of {PAPERS[study]}, part by part, with intervals and thresholds"
    return f"\n![{what}](../results/published/{name})\n"


def printed():
    """How many of the numbers that a paper prints have one of ours beside them, and how near it is."""
    rows = pd.read_csv(PUBLISHED / "printed.csv")
    rows["has"] = rows["difference"].notna()
    rows["off"] = (rows["difference"] / rows["printed"].where(rows["printed"] != 0)).abs()
    found = (
        rows.groupby(["study", "artefact", "data"], sort=True)
        .agg(printed=("has", "size"), ours=("has", "sum"), off=("off", "median"))
        .reset_index()
    )
    found["off"] = found["off"].map("{:.0%}".format, na_action="ignore")
    found["artefact"] = found["artefact"].str.replace("-", " ").str.capitalize()
    names = {
        "artefact": "of the paper",
        "printed": "numbers printed",
        "ours": "with one of ours",
        "off": "median difference",
    }
    return _by_study(found, found.rename(columns=names))


def _by_study(rows, shown, below=lambda study: ""):
    """Write the table of each paper that has rows, and what comes below it."""
    parts = [
        f"### {PAPERS[study]}\n\n{table(shown[rows['study'] == study].drop(columns='study'))}"
        + below(study)
        for study in PAPERS
        if (rows["study"] == study).any()
    ]
    return "\n".join(parts)


def benchmarks():
    """The figures that the last published benchmark kept for README."""
    return (MEASURED / "README-table.md").read_text(encoding="utf-8")


# What README says already


def readme(title):
    """A section of README, whose links are those of the site."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]
    section = section.replace("](docs/", "](").replace("](results/", "](../results/")
    return re.sub(r"\[([^\]]+)\]\((benchmarks/.+?)\)", r'<a href="\2">\1</a>', section)


def architecture():
    """The drawing as a part of its page, so that its text has the color of the page's."""
    drawing = (DOCS / "architecture.svg").read_text(encoding="utf-8")
    return f'<div class="drawing">\n{drawing}</div>\n'


def modules():
    """Every module with the first line of its docstring, a list a folder."""
    lists = []
    for folder in sorted({path.parent for path in (ROOT / "src").rglob("*.py")}):
        first = {path.name: summary(path) for path in sorted(folder.glob("*.py"))}
        head = first.pop("__init__.py", "")
        rows = [f"- `{name}`: {line}" for name, line in first.items()]
        lists.append("\n".join([f"### `{folder.relative_to(ROOT / 'src')}/`\n\n{head}\n", *rows]))
    return "\n\n".join(lists)


def summary(path):
    """The first line of a module's docstring."""
    return (ast.get_docstring(ast.parse(path.read_bytes())) or "").split("\n")[0]


MADE = {
    "architecture": architecture,
    "modules": modules,
    "gallery": gallery,
    "claims": claims,
    "printed": printed,
    "benchmarks": benchmarks,
    "what-reproduces": lambda: readme("What reproduces"),
    "how-fast": lambda: readme("How fast"),
}
