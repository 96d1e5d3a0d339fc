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

import matplotlib
import pandas as pd
import yaml

DOCS = Path(__file__).parent
ROOT = DOCS.parent
PUBLISHED = ROOT / "results" / "published"
PLACE = re.compile(r"<!-- made: (\S+) -->")
WRITTEN = re.compile(r"<!-- made: (\S+) -->\n((?:(?!<!-- made: ).)*?)<!-- made -->", re.DOTALL)
MEASURED = PUBLISHED / "benchmarks"
README = ROOT / "README.md"
PAPERS = {
    path.parent.name: yaml.safe_load(path.read_text(encoding="utf-8"))["title"]
    for path in sorted((ROOT / "config" / "studies").glob("*/study.yaml"))
    if path.with_name("claims.yaml").exists()
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


def changelog():
    """The changelog. Its links to pages that are here no longer are plain words."""

    def link(found):
        words, page = found.groups()
        return f"[{words}]({page})" if (DOCS / page).exists() else words

    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    return re.sub(r"\[([^]]+)\]\(docs/([\w-]+\.md)\)", link, text)


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


# What reproduces, and how fast

PEER = "cblearn STE"
RACES = {  # what the table of speed calls a problem: n, triplets and p of the benchmark, and its noise
    "100 objects in 10 dimensions, 10,000 triplets": (100, 10_000, 10, 0.0),
    "the same, a tenth of the answers wrong": (100, 10_000, 10, 0.1),
    "10,000 objects in 10 dimensions, 1,000,000 triplets": (10_000, 1_000_000, 10, 0.0),
}
SIZES = 2  # dimensions of the problems that are as large as real data sets
OURS = {"default": "`OrdinalEmbedding()`", "auto": "STE alone, no penalty"}


def table(frame):
    """Write a table in Markdown; what is missing is an empty cell."""
    rows = frame.astype(object).fillna("").astype(str).replace(r"\|", r"\\|", regex=True)
    lines = [list(rows), ["---"] * rows.shape[1], *rows.to_numpy().tolist()]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def count():
    """Say how many claims have each verdict against the baselines of the papers."""
    board = pd.read_csv(PUBLISHED / "scoreboard.csv")
    n = board["verdict"].value_counts()
    judged = board[["met", "level", "not_met", "open"]].sum(axis=1) > 0  # not all parts are void
    no_data = (board["verdict"].eq("open") & board["data"].eq("stand-in") & judged).sum()
    waiting = n.get("not yet judged")
    later = f"; the scores for {waiting} come with the next run" if waiting else ""
    return (
        f"The four papers make {len(board)} claims. Against the papers' own baselines, {n['reproduced']} "
        f"of them hold here in every part, {n['partly']} in some parts and {n['not']} in none. The other "
        f"{n['open']} are open, {no_data} of them because the data could not be had here{later}.\n"
    )


def painted(name, study):
    """Return the rows of a paper in a table of the scoreboard that is published."""
    rows = pd.read_csv(PUBLISHED / "tables" / "scoreboard" / f"{name}.csv", keep_default_na=False)
    return rows[rows["paper"] == PAPERS[study].partition(":")[0]].drop(columns="paper")


def claims(study):
    """The table of a paper's claims, and the figure of what each part came to."""
    shown = painted("judged", study).drop(columns=["why", "figure or table", "name"])
    what = f"Ratios of the claims of {PAPERS[study]}, of the lowest part of each kind, with interval and threshold"
    figure = f"../results/published/figures/scoreboard/effects_{study}.png"
    return f"{table(shown)}\n![{what}]({figure})\n"


def cards(study):
    """The evidence for each claim of a paper, a section a claim."""
    parts = painted("parts", study)
    return "\n".join(
        _card(study, claim, parts[parts["name"] == claim["name"]].drop(columns="name"))
        for claim in painted("judged", study).to_dict("records")
    )


def _card(study, claim, parts):
    """Return the evidence for a claim: the verdict, whence, its parts, and where more is shown."""
    lines = [f"### {claim['name']}\n", f"> {claim['claim']}\n"]
    said = {"Verdict": claim["verdict"]}
    for name in ("against fair baselines", "why", "settings", "data", "the setting that decides"):
        said[name.capitalize()] = claim[name]
    said["Figure or table"] = ", ".join(
        f"[{path.name}](../results/published/{path.relative_to(PUBLISHED)})"
        for path in sorted(PUBLISHED.glob(f"{claim['figure or table']}.*"))
    )
    said["Printed numbers beside ours"] = ", ".join(
        f"[{_title(name)}](#{_printed_target(study, name)})"
        for name in dict.fromkeys(_printed(study)["artefact"])
        if re.search(rf"\b{_title(name)}\b", claim["claim"].replace("sec.", "Section"))
    )
    lines += [f"- {name}: {words}." for name, words in said.items() if words]
    return "\n".join([*lines, "", table(parts) if len(parts) else ""])


def printed_beside_ours(study):
    """The numbers that a paper prints, each with ours, in a table for each table of the paper."""
    numbers = _printed(study)
    shown = pd.DataFrame(
        {
            **{key: numbers[key] for key in ("artefact", "dataset", "loss", "method")},
            "what": numbers["metric"] + ", " + numbers["setting"],
            "printed": [_short(row.printed) or row.printed_status for row in numbers.itertuples()],
            "ours": [_with_interval(row) for row in numbers.itertuples()],
            "data": numbers["data"],
        }
    )
    return "\n".join(
        f"({_printed_target(study, name)})=\n**{_title(name)}**\n\n{table(rows.drop(columns='artefact'))}"
        for name, rows in shown.groupby("artefact", sort=False)
    )


def _printed(study):
    numbers = pd.read_csv(PUBLISHED / "printed.csv").query("study == @study")
    return numbers[~numbers["setting"].isin(["min", "max", "std"])]


def _title(artefact):
    words = {
        "authors-figures": "Figures of the authors' code",
        "sister-figure": "Figure of a sister paper",
    }
    return words.get(artefact) or artefact.replace("-", " ").capitalize()


def _printed_target(study, artefact):
    return f"printed-{study}-{artefact}".replace("_", "-").replace(".", "-")


def _short(number):
    return "" if pd.isna(number) else f"{number:.4g}"


def _with_interval(row):
    if pd.isna(row.ours):
        return row.status
    interval = "" if pd.isna(row.low) else f" [{row.low:.3g}, {row.high:.3g}]"
    return f"{_short(row.ours)}{interval}, n = {row.reached} of {row.trials}"


def printed():
    """How many of the numbers that a paper prints have one of ours beside them, and how near it is."""
    rows = pd.read_csv(PUBLISHED / "printed.csv")
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
        "ours": "numbers with one of ours",
        "off": "median difference",
        "most": "largest difference",
    }
    found["study"] = found["study"].map(PAPERS)
    return table(found.rename(columns={"study": "paper", **names}))


