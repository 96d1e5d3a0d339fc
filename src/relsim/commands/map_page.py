"""The page of a map: what it is made of, and what each diagnostic means in two sentences."""

import numpy as np

from relsim.page.figure import save_map
from relsim.page.objects import Ellipses
from relsim.page.page import write_page
from relsim.page.sections import Bars, Curve, Section, Table
from relsim.scores.probability import expected_calibration_error, reliability_curve

_SHOWN = 20  # objects of a table


def write_map_page(path, embedded):
    """Write the page of an embedding.

    Parameters
    ----------
    path : path-like
    embedded : relsim.commands.embed.Embedded

    Returns
    -------
    list of str
        What was left out, in sentences.
    """
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
    """Draw the map for a talk or a paper, into files whose ends say the format."""
    save_map(paths, **_map(embedded))


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
    yield Section(
        "How well each object fits",
        "Of the answers about an object, the share that maps predict which were made without them. "
        "One far below the others may be misunderstood by people, or need a dimension more.",
        [
            Bars.of_counts(
                frame["predicted"].dropna().to_numpy(),
                xlabel="share of its answers that is predicted",
            ),
            Table(
                frame.sort_values("predicted")[["name", "comparisons", "predicted"]].head(_SHOWN),
                f"The {_SHOWN} that fit least, of {len(frame):,}.",
                objects="name",
            ),
        ],
    )
    yield Section(
        "How often each object was asked about",
        "The place of an object with few answers is a guess: its ellipse is long. "
        "`relsim next` proposes the questions that would tell most.",
        [Bars.of_counts(frame["comparisons"].to_numpy(), xlabel="comparisons that it is in")],
    )
    if embedded.held_out.probability is not None:
        yield _calibration(embedded)
    yield from embedded.checked.sections()


def _calibration(embedded):
    answers, probability = embedded.table.answers, embedded.held_out.probability
    given = probability, answers.comparisons
    curve = reliability_curve(*given, sample_weight=answers.sample_weight)
    error = expected_calibration_error(*given, sample_weight=answers.sample_weight)
    return Section(
        "Whether its probabilities can be believed",
        "Of the answers that a map gives a probability of 80 %, people should give 80 %: the points "
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
