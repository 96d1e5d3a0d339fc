"""Write the page of a map: its content, and a short explanation of each diagnostic."""

import numpy as np

from closerthan.scores.probability import expected_calibration_error, reliability_curve
from closerthan_lab.page.figure import save_map
from closerthan_lab.page.objects import Ellipses, is_numeric
from closerthan_lab.page.page import write_page
from closerthan_lab.page.sections import Bars, Line, Section, Table

_SHOWN = 20  # objects in a table
_ENOUGH = 10  # comparisons that an object needs for a meaningful accuracy
_LEGIBLE = 60  # ellipses in a figure
_CLASSES = 10  # colors of a figure
_CALIBRATED = 0.03  # largest mean calibration error of probabilities that are shown


def write_map_page(path, embedded):
    """Write the page of an `Embedded`; return sentences that say what was left out."""
    facts = embedded.facts()
    return write_page(
        path,
        title=f"A map of {facts['objects']:,} objects",
        summary=" ".join(embedded.sentences()),
        figures={
            "answers": facts["answers"],
            "objects": facts["objects"],
            "held-out accuracy": f"{1 - facts['error_held_out']:.1%}",
        },
        **_map(embedded),
        attributes=_attributes(embedded),
        thumbnails=embedded.images,
        sections=[*_sections(embedded)],
    )


def draw_figures(paths, embedded):
    """Draw the map for a talk or a paper. The suffix of each file sets its format.

    The first attribute of few words colors the map. Ellipses of many objects are left out.
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
    """Return the objects that have a position, with their ellipses if there are any."""
    points, sure = embedded.model.embedding_, embedded.sure
    placed = np.isfinite(points).all(axis=1)
    ellipses = None
    if sure is not None:
        # An object that nothing links to the largest group has none; a dot is drawn there.
        ellipses = Ellipses(np.nan_to_num(sure.covariance[placed]) * sure.quantile, sure.level)
    return {"names": embedded.table.names[placed], "points": points[placed], "ellipses": ellipses}


def _attributes(embedded):
    """Return the columns that can color the map: the user's, and two on the answers."""
    frame = embedded.frame().set_index("name")
    known = frame[["comparisons", "predicted"]].rename(columns={"predicted": "held-out accuracy"})
    return known if embedded.attributes is None else embedded.attributes.join(known, how="outer")


def _sections(embedded):
    frame = embedded.frame()
    told = frame[frame["comparisons"] >= _ENOUGH]
    if len(told):
        yield _fit(told)
    if embedded.held_out.probability is not None:
        yield _calibration(embedded)


def _fit(told):
    least = told.sort_values(["predicted", "name"]).head(_SHOWN)
    caption = f"Lowest accuracy among {len(told):,} objects with {_ENOUGH} comparisons or more."
    return Section(
        "Held-out accuracy of each object",
        "The share of held-out answers about an object that the map predicts. An object far below "
        "the others may be misunderstood by participants, or need one more dimension.",
        [
            Bars.of_counts(told["predicted"].to_numpy(), xlabel="held-out accuracy"),
            Table(least[["name", "comparisons", "predicted"]], caption, objects="name"),
        ],
    )


def _calibration(embedded):
    answers, probability = embedded.table.answers, embedded.held_out.probability
    given = probability, answers.comparisons
    curve = reliability_curve(*given, sample_weight=answers.sample_weight)
    error = expected_calibration_error(*given, sample_weight=answers.sample_weight)
    title, said = "Calibration of the predicted probabilities", f"calibration error is {error:.1%}"
    if error > _CALIBRATED:
        why = "The loss was chosen to predict answers, not their probabilities."
        return Section(title, f"The mean {said}: do not use these probabilities. {why}")
    columns = curve["prob_pred"], curve["prob_true"]
    return Section(
        title,
        "If a map is calibrated, 80% of the answers with a predicted probability of 80% are given, "
        f"and the points lie on the line. The mean {said}.",
        [Line(*columns, "predicted probability of an answer", "observed share")],
    )
