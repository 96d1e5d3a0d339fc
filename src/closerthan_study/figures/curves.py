"""Select the rows of scores that curves show, and draw measures over epochs or triplets."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from closerthan_study.figures.panels import Layout, draw, label_ticks
from closerthan_study.figures.style import CONTROLS, Curve, Look, looks_of

KEYS = ["method", "variant", "batch_size"]
_UNMARKED = ("paper", "control")  # variants that a label does not name
GRAY = "0.55"
_MOST = 60  # points of a line in a panel


# Which rows


def with_variant(curves, variant, text="", dashes=None):
    """Return curves of another variant, with `text` added to their labels and other dashes."""
    other = {"variant": variant} | ({} if dashes is None else {"dashes": dashes})
    return [replace(curve, label=curve.label and curve.label + text, **other) for curve in curves]


def completed(page, name, curves):
    """Return the curves whose method an experiment has; fill in all except loss and sweep."""
    methods = page.experiments[name].methods
    return [_complete(page, methods[c.method], c) for c in curves if c.method in methods]


def _complete(page, method, curve):
    variant = curve.variant or ("control" if method.control else next(iter(method.variants)))
    size = curve.batch_size or method.batch_sizes_of(variant)[0]
    size = 0 if np.isnan(size) else size  # NaN: a task without mini-batches
    return replace(
        curve,
        variant=variant,
        batch_size=size,
        label=curve.label or name_curve(page, method, variant, size),
        color=curve.method if curve.color is None else curve.color,
        dashes=page.dashes.get(variant, 0) if curve.dashes is None else curve.dashes,
    )


def name_curve(page, method, variant, batch_size=0):
    """Name a method with its variant and mini-batch size as a legend or a table does."""
    own = page.study.labels.get(f"{method.name} {variant}")
    if own:
        return own
    said = [method.label]
    # A variant may have sizes of its own.
    if batch_size and len({*method.batch_sizes, *method.batch_sizes_of(variant)}) > 1:
        said.append(f"b = {batch_size}")
    if variant not in _UNMARKED:
        said.append(page.label(variant))
    return ", ".join(said)


def rows_of(page, name, scores, curves, *, loss=None, panel=""):
    """Return the rows of one measure that curves show, with curve, panel and kind of control."""
    methods = page.experiments[name].methods
    tables = []
    for curve in completed(page, name, curves):
        chosen = scores[(scores.method == curve.method) & (scores.variant == curve.variant)]
        if curve.batch_size:
            chosen = chosen[chosen.batch_size == curve.batch_size]
        if curve.loss or loss:
            chosen = chosen[chosen.loss.isin([curve.loss or loss, "none"])]
        if curve.sweep is not None:
            chosen = chosen[chosen["sweep"] == curve.sweep]
        control = methods[curve.method].control
        tables.append(chosen.assign(curve=curve.label, panel=panel, control=control))
    return pd.concat(tables, ignore_index=True)


def looks_for(page, name, curves):
    """Return the looks of curves by label; controls are gray."""
    curves = completed(page, name, curves)
    methods = page.experiments[name].methods
    wanted = [(c.label, c.color, c.dashes) for c in curves if not methods[c.method].control]
    looks = looks_of(wanted, page.colors)
    for curve in curves:
        control = methods[curve.method].control
        if control:
            looks[curve.label] = Look(GRAY, CONTROLS.get(control, (1, 1.5)), "")
    return looks


# Figures


@dataclass(frozen=True)
class Panel:
    """A panel: curves of an experiment, their tidy scores, and a title."""

    name: str  # of the experiment
    scores: pd.DataFrame
    curves: list
    title: str = ""
    loss: str | None = None  # for curves that do not name a loss
    noise: float | None = None  # None: all levels

    def rows(self, page, scores=None):
        """Return the rows that the panel shows, from its scores or from `scores`."""
        scores = self.scores if scores is None else scores
        scores = scores if self.noise is None else scores[scores.noise == self.noise]
        return rows_of(page, self.name, scores, self.curves, loss=self.loss, panel=self.title)


def draw_panels(page, panels, diverged=None, **layout):
    """Draw panels that share a legend; crosses at the top mark trials in `diverged`."""
    tidy = pd.concat([panel.rows(page) for panel in panels])
    looks = looks_for(page, panels[0].name, [curve for panel in panels for curve in panel.curves])
    ends = None
    if diverged is not None:
        ends = pd.concat([panel.rows(page, diverged) for panel in panels])
    return draw(tidy, looks, Layout(**layout), ends)


def learning_curves(page, name, curves, *, measure="test_error", rows=None, **layout):
    """Draw learning curves of an experiment: one panel per loss it has, or per key of `curves`.

    Several levels of noise have a panel each. `rows` replaces the scores of the experiment. A cross
    at the top marks a trial that diverged.
    """
    scores = page.scores(name, page.dataset(name)) if rows is None else rows
    shown = scores[scores.measure == measure]
    if isinstance(curves, dict):
        panels = [Panel(name, shown, of_panel, title) for title, of_panel in curves.items()]
    else:
        losses = [loss for loss in page.losses if loss in set(shown.loss)]
        panels = [Panel(name, shown, curves, page.losses[loss], loss) for loss in losses]
    if len(noises := sorted(shown.noise.dropna().unique())) > 1:
        panels = [
            replace(panel, noise=noise, title=f"{panel.title}, noise {noise:g}".removeprefix(", "))
            for panel in panels
            for noise in noises
        ]
    options = {"x": "triplets" if shown.triplets.notna().any() else "epoch"}
    options["ylabel"] = measure.replace("_", " ")
    return draw_panels(page, panels, find_divergences(scores), **options | layout)


def find_divergences(scores):
    """Return the fits with a norm above 1e12 or NaN, with the first such epoch."""
    norms = scores[scores.measure == "norm"]
    beyond = norms[~(norms.value <= 1e12)]
    keys = [*KEYS, "loss", "noise", "sweep", "trial"]
    return beyond.groupby(keys, dropna=False).epoch.min().reset_index()


def effective_passes(page, name):
    """Return the scores of streams with effective passes: gradient evaluations per triplet."""
    scores = page.scores(name)
    methods = page.experiments[name].methods
    online = [key for key, method in methods.items() if "revisits" in method.sweep]
    return scores.assign(passes=scores["sweep"] + scores.method.isin(online))


def over_epochs(page, name, method, variants, parameter, others=None):
    """Draw the error of maps over the epochs of a method, one curve per swept value.

    `variants` has the panel title of each variant, and `parameter` the name of the swept parameter.
    `others` has the labels of methods beside it, which are drawn if they have the variant.
    """
    scores = page.scores(name)
    errors = prolonged(scores[scores.measure == "mse"])
    values = sorted(value for _, value in page.experiments[name].methods[method].sweeps)
    panels = []
    for variant, title in variants.items():
        shown = [
            Curve(method, variant, f"{parameter} {value:g}", sweep=value, color=n, dashes=n)
            for n, value in enumerate(values)
        ]
        for other, label in (others or {}).items():
            if variant in page.experiments[name].methods[other].variants:
                n = len(shown)
                shown.append(Curve(other, variant, label, color=n, dashes=n))
        panels.append(Panel(name, errors, shown, title))
    options = {"x": "epoch", "xscale": "log", "yscale": "log"}
    ylabel = "mean squared error of the distances"
    return draw_panels(page, panels, ylabel=ylabel, **options)


def prolonged(rows, most=_MOST):
    """Return curves from epoch 1, extended to the last epoch with their last value."""
    keys = ["dataset", "method", "variant", "loss", "batch_size", "noise", "sweep", "trial"]
    wide = rows.pivot(index="epoch", columns=keys, values="value").sort_index().ffill().loc[1:]
    wide = wide.iloc[thinned(len(wide), most or len(wide))]
    return wide.unstack().rename("value").reset_index()


def thinned(n, most):
    """Return which of n places are kept: all, or places even on a logarithmic axis."""
    if n <= most:
        return np.arange(n)
    return np.unique(np.geomspace(1, n, most).round().astype(int)) - 1


def over_sweep(page, names, curves, measures, *, xlabel, printed=None):
    """Draw final values over a swept parameter, one panel per measure.

    `names` has the experiments, each with the value to use if it has no sweep; such trials are
    others, and are not joined to the lines. `measures` has the title and the divisor of each
    panel. `printed` adds a line at a printed mean.
    """
    tidy, others = [], ", other trials"
    for name, value in names.items():
        scores = page.scores(name)
        scores = scores if value is None else scores.assign(sweep=float(value))
        scores = scores[scores.triplets == scores.triplets.max()]
        for measure, (title, divisor) in measures.items():
            chosen = scores[scores.measure == measure]
            chosen = chosen.assign(value=chosen.value / divisor)
            rows = rows_of(page, name, chosen, curves, panel=title)
            tidy.append(rows if value is None else rows.assign(curve=rows.curve + others))
    tidy, looks = pd.concat(tidy), looks_for(page, next(iter(names)), curves)
    found = [label for label in looks if label + others in set(tidy.curve)]
    looks |= {label + others: replace(looks[label], marker="D") for label in found}
    if printed:
        artefact, measure = printed
        row = page.printed_in(artefact).set_index("statistic").loc["mean"]
        whole = page.spec.whole.experiment(page.name, row.experiment)
        level = {"curve": "number in the paper", "value": row.printed / whole.comparisons.n_train}
        level |= {"panel": measures[measure][0], "control": "printed"}
        tidy = pd.concat([tidy, pd.DataFrame([level])])
        looks[level["curve"]] = Look(GRAY, CONTROLS["truth"], "")
    figure = draw(tidy, looks, Layout("sweep", xlabel=xlabel, sharey=False))
    places = np.unique(tidy["sweep"].dropna())
    for ax in figure.axes:
        highest = ax.dataLim.ymax  # from zero on, or what hardly changes would look as if it did
        ax.set_ylim(-0.03 * highest, 1.1 * highest)
        label_ticks(ax, places)
    return figure


def over_sizes(page, name, curves, artefact):
    """Draw the seconds to the target error over mini-batch sizes, in units of a single comparison.

    `artefact` has printed means of the first curve's method, which are drawn beside ours.
    """
    methods = page.experiments[name].methods
    shown = [
        replace(curve, batch_size=size)
        for curve in completed(page, name, curves)
        for size in methods[curve.method].batch_sizes_of(curve.variant)
    ]
    seconds = page.seconds(name)
    chosen = seconds[seconds.measure == "seconds_to_error"]
    tidy = [
        rows_of(page, name, chosen, shown, loss=loss, panel=title)
        for loss, title in page.losses.items()
    ]
    printed = page.printed_in(artefact)
    printed = printed[(printed.statistic == "mean") & (printed.our_method == curves[0].method)]
    panels = printed.loss.map(page.losses).fillna(printed.our_loss.map(page.losses))
    tidy.append(printed.assign(curve="printed", panel=panels, value=printed.printed, control=None))
    tidy = pd.concat(tidy).astype({"batch_size": float})
    single = tidy[tidy.batch_size == 1].groupby(["panel", "curve"]).value.mean()
    units = single.reindex(pd.MultiIndex.from_frame(tidy[["panel", "curve"]])).to_numpy()
    looks = looks_for(page, name, curves) | {"printed": Look("0.2", (1, 1), "*")}
    rows = tidy.assign(value=tidy.value / units).dropna(subset="value")
    words = {"xlabel": "b", "ylabel": "seconds, in units of b = 1"}
    return draw(rows, looks, Layout("batch_size", xscale="log", **words))


def with_level(figure, value):
    """Add a horizontal line to every panel of a figure, and return the figure."""
    for ax in figure.axes:
        ax.axhline(value, color=GRAY, lw=0.8, ls=(0, CONTROLS["features"]), zorder=0)
    return figure
