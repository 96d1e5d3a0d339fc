"""What theorems promise and what they ask for: rates, duality gaps, and bounds on a mini-batch."""

from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from relsim.study.figures.captions import symbol
from relsim.study.figures.curves import completed, looks_for, rows_of
from relsim.study.figures.panels import add_legend, draw, draw_lines
from relsim.study.figures.style import DASHES, Curve, Look, palette

__all__ = ["condition", "gaps", "hessians", "largest_batch", "rates", "smoothness"]

N_TRIPLETS = 1000  # that L is estimated from
LEAST = 1e-9  # lower gaps to the least loss known are drawn here
ROUNDING = 1e-15  # where rounding counts


def smoothness(loss, points, triplets):
    """Largest curvature that the loss of a single triplet has, over some triplets.

    Parameters
    ----------
    loss : Loss
    points : ndarray of shape (n_objects, p)
    triplets : ndarray of shape (n, 3)

    Returns
    -------
    float
        The largest absolute eigenvalue of the Hessians with respect to the three points: an
        estimate from below of the constant L of eq. (18) near these points.
    """
    return float(np.abs(np.linalg.eigvalsh(hessians(loss, points, triplets))).max())


def hessians(loss, points, triplets):
    """Hessians of the losses of triplets, (n, 3 p, 3 p), by the chain rule through both distances.

    Parameters
    ----------
    loss : Loss
    points : ndarray of shape (n_objects, p)
    triplets : ndarray of shape (n, 3)
    """
    p = points.shape[1]
    signs_near, signs_far = np.array([1, -1, 0]), np.array([1, 0, -1])
    x_i, x_j, x_k = points[triplets.T]
    near, far = x_i - x_j, x_i - x_k
    a, b = (near**2).sum(axis=1), (far**2).sum(axis=1)
    toward_near, toward_far = 2 * np.kron(signs_near, near), 2 * np.kron(signs_far, far)
    slope_a, slope_b = loss.slopes(a, b, p)
    (aa, ab), (_, bb) = _second_derivatives(loss, a, b, p)
    mixed = _outer(ab, toward_near, toward_far)
    curved = [
        slope[:, None, None] * 2 * np.kron(np.outer(signs, signs), np.eye(p))
        for slope, signs in ((slope_a, signs_near), (slope_b, signs_far))
    ]
    return (
        _outer(aa, toward_near, toward_near)
        + _outer(bb, toward_far, toward_far)
        + mixed
        + mixed.transpose(0, 2, 1)
        + sum(curved)
    )


def _outer(weights, left, right):
    """Weighted outer products of rows."""
    return np.einsum("n,ni,nj->nij", weights, left, right)


def _second_derivatives(loss, a, b, n_components):
    """Central differences of the slopes with respect to a and to b."""
    step = 1e-5 * np.maximum(np.maximum(a, b), 1e-3)
    rows = []
    for da, db in ((step, 0.0), (0.0, step)):
        below = np.maximum(a - da, 0.0), np.maximum(b - db, 0.0)
        low = np.array(loss.slopes(*below, n_components))
        high = np.array(loss.slopes(a + da, b + db, n_components))
        rows.append((high - low) / (a + da - below[0] + b + db - below[1]))
    return rows


def largest_batch(epsilon, smoothness, n_comparisons):
    """Bound (24) on the size of a mini-batch, for an update frequency of n_comparisons.

    Examples
    --------
    >>> round(largest_batch(0.3, 9.74, 10_000), 1)
    4.6
    """
    ratio = epsilon / smoothness
    first = ratio**2 / (1 + np.sqrt(1 + 4 * ratio))
    second = ratio / (2 * (1 + np.sqrt(1 + 4 / ratio)))
    return float(n_comparisons * min(first, second))


