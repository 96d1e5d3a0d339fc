"""RCA, LMNN and ITML beside metric-learn's, where that can be imported; LEGO alone.

The points are a generated mixture of the size of the UCI sets that such methods are compared on.
"M differs by" is the Frobenius norm of the difference of the two matrices, over that of ours.
"""

import warnings

import numpy as np

from closerthan.mahalanobis import ITML, LEGO, LMNN, RCA, distance_bounds, pairs_from_labels
from timing import cpu_seconds

try:
    import metric_learn
except ImportError:
    metric_learn = None

N_POINTS, N_FEATURES, N_CLASSES, N_PAIRS = 2000, 16, 10, 10_000
LARGE = 14_000


def mixture(n_points, rng):
    """Classes that overlap, with as much noise in some features as signal in others."""
    y = rng.integers(N_CLASSES, size=n_points)
    X = rng.normal(scale=np.linspace(0.2, 1.0, N_FEATURES), size=(n_points, N_FEATURES))
    return X + rng.normal(scale=0.3, size=(N_CLASSES, N_FEATURES))[y], y


def timed(fit):
    """CPU seconds of a fit, the best of three, and its model."""
    models = []
    seconds = min(cpu_seconds(lambda: models.append(fit())) for _ in range(3))
    return seconds, models[-1]


def line(name, ours, peer=None, note=""):
    """Print a row of the table."""
    seconds = f"{ours:>10.4f}" + (f"{peer:>10.3f}{peer / ours:>8.0f}" if peer else f"{'':>18}")
    print(f"{name:<26}{seconds}  {note}", flush=True)


def difference(ours, theirs):
    """Of the two matrices M."""
    ours, theirs = ours.get_mahalanobis_matrix(), theirs.get_mahalanobis_matrix()
    return f"M differs by {np.linalg.norm(ours - theirs) / np.linalg.norm(ours):.1e}"


def rca(X, y):
    """Both are closed forms."""
    seconds, model = timed(lambda: RCA().fit(X, y))
    if metric_learn is None:
        return line("RCA", seconds)
    peer_seconds, peer = timed(lambda: metric_learn.RCA().fit(X, y))
    line("RCA", seconds, peer_seconds, difference(model, peer))


def itml(X, y, bounds):
    """To the optimum of one problem; metric-learn goes through the similar pairs first."""
    pairs, sides = pairs_from_labels(y, N_PAIRS, random_state=0)
    order = np.argsort(-sides, kind="stable")
    pairs, sides = pairs[order], sides[order]
    for gamma in (0.01, 0.1):
        name = f"ITML(gamma={gamma})"
        ours = ITML(gamma, bounds=bounds, max_iter=200, tol=1e-6)
        seconds, model = timed(lambda ours=ours: ours.fit(X, pairs, sides))
        if metric_learn is None:
            line(name, seconds, note=f"{model.n_iter_} passes")
            continue
        peer = metric_learn.ITML(gamma=gamma, max_iter=model.n_iter_, tol=0.0, preprocessor=X)
        peer_seconds = cpu_seconds(lambda p=peer: p.fit(pairs, sides, bounds=bounds.copy()))
        note = f"{model.n_iter_} passes of both, {difference(model, peer)}"
        line(name, seconds, peer_seconds, note)


def lmnn(X, y):
    """Each with its own stopping rule; the objectives are those that both minimize."""
    seconds, model = timed(lambda: LMNN().fit(X, y))
    objective = model.history_["objective"]
    if metric_learn is None:
        note = f"objective {objective.iloc[0]:.0f} to {objective.iloc[-1]:.0f}"
        return line("LMNN", seconds, note=note)
    theirs = metric_learn.LMNN(n_neighbors=3, init="identity")
    peer_seconds = cpu_seconds(lambda: theirs.fit(X, y))
    at_theirs = LMNN(init=theirs.components_, max_iter=1).fit(X, y).history_["objective"].iloc[0]
    note = f"objective from {objective.iloc[0]:.0f} to {objective.iloc[-1]:.0f}, {at_theirs:.0f}"
    line("LMNN", seconds, peer_seconds, note)


def main():
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    X, y = mixture(N_POINTS, rng)
    bounds = distance_bounds(X, random_state=0)
    print(f"CPU seconds, one thread: {N_POINTS} x {N_FEATURES}, {N_CLASSES} classes")
    print(f"{'':<26}{'ours':>10}{'peer':>10}{'ratio':>8}")
    for warm_up in (LMNN(max_iter=1), RCA()):
        warm_up.fit(X[:200], y[:200])
    ITML(max_iter=1).fit(X, [[0, 1]], [1])
    rca(X, y)
    itml(X, y, bounds)
    lmnn(X, y)

    pairs, sides = pairs_from_labels(y, N_PAIRS, random_state=0)
    targets = np.where(sides == 1, *bounds)
    LEGO().fit(X, pairs[:10], targets[:10])
    seconds, _ = timed(lambda: LEGO().fit(X, pairs, targets))
    line("LEGO", seconds, note=f"{N_PAIRS / seconds / 1e6:.1f} million updates a second")

    X, y = mixture(LARGE, rng)
    models = []
    seconds = cpu_seconds(lambda: models.append(LMNN().fit(X, y)))
    rows = models[0].history_["evaluations"].iloc[-1]
    line(f"LMNN, {LARGE} x {N_FEATURES}", seconds, note=f"{rows} evaluations of the objective")


if __name__ == "__main__":
    main()
