"""What pages show that a command makes: the gallery, and tables of published results.

A page holds `<!-- made: name -->` where the Markdown of `MADE[name]()` comes to stand, so that no number is typed
and no picture is older than its code. What is read without the site also stands in the file, up to `<!-- made -->`:
`python docs/made.py` writes it there, and a test compares.
"""

import ast
import contextlib
import io
import re
import runpy
import tokenize
from functools import partial
from pathlib import Path
from textwrap import shorten

import matplotlib
import pandas as pd
import yaml

from closerthan_study.report.items import read_items

DOCS = Path(__file__).parent
ROOT = DOCS.parent
PUBLISHED = ROOT / "results" / "published"
PLACE = re.compile(r"<!-- made: (\S+) -->")
WRITTEN = re.compile(r"<!-- made: (\S+) -->\n((?:(?!<!-- made: ).)*?)<!-- made -->", re.DOTALL)
README = ROOT / "README.md"
_STUDIES = ROOT / "config" / "studies"
PAPERS = {
    study: yaml.safe_load((_STUDIES / study / "study.yaml").read_text(encoding="utf-8"))["title"]
    for study in yaml.safe_load((ROOT / "config" / "config.yaml").read_text())["studies"]
}


def fill(text, made):
    """Put what is made, functions by name, into the Markdown of a page of the site."""
    return PLACE.sub(lambda found: made[found[1]](), WRITTEN.sub(r"<!-- made: \1 -->", text))


def write(text, made):
    """Put what is made between each pair of marks."""

    def between(found):
        shown = made[found[1]]() if found[1] in made else found[2]
        return f"<!-- made: {found[1]} -->\n{shown}<!-- made -->"

    return WRITTEN.sub(between, text)


def holding(some):
    """Return the pages that hold what is made."""
    return [page for page in some if WRITTEN.search(page.read_text(encoding="utf-8"))]


def pages():
    """Return the files that hold what is made of these pages and README."""
    return holding([README, *sorted(DOCS.glob("*.md"))])


# The gallery


def scripts(docs=DOCS):
    return sorted((docs / "gallery").glob("*.py"))


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


def gallery(docs=DOCS):
    shown = scripts(docs)
    for script in shown:
        draw(script, script.parent)
    thumbnails = [
        f"[![]({_picture(script)}) {words(script)[0]}](#{script.stem})\n" for script in shown
    ]
    sections = [
        f"({script.stem})=\n## {title}\n\n{text}\n\n![{title}]({_picture(script)})\n\n"
        f"```python\n{_code(script)}```\n"
        for script in shown
        for title, text in [words(script)]
    ]
    return "\n".join([":::{container} gallery", *thumbnails, ":::\n", *sections])


def _picture(script):
    return f"gallery/{script.stem}.png"


def _code(script):
    return script.read_text(encoding="utf-8").split('"""\n\n', 1)[1]


# What reproduces

LONGEST = 200  # letters of a cell
BRIEF = 110  # of what is said of a claim


def table(frame):
    """Write a table in Markdown; what is missing is an empty cell."""
    rows = frame.astype(object).fillna("").astype(str).replace(r"\|", r"\\|", regex=True)
    lines = [list(rows), ["---"] * rows.shape[1], *rows.to_numpy().tolist()]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def count():
    """Say how many claims have each verdict against the baselines of the papers."""
    board = pd.read_csv(PUBLISHED / "scoreboard.csv")
    n = board["verdict"].value_counts()
    no_data = without_data(board).sum()
    files = [(_STUDIES / study / "claims.yaml").read_text(encoding="utf-8") for study in PAPERS]
    n_later = len([c for text in files for c in yaml.safe_load(text) if c != "defaults"]) - len(
        board
    )
    later = f" {n_later} claims have come since that run." if n_later else ""
    return (
        f"The four papers make {len(board)} claims. Against the papers' own baselines, {n['reproduced']} "
        f"of them hold here in every part, {n['partly']} in some parts and {n['not']} in none. The other "
        f"{n['open']} are open, {no_data} of them because the data could not be had here.{later}\n"
    )


