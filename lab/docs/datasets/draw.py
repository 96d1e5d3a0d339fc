"""Draw the figure of each page of this folder, and fill the table of first embeddings.

`make draw-datasets` runs it, and `python lab/docs/datasets/draw.py cars60 mlds` draws some pages only.
What a caption or the table says of the data is computed here, and written into the page.
"""

import re
import sys
import textwrap
import warnings
from functools import cache
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from PIL import Image
from scipy.spatial.distance import pdist, squareform
from scipy.stats import spearmanr
from sklearn.decomposition import PCA
from tqdm import tqdm

from closerthan import OrdinalEmbedding
from closerthan.comparisons import split, to_rankings
from closerthan_lab.datasets import list_datasets, load
from closerthan_lab.datasets.registered import modules
from closerthan_lab.quality import agreement, inconsistency, noise_ceiling
from closerthan_lab.scale import DifferenceScale
from closerthan_study.figures.maps import write_names
from closerthan_study.figures.style import style

FOLDER = Path(__file__).parent
INDEX = FOLDER.parent / "datasets.md"
TABLE = re.compile(
    r"(<!-- first embeddings -->\n)(.*?)(<!-- end of first embeddings -->)", re.DOTALL
)
sys.path.append(str(FOLDER.parents[2] / "docs"))
from pictures import keep, numbers  # noqa: E402

DIMENSIONS = (1, 2, 3, 5)
SPLITS = 5
SHARE = 0.8
SCORED = (
    "Right: share of the comparisons, by weight, that an embedding gets wrong in the answers to "
    f"held-out questions, default settings, fitted to the answers to {SHARE:.0%} of the questions; "
    f"mean over {SPLITS} random splits, the band from the lowest to the highest."
)
CEILING = (
    "Dashed, in a band of its 95% interval: the least error that any embedding could have, because "
    "answers to the same question differ."
)


# What is computed


@cache
def of(name):
    return load(name)