def condition(page, name, curve, n_triplets=N_TRIPLETS):
    """Return a row a loss: epsilon, the estimate of L, and the bound (24) on a mini-batch.

    Parameters
    ----------
    page : Page
    name : str
        The experiment.
    curve : Curve
        The method, at whose last points of the first trial L is estimated.
    n_triplets : int, default N_TRIPLETS
        Of the training triplets of that trial, those that L is estimated from.
    """
    from relsim.study.tasks.losses import make_loss

    experiment, dataset = page.experiments[name], page.dataset(name)
    train = page.trial(name, dataset, "comparisons")
    train = train[train.part == "train"]
    triplets = train[["i", "j", "k"]].to_numpy()[:n_triplets]
    (curve,) = completed(page, name, [curve])
    rows = []
    for key, title in page.losses.items():
        points = page.points(name, dataset, replace(curve, loss=key))
        loss = make_loss(page.study.losses[key], experiment.n_components)
        constant = smoothness(loss, points, triplets)
        settings = experiment.methods[curve.method].variant(curve.variant).settings(key)
        epsilon = settings["epsilon"]
        bound = largest_batch(epsilon, constant, len(train))
        rows.append({"loss": title, "ε": epsilon, "L": constant, "bound on b": bound})
    return pd.DataFrame(rows)


def rates(page, name, curve):
    """Draw how gradients and losses fall: above over 1/T, below above the least loss known.

    Parameters
    ----------
    page : Page
    name : str
        The experiment.
    curve : Curve
        The method whose gradients are shown; all are in the panels below.
    """
    scores = page.scores(name)
    scores = scores[scores.epoch > 0]
    (curve,) = completed(page, name, [curve])
    shown = {
        "mean_squared_gradient": "mean over the iterates so far",
        "squared_gradient": "at the last one",
    }
    look = page.colors[curve.method]
    above = {
        words: Look(look.color, d, "") for words, d in zip(shown.values(), DASHES, strict=False)
    }
    n = len(page.losses)
    figure, axes = plt.subplots(2, n, figsize=(2.6 * n + 0.8, 5.6), sharex="row", sharey="row")
    methods = [Curve(method) for method in page.experiments[name].methods]
    below = looks_for(page, name, methods)
    for (top, bottom), (loss, title) in zip(axes.T, page.losses.items(), strict=True):
        rows = [
            rows_of(page, name, scores[scores.measure == m], [replace(curve, label=w)], loss=loss)
            for m, w in shown.items()
        ]
        draw_lines(top, pd.concat(rows), above, x="epoch", markers=False)
        line = rows[0].groupby("epoch").value.median()
        guide = line.iloc[-1] * line.index[-1] / line.index
        top.plot(line.index, guide, color="0.6", lw=1, ls="--")
        label = "gradient evaluations / |Q|"
        top.set(xscale="log", yscale="log", title=title, xlabel=label, ylabel="")
        gaps = scores[scores.measure == "suboptimality"]
        gaps = gaps.assign(value=gaps.value.clip(lower=LEAST))
        of_loss = rows_of(page, name, gaps, methods, loss=loss)
        draw_lines(bottom, of_loss, below, x="epoch")
        bottom.set(yscale="log", xlabel=label, ylabel="")
    axes[0, 0].set_ylabel("squared gradient norm")
    axes[0, 0].set_ylim(bottom=max(1e-6, axes[0, 0].get_ylim()[0]))
    axes[1, 0].set_ylabel("loss above the least known")
    add_legend(figure, above | {"1/T": Look("0.6", (4, 1.5), "")} | below)
    return figure


def gaps(page, name, method):
    """Draw the duality gap over epochs and its bound, a panel a data set and a color a λ.

    Parameters
    ----------
    page : Page
    name : str
        The experiment.
    method : str
        The method, which sweeps λ.
    """
    scores = page.scores(name)
    letter = symbol(page, next(iter(page.experiments[name].methods[method].sweep)))
    values = sorted(scores["sweep"].dropna().unique())
    kinds = {"duality_gap": "", "gap_bound": ", its bound"}
    tidy, looks = [], {}
    for n, (value, look) in enumerate(zip(values, palette(values).values(), strict=True)):
        for (measure, words), dashes in zip(kinds.items(), DASHES, strict=False):
            label = f"{letter} = {value:g}{words}"
            looks[label] = Look(look.color, dashes, look.marker if not words else "")
            rows = scores[(scores["sweep"] == value) & (scores.measure == measure)]
            tidy.append(rows.assign(curve=label, control=None, order=n))
    tidy = pd.concat(tidy)
    tidy["panel"] = tidy.dataset.map(page.label)
    return draw(
        tidy,
        looks,
        x="epoch",
        xlabel="epochs",
        ylabel="duality gap",
        yscale="log",
        sharey=False,
        size=(2.3, 2.9),
        floor=ROUNDING,
        markers=False,
    )