def without_data(board):
    """Return which claims are open because only other data than the paper's could be had."""
    judged = board[["met", "level", "not_met", "open"]].sum(axis=1) > 0  # not all parts are void
    return board["verdict"].eq("open") & board["data"].eq("stand-in") & judged


def learned():
    """Say what one learns from the verdicts, in numbers."""
    board = pd.read_csv(PUBLISHED / "scoreboard.csv")
    again = board[board["verdict_fair"].notna()]
    own, fair = again["verdict"].value_counts(), again["verdict_fair"].value_counts()
    readings = pd.read_csv(PUBLISHED / "readings.csv").groupby(["study", "claim"]).ngroups
    return f"""1. **Fair baselines change verdicts.** A fair baseline is tuned like the paper's method, or is a faster program, or
   did not run in the paper. Of {len(again)} claims that were judged against both kinds, {own["reproduced"]} hold in every part
   against the paper's own baselines, and {fair["reproduced"]} against fair ones.
2. **Settings that a paper leaves open decide claims.** Some are not printed, and some are contradicted by the paper's
   own numbers or by its code. Of {readings} claims with several readings, {board["readings"].eq("differ").sum()} have another verdict under another reading.
3. **Without the data a claim stays open.** Some answers, images and vectors of words could not be had. Where other data
   stand in and cannot test a claim, it stays open.
"""


def painted(name, study):
    """Return the rows of a paper in a table of the scoreboard that is published."""
    rows = pd.read_csv(PUBLISHED / "tables" / "scoreboard" / f"{name}.csv", keep_default_na=False)
    return rows[rows["paper"] == short(study)].drop(columns="paper")


def items():
    """Every figure and table of the papers: ours, and the verdicts of the claims that name it."""
    board = pd.read_csv(PUBLISHED / "scoreboard.csv")
    of_papers = [read_items(study, board, ROOT).assign(paper=short(study)) for study in PAPERS]
    listed = pd.concat(of_papers, ignore_index=True)
    shown = {
        "figure or table": listed["paper"] + ", " + listed["item"],
        "shows": listed["shows"],
        "ours": [", ".join(map(_link, stems)) or "none" for stems in listed["ours"]],
        "claims about it": listed["verdicts"],
        "not as in the paper": listed["differs"],
    }
    return table(pd.DataFrame(shown))


def short(study):
    return PAPERS[study].partition(":")[0]


def _link(stem):
    path = next(PUBLISHED.glob(f"{stem}.*"))
    kind = path.relative_to(PUBLISHED).parts[0].removesuffix("s")  # figure or table
    return f"[{kind}](../{path.relative_to(ROOT)})"


def claims(study):
    """The table of a paper's claims, and the figure of what each part came to."""
    board = pd.read_csv(PUBLISHED / "scoreboard.csv", index_col=["study", "claim"]).loc[study]
    judged = painted("judged", study).set_index("name")
    why = judged["why"].map(_brief).mask(without_data(board), "the data could not be had")
    fair = judged["against fair baselines"]
    said = why.where(why.eq(""), ": " + why) + fair.where(fair.eq(""), "; fair: " + fair)
    shown = {
        "claim": board["statement"].str.removesuffix(".").map(_brief),
        "where": board["where"],
        "verdict": judged["verdict"] + said,
        "data, settings": judged["data"] + ", " + judged["settings"],
    }
    what = f"Ratios of the claims of {short(study)}, with interval and threshold"
    figure = f"../results/published/figures/scoreboard/effects_{study}.png"
    return f"{table(pd.DataFrame(shown, index=board.index))}\n![{what}]({figure})\n"


def _brief(words):
    return shorten(words, BRIEF, placeholder=" …")