def embed(name, answers=None):
    """Fit with default settings."""
    data = of(name)
    model = OrdinalEmbedding(2, n_objects=data.info["n_objects"], random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # objects that no answer names have no place
        return model.fit(data.answers if answers is None else answers).embedding_


@cache
def held_out_errors(name, n_components):
    """The errors on held-out questions, one a split; an object never trained on is an error."""
    data, errors = of(name), []
    for seed in range(SPLITS):
        train, test = split(data.answers, SHARE, random_state=seed)
        model = OrdinalEmbedding(n_components, n_objects=data.info["n_objects"], random_state=seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            errors.append(1 - model.fit(train).score(test))
    return np.array(errors)


def upright(points):
    """Turn points to their principal axes, which a fit leaves open."""
    return PCA().fit_transform(points)


# What every figure shares


def draw_errors(ax, name):
    rows = [
        {"dimensions": str(p), "held-out error": error}
        for p in DIMENSIONS
        for error in held_out_errors(name, p)
    ]
    sns.lineplot(
        pd.DataFrame(rows), x="dimensions", y="held-out error", marker="o", ax=ax,
        errorbar=("pi", 100),
    )  # fmt: skip
    ceiling = noise_ceiling(of(name).answers)
    if np.isfinite(ceiling.value):
        ax.axhline(1 - ceiling.value, color="0.3", linestyle="--", linewidth=1)
        ax.axhspan(1 - ceiling.high, 1 - ceiling.low, color="0.3", alpha=0.15, linewidth=0)
    ax.set_ylim(0, 0.5)
    ax.set_yticks(np.linspace(0, 0.5, 6))


def draw_points(ax, points, names=None, **options):
    sns.scatterplot(x=points[:, 0], y=points[:, 1], ax=ax, **{"s": 22} | options)
    ax.set(xticks=[], yticks=[], xlabel="", ylabel="", aspect="equal")
    sns.despine(ax=ax, left=True, bottom=True)
    if names is not None:
        write_names(ax, points, names)


def beside(ratio=1.6, height=3.6):
    return plt.subplots(1, 2, figsize=(7.6, height), width_ratios=[ratio, 1])


def spread(points, n):
    """Return n objects that are far from each other."""
    chosen = [int(np.argmax(np.linalg.norm(points - points.mean(axis=0), axis=1)))]
    nearest = np.full(len(points), np.inf)
    while len(chosen) < n:
        nearest = np.minimum(nearest, np.linalg.norm(points - points[chosen[-1]], axis=1))
        chosen.append(int(nearest.argmax()))
    return chosen


def count(number):
    return f"{number:,}"


# One figure a page


def cars60():
    data = of("cars60")
    figure, (left, right) = beside()
    classes = data.class_names[data.labels]
    draw_points(left, upright(embed("cars60")), hue=classes, style=classes)
    left.legend(loc="upper center", bbox_to_anchor=(0.5, 0), ncols=2, fontsize=7)
    draw_errors(right, "cars60")
    return figure, (
        f"Left: the {data.info['n_objects']} cars in two dimensions, from all "
        f"{count(data.answers.n_screens)} answers, by the classes of the source, which the embedding "
        f"was not told. {SCORED} {CEILING}"
    )


def food100():
    data = of("food100")
    figure, (left, right) = beside()
    draw_points(left, upright(embed("food100")))
    draw_errors(right, "food100")
    return figure, (
        f"Left: the {data.info['n_objects']} dishes in two dimensions, from all "
        f"{count(data.answers.n_screens)} choices. {SCORED} {CEILING} Grids that overlap are different "
        "questions here, so triplets of a held-out grid may follow from another one too."
    )


def things_ooo():
    data = of("things_ooo")
    figure, (left, right) = beside()
    points = upright(embed("things_ooo"))
    draw_points(left, points, s=3, alpha=0.5, linewidth=0)
    named = spread(points, 60)
    write_names(
        left, points[named], [data.object_names[i].strip("123").replace("_", " ") for i in named]
    )
    draw_errors(right, "things_ooo")
    return figure, (
        f"Left: the {count(data.info['n_objects'])} things in two dimensions, from all "
        f"{count(data.answers.n_screens)} answers, with the names of 60 that are far apart. {SCORED} "
        f"{CEILING} It rests mostly on 440 questions, half of which were chosen because models "
        "disagree on them, so that for most others people may differ less."
    )


def animals37():
    data = of("animals37")
    answers = data.answers
    rankings = to_rankings(answers)[1]
    figure, (left, right) = beside(1.3, 4.2)
    draw_points(left, upright(embed("animals37")), data.object_names)
    people = np.unique(answers.participant)
    rows = [
        {
            "by": "one person" if a == b else "two people",
            "pair": a if a == b else f"{a} and {b}",
            "agreement": agreement(
                answers.take(np.isin(answers.participant, [a, b])),
                people="same" if a == b else "different",
            ),
        }
        for i, a in enumerate(people)
        for b in people[i:]
    ]
    rows.sort(key=lambda row: row["by"])
    table = pd.DataFrame(rows)
    value, low, high = (np.array([row[k] for row in table["agreement"]]) for k in range(3))
    colors = dict(zip(table["by"].unique(), sns.color_palette(), strict=False))
    for row, by in enumerate(table["by"]):
        right.errorbar(
            value[row], row, xerr=[[value[row] - low[row]], [high[row] - value[row]]],
            fmt="o", color=colors[by],
        )  # fmt: skip
    right.set_yticks(range(len(table)), table["pair"])
    right.invert_yaxis()
    right.set(xlabel="agreement on the order of two animals", xlim=(0.5, 1))
    return figure, (
        f"Left: the {data.info['n_objects']} animals in two dimensions, from all "
        f"{count(len(rankings))} rankings. Right: how often two rankings of the same {rankings.shape[1]} "
        "animals, given by one person (above) or by two people (below), put two of them in the same "
        "order, with 95% intervals over the questions; chance is a half."
    )


def vispa():
    data = of("vispa")
    figure, (left, right) = beside()
    pairs = np.unique(np.sort(data.comparisons.reshape(-1, 2), axis=1), axis=0)
    partners = np.bincount(pairs.ravel())
    sns.histplot(partners, discrete=True, ax=left)
    left.set(xlabel="words that a word was paired with", ylabel="words", xlim=(0, 15))
    draw_errors(right, "vispa")
    return figure, (
        f"Left: with how many others each of {count(data.info['n_objects'])} words was paired: with "
        f"{np.median(partners):.0f} in the median, too few to place it, and with up to {partners.max()}, beyond "
        f"this picture. {SCORED} The error depends on which part has the five sets that all people saw. {CEILING}"
    )


def mlds():
    names = [name for name, module in modules().items() if module.endswith(".mlds")]
    titles = {name: list_datasets().title[name].split(": ")[-1] for name in names}
    figure, axes = plt.subplots(2, 3, figsize=(7.6, 4.6))
    for ax, name in zip(axes.flat, names, strict=True):
        data = of(name)
        levels = data.features[:, 0]
        for person in np.unique(data.answers.participant):
            answers = data.answers.take(data.answers.participant == person)
            found = DifferenceScale().fit(answers, order=range(len(levels))).intervals()
            sns.lineplot(x=levels, y=found["scale"], marker="o", ax=ax, markersize=4)
            ax.fill_between(levels, found["low"], found["high"], alpha=0.15, linewidth=0)
        ax.set_title(titles[name], fontsize=8)
        ax.set(xlabel="physical level", ylabel="scale")
    return figure, (
        "Difference scales over the physical level of the stimuli, a line an observer, from 0 for the lowest "
        "stimulus to 1 for the highest: stimuli that are seen to differ equally lie equally far apart. "
        "Bands: 90% confidence intervals. A scale takes the order of the stimuli, and not their levels."
    )


def cfd36():
    data = of("cfd36")
    figure, (left, right) = beside()
    groups = {"B": "Black", "W": "White", "F": "woman", "M": "man"}
    of_face = [[groups[letter] for letter in name.split("-")[1]] for name in data.object_names]
    race, sex = zip(*of_face, strict=True)
    draw_points(left, upright(embed("cfd36")), hue=list(race), style=list(sex), s=40)
    left.legend(loc="upper center", bbox_to_anchor=(0.5, 0), ncols=4, fontsize=7)
    draw_errors(right, "cfd36")
    return figure, (
        f"Left: the {data.info['n_objects']} photographs in two dimensions, from all "
        f"{count(data.answers.n_screens)} answers, by the database's codes for the person shown, which the "
        f"embedding was not told. {SCORED} {CEILING}"
    )


def melody():
    data = of("melody")
    figure, (left, right) = beside()
    answers = data.answers
    ties = np.bincount(answers.screen) == 2
    share = pd.DataFrame({"question": answers.question, "tie": ties}).groupby("question").tie.mean()
    sns.histplot(share, bins=np.linspace(-0.05, 1.05, 12), ax=left)
    left.set(xlabel="share of answers that are ties", ylabel="questions")
    draw_errors(right, "melody")
    return figure, (
        f"Left: of {len(share)} questions, the share of the answers that say both variations are equally "
        f"like the query. {SCORED} Half of a tie is always wrong. {CEILING}"
    )


def voices():
    data = of("voices")
    figure, (left, right) = beside()
    groups = [name.rpartition(" ")[0].replace("_", " ") for name in data.object_names]
    draw_points(left, upright(embed("voices")), hue=groups, s=25)
    left.legend(loc="upper center", bbox_to_anchor=(0.5, 0), ncols=4, fontsize=7)
    draw_errors(right, "voices")
    return figure, (
        f"Left: the {data.info['n_objects']} speakers in two dimensions, from all "
        f"{count(data.answers.n_screens)} answers, by first language, which the embedding was not told. "
        f"{SCORED} {CEILING}"
    )


def perceptual_kernels():
    figure, axes = plt.subplots(2, 3, figsize=(7.6, 5), sharey=True)
    for row, form in enumerate(("triplets", "odd_one_out")):
        for column, stimuli in enumerate(("color", "shape", "shapecolor")):
            name, ax = f"perceptual_{stimuli}_{form}", axes[row, column]
            distances = squareform(pdist(embed(name)))
            n = len(distances)
            rated = ratings(of(name), n)
            above = np.triu_indices(n, k=1)
            sns.regplot(
                x=distances[above] / distances.max(), y=rated[above], ax=ax, fit_reg=False,
                scatter_kws={"s": 12},
            )  # fmt: skip
            rank = spearmanr(distances[above], rated[above]).statistic
            ax.set_title(f"{stimuli}, {form.replace('_', ' ')}: ρ = {rank:.2f}", fontsize=8)
            ax.set(
                xlabel="distance in the embedding" if row else "",
                ylabel="" if column else "mean rated difference",
            )
    return figure, (
        "Mean ratings of pairs of objects over their distances in two-dimensional embeddings of the answers "
        "to triplets (above) and to odd ones out (below), a point a pair, with Spearman's rank correlation."
    )


def ratings(data, n):
    """The mean rating of each pair, either way round."""
    rows = data.ratings["rating"]
    i, j = rows[:, :2].astype(int).T
    total, times = np.zeros((n, n)), np.zeros((n, n))
    for first, second in ((i, j), (j, i)):
        np.add.at(total, (first, second), rows[:, 2])
        np.add.at(times, (first, second), 1)
    return total / np.maximum(times, 1)


PAGES = (
    cars60, food100, things_ooo, animals37, vispa, mlds, cfd36, melody, voices, perceptual_kernels
)  # fmt: skip


# Into the pages


def write_page(draw):
    name = draw.__name__
    figure, caption = draw()
    picture = FOLDER / f"{name}.png"
    figure.savefig(picture, dpi=130)
    with Image.open(picture) as drawn:
        keep(drawn, picture, numbers(figure))
    plt.close(figure)
    page = FOLDER / f"{name}.md"
    text = page.read_text(encoding="utf-8")
    picture = re.search(rf"!\[[^\]]*\]\({name}\.png\)\n\n\*.*?\*\n", text, re.DOTALL)
    alt = picture[0].split("\n\n")[0]
    page.write_text(text.replace(picture[0], f"{alt}\n\n*{fill(caption)}*\n"), encoding="utf-8")


def fill(text, width=105):
    return "\n".join(textwrap.wrap(text, width, break_on_hyphens=False, break_long_words=False))


def table():
    """Return the table of first embeddings."""
    known = list_datasets()
    known = known[known.n_answers.notna()]
    lines = [
        "| data set | form | objects | answers | people | held-out error | least possible | contradictory |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name in tqdm(known.index, desc="first embeddings"):
        entry = known.loc[name]
        errors = held_out_errors(name, 2)
        ceiling = noise_ceiling(of(name).answers)
        broken = inconsistency(of(name).answers)
        least = "not known: no question was repeated"
        if np.isfinite(ceiling.value):
            least = f"{1 - ceiling.value:.3f} ({1 - ceiling.high:.3f} to {1 - ceiling.low:.3f})"
        people = "unknown" if pd.isna(entry.n_people) else count(entry.n_people)
        page = FOLDER / f"{modules()[name].rpartition('.')[2]}.md"
        shown = f"[{name}](datasets/{page.name})" if page.exists() else name
        lines.append(
            f"| {shown} | {entry.form} | {count(entry.n_objects)} | {count(entry.n_answers)} | {people} "
            f"| {errors.mean():.3f} ({errors.min():.3f} to {errors.max():.3f}) | {least} "
            f"| {broken.least:.3f} to {broken.most:.3f} |"
        )
    return "\n".join(lines) + "\n"


def write_table():
    text = INDEX.read_text(encoding="utf-8")
    INDEX.write_text(TABLE.sub(lambda found: found[1] + table() + found[3], text), encoding="utf-8")


def main(names):
    style()
    pages = [draw for draw in PAGES if not names or draw.__name__ in names]
    for draw in tqdm(pages, desc="figures"):
        write_page(draw)
    if not names:
        write_table()


if __name__ == "__main__":
    main(sys.argv[1:])
