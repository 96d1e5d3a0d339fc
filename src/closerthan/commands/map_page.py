"""The page of a map: what it is made of, and what each diagnostic means in two sentences."""

import numpy as np

from closerthan.page.figure import save_map
from closerthan.page.objects import Ellipses, is_numeric
from closerthan.page.page import write_page
from closerthan.page.sections import Bars, Curve, Figures, Section, Table
from closerthan.scores.probability import expected_calibration_error, reliability_curve

_SHOWN = 20  # objects of a table
_ENOUGH = 10  # comparisons, of which a share can be told
_LEGIBLE = 60  # ellipses in a figure
_CLASSES = 10  # colors of a figure


def write_map_page(path, embedded):
    """Write the page of an `Embedded`; return what was left out, in sentences."""
    facts = embedded.facts()
    return write_page(
        path,
        title=f"A map of {facts['objects']:,} objects",
        summary=" ".join(embedded.sentences()),
        figures={
            "answers": facts["answers"],
            "objects": facts["objects"],
            "predicted when held out": f"{1 - facts['error_held_out']:.1%}",
        },
        **_map(embedded),
        attributes=_attributes(embedded),
        thumbnails=embedded.images,
        sections=[*_sections(embedded)],
    )


def draw_figures(paths, embedded):
    """Draw the map for a talk or a paper, into files whose ends say the format.

    The first attribute of few different words colors the map. Ellipses are left out if there are
    many objects, because they would hide the map. The page shows them one at a time.
    """
    drawn = _map(embedded)
    if len(drawn["names"]) > _LEGIBLE:
        drawn["ellipses"] = None
    save_map(paths, **drawn, color=_classes(embedded.attributes))


def _classes(attributes):
    """Return the first column of words that puts the objects into few classes, or None."""
    for _, column in () if attributes is None else attributes.items():
        if not is_numeric(column) and 1 < column.nunique() <= _CLASSES:
            return column
    return None


def _map(embedded):
    """The objects that have a place, and their ellipses if there are any."""
    points, sure = embedded.model.embedding_, embedded.sure
    placed = np.isfinite(points).all(axis=1)
    ellipses = None
    if sure is not None:
        ellipses = Ellipses(sure.covariance[placed] * sure.quantile, sure.level)
    return {"names": embedded.table.names[placed], "points": points[placed], "ellipses": ellipses}


def _attributes(embedded):
    """What the map may be colored by: the user's columns, and how well each object is known."""
    frame = embedded.frame().set_index("name")
    known = frame[["comparisons", "predicted"]].rename(
        columns={"predicted": "predicted when held out"}
    )
    return known if embedded.attributes is None else embedded.attributes.join(known, how="outer")


def _sections(embedded):
    frame = embedded.frame()
    told = frame[frame["comparisons"] >= _ENOUGH]
    if len(told):
        yield _fit(told)
    yield Section(
        "How often each object was asked about",
        "The place of an object with few answers is a guess, and near the middle if they say next "
        "to nothing. The command closerthan next proposes the questions that would tell most.",
        [Bars.of_counts(frame["comparisons"].to_numpy(), xlabel="comparisons that it is in")],
    )
    if embedded.held_out.probability is not None:
        yield _calibration(embedded)
    yield _reliability(embedded.checked.facts())


def _fit(told):
    least = told.sort_values("predicted")[["name", "comparisons", "predicted"]].head(_SHOWN)
    caption = f"Those that fit least, of {len(told):,} objects in {_ENOUGH} comparisons or more."
    return Section(
        "How well each object fits",
        "Of the answers about an object, the share that maps predict which were made without them. "
        "One far below the others may be misunderstood by people, or need a dimension more.",
        [
            Bars.of_counts(told["predicted"].to_numpy(), xlabel="share of its answers predicted"),
            Table(least, caption, objects="name"),
        ],
    )


def _calibration(embedded):
    answers, probability = embedded.table.answers, embedded.held_out.probability
    given = probability, answers.comparisons
    curve = reliability_curve(*given, sample_weight=answers.sample_weight)
    error = expected_calibration_error(*given, sample_weight=answers.sample_weight)
    return Section(
        "Whether its probabilities can be believed",
        "Of the answers that a map gives a probability of 80 %, people should give 80 %: points "
        f"should lie on the line. In the mean they are {error:.1%} off it.",
        [
            Curve(
                curve["prob_pred"],
                curve["prob_true"],
                diagonal=True,
                xlabel="probability of an answer",
                ylabel="share of people who gave it",
            )
        ],
    )


def _reliability(facts):
    ceiling = facts["noise_ceiling"]
    meaning = (
        "No question was asked twice, so that it is not known how reliable the answers are. Ask "
        "some again: then it can be told how much of the error is the map's, and how much people's."
        if ceiling is None
        else "Where a question was answered in two ways, no map is right about both answers. What "
        "remains between the map's share and the ceiling is what a better map could gain."
    )
    contradictory = facts["contradictions"]["any"]["questions"]
    figures = {
        "questions asked again": facts["repeated_questions"],
        "of them answered in two ways": contradictory,
    }
    if facts["inconsistency"] is not None:
        figures["in circles"] = f"{facts['inconsistency']['in_cycles']:.1%}"
    if ceiling is not None:
        figures["noise ceiling"] = f"{ceiling:.1%}"
    return Section("How reliable the answers are", meaning, [Figures(figures)])