def _title(artefact):
    words = {
        "authors-figures": "Figures of the authors' code",
        "sister-figure": "Figure of a sister paper",
    }
    return words.get(artefact) or artefact.replace("-", " ").capitalize()


def printed():
    """How many of the numbers that a paper prints on its data have one of ours, and how near it is."""
    rows = pd.read_csv(PUBLISHED / "printed.csv").query("data != 'stand-in'").copy()
    rows["has"] = rows["difference"].notna()
    rows["off"] = (rows["difference"] / rows["printed"].where(rows["printed"] != 0)).abs()
    found = (
        rows.groupby(["study", "artefact", "data"], sort=True)
        .agg(
            printed=("has", "size"), ours=("has", "sum"), off=("off", "median"), most=("off", "max")
        )
        .reset_index()
    )
    for column in ("off", "most"):
        found[column] = found[column].map("{:,.0%}".format, na_action="ignore")
    found["artefact"] = found["artefact"].map(_title)
    names = {
        "artefact": "figure or table",
        "printed": "numbers",
        "ours": "with ours",
        "off": "median difference",
        "most": "largest difference",
    }
    found["study"] = found["study"].map(short)
    return table(found.rename(columns={"study": "paper", **names}))


HOUSES = {  # from left to right
    "closerthan": ROOT / "src",
    "closerthan_study": ROOT / "src",
}
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def architecture():
    """The drawing as a part of its page, so that its text has the color of the page's.

    The sizes of the packages are rounded to hundreds of lines.
    """
    drawing = (DOCS / "architecture.svg").read_text(encoding="utf-8")
    for house in HOUSES:
        for place, lines in zip(("{code}", "{docstrings}"), size(house), strict=True):
            drawing = drawing.replace(place, f"{round(lines, -2):,}", 1)
    return f'<div class="drawing">\n{drawing}</div>\n'


def size(house):
    """Return the lines of code and the lines of docstrings of a package."""
    sources = [path.read_text(encoding="utf-8") for path in (HOUSES[house] / house).rglob("*.py")]
    code, docstrings = zip(*map(count_lines, sources), strict=True)
    return sum(code), sum(docstrings)


def count_lines(source):
    """Return how many lines hold code, and how many docstrings; comments and blanks are neither."""
    documented = (node for node in ast.walk(ast.parse(source)) if isinstance(node, DOCUMENTED))
    first = [node.body[0] for node in documented if ast.get_docstring(node) is not None]
    docstrings = {line for node in first for line in range(node.lineno, node.end_lineno + 1)}
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    held = [t for t in tokens if t.type != tokenize.COMMENT and t.string.strip()]
    code = {line for token in held for line in range(token.start[0], token.end[0] + 1)}
    return len(code - docstrings), len(docstrings)


def modules(houses=HOUSES):
    """Every module with the first line of its docstring, a list a folder."""
    lists = []
    paths = [path for house, source in houses.items() for path in (source / house).rglob("*.py")]
    for folder in sorted({path.parent for path in paths}):
        first = {path.name: summary(path) for path in sorted(folder.glob("*.py"))}
        head = first.pop("__init__.py", "")
        rows = [f"- `{name}`: {line}" for name, line in first.items()]
        lists.append("\n".join([f"### `{folder.relative_to(ROOT)}/`\n\n{head}\n", *rows]))
    return "\n\n".join(lists) + "\n"


def summary(path):
    """The first line of a module's docstring."""
    return (ast.get_docstring(ast.parse(path.read_bytes())) or "").split("\n")[0]


MADE = {
    "architecture": architecture,
    "gallery": gallery,
    "count": count,
    "learned": learned,
    "items": items,
    "printed": printed,
    **{f"claims-{study}": partial(claims, study) for study in PAPERS},
}


def write_pages(some, made):
    for page in some:
        page.write_text(write(page.read_text(encoding="utf-8"), made), encoding="utf-8")


if __name__ == "__main__":
    write_pages(pages(), MADE)