def speed():
    """CPU seconds and test errors of whole fits: the default, one loss, and the same loss of a peer."""
    fits = pd.read_csv(MEASURED / "tables" / "compare-1.csv")
    fits = fits.query("peer == @PEER and start == 'same' and environment == 'stock'")
    rows = []
    for name, problem in RACES.items():
        same = fits[fits[["n", "triplets", "p", "noise"]].eq(list(problem)).all(axis=1)]
        of = same.set_index("ours")
        row = {
            shown: _seconds(of["whole: our CPU ms"][ours], of["our end"][ours])
            for ours, shown in OURS.items()
        }
        first = same.iloc[0]
        row["cblearn's STE"] = _seconds(first["whole: peer's CPU ms"], first["peer's end"])
        rows.append({"problem": name} | row)
    many = fits[fits["p"].eq(SIZES)]
    (default, alone), (elapsed, elapsed_alone) = (
        [_spread(many[f"whole: {kind} ratio"][many["ours"] == ours]) for ours in OURS]
        for kind in ("cpu", "wall")
    )
    n_problems = many["ours"].value_counts().iloc[0]
    return f"""{table(pd.DataFrame(rows))}
On {n_problems} generated problems, with sizes of real data sets, cblearn needs {default} times the CPU time
of the default, and {alone} times that of STE alone (median and range). In elapsed time it is
{elapsed} and {elapsed_alone} times, because it uses several threads.
"""


def _spread(ratios):
    numbers = pd.to_numeric(ratios.str.split().str[0])
    middle, least, most = map(_two_digits, numbers.agg(["median", "min", "max"]))
    return f"{middle} ({least} to {most})"


def _seconds(milliseconds, end):
    """Write seconds with the test error; a fit that was stopped would have taken longer."""
    error, _, stopped = str(end).partition(", ")
    seconds = int(milliseconds / 1000) if stopped else _two_digits(milliseconds / 1000)
    return f"{'> ' if stopped else ''}{seconds} s ({error})"


def _two_digits(value):
    return f"{value:.0f}" if value >= 99.5 else f"{value:#.2g}".rstrip(".")


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
    "changelog": changelog,
    "architecture": architecture,
    "modules": modules,
    "gallery": gallery,
    "count": count,
    "printed": printed,
    **{f"claims-{study}": partial(claims, study) for study in PAPERS},
    **{f"cards-{study}": partial(cards, study) for study in PAPERS},
    **{f"printed-{study}": partial(printed_beside_ours, study) for study in PAPERS},
    "speed": speed,
}


def write_pages(some, made):
    for page in some:
        page.write_text(write(page.read_text(encoding="utf-8"), made), encoding="utf-8")


if __name__ == "__main__":
    write_pages(pages(), MADE)
