"""Draw the pictures of docs/how-it-works.md; `python docs/draw.py how-it-works` runs this file."""

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
from scipy.linalg import eigh

from closerthan import OnlineKernel, OrdinalEmbedding
from closerthan.comparisons import sample_from_points, swap_answers
from closerthan.datasets import load_eurodist
from closerthan.kernels.projection import GRADIENTS
from closerthan.losses import NAMES, STE, find_loss
from closerthan.mds import PatternSearchMDS
from closerthan.mds.dissimilarities import Dissimilarities, as_columns
from closerthan.optimize import SVRG, Objective
from closerthan.scores import raw_stress

BLUE, RED, GRAY = "#0072b2", "#d55e00", "0.6"


def pull(points, comparisons):
    """Return the negative gradient of the mean loss, a row for each object."""
    objective = Objective(STE(), comparisons, points.shape)
    X = objective.pad(points)
    return -objective.points(objective.gradient(X, np.empty_like(X)))


def arrow(ax, start, end, color):
    """Draw an arrow from one place to another."""
    width = 0.007 * np.ptp(ax.get_xlim())
    dx, dy = np.subtract(end, start)
    ax.arrow(*start, dx, dy, color=color, width=width, length_includes_head=True, zorder=3)


# A triplet pulls two points

before = np.array([[0.0, 0.0], [1.7, 0.45], [-0.55, -0.8]])
after = before.copy()
for _ in range(25):
    after += 0.02 * pull(after, np.array([[0, 1, 2]]))

figure, ax = plt.subplots(figsize=(4.6, 3.2), layout="constrained")
ax.set(xlim=(-1.0, 2.0), ylim=(-1.2, 0.85), aspect="equal")
ax.set_axis_off()
white = {"facecolor": "white", "edgecolor": "none", "pad": 1}
for p, color in ((1, BLUE), (2, RED)):
    for points, at, shade, style in ((before, 0.6, "0.45", ":"), (after, 0.35, color, "-")):
        line = points[[0, p]]
        length = np.linalg.norm(line[1] - line[0])
        ax.plot(*line.T, style, color=shade)
        place = line[0] + at * (line[1] - line[0])
        ax.text(*place, f"{length:.1f}", color=shade, ha="center", va="center", bbox=white)

words = "i", "j should be nearer", "k should be farther"
for p, color, shift in ((0, "black", (-5, 14)), (1, BLUE, (-60, 20)), (2, RED, (16, -4))):
    ax.plot(*before[p], "o", ms=9, mec=color, mfc="white")
    ax.plot(*after[p], "o", ms=9, color=color)
    arrow(ax, before[p], after[p], color)
    ax.annotate(words[p], after[p], shift, textcoords="offset points", color=color)

figure.savefig("triplet.png", dpi=140)


# Six losses

difference = np.linspace(-2.5, 2.5, 201)
near, far = 1.5 + difference / 2, 1.5 - difference / 2  # d(i, j) and d(i, k)
curves = [find_loss(name)().values(near**2, far**2) for name in NAMES.values()]

figure, axes = plt.subplots(
    3, 2, sharex=True, sharey=True, figsize=(4.6, 5.2), layout="constrained"
)
for ax, name, curve in zip(axes.flat, NAMES, curves, strict=True):
    ax.plot(difference, np.transpose(curves), color="0.85", lw=1)
    ax.plot(difference, curve, color=BLUE, lw=2.5)
    ax.axvline(0, color=GRAY, lw=0.8, ls=":")
    ax.text(-2.3, 7.8, name, color=BLUE, fontsize=11)
    ax.set(xlim=(-2.5, 2.5), ylim=(0, 9))
    ax.spines[["top", "right"]].set_visible(False)

figure.supxlabel("agrees  ←  d(i, j) - d(i, k)  →  contradicts", fontsize=10)
figure.supylabel("loss", fontsize=10)
figure.savefig("losses.png", dpi=140)


# A step of SVRG-SBB

truth = np.random.default_rng(0).normal(size=(10, 2))
answers, _ = swap_answers(sample_from_points(truth, 300, random_state=0), 0.1, random_state=0)
epochs = []  # three for each anchor: at it, halfway, at the end
model = OrdinalEmbedding(2, loss="ste", penalty=None, init="random", solver=SVRG(), random_state=1)
model.set_params(callback=lambda points, row: epochs.append((points.copy(), row["step_size"])))
model.set_params(max_iter=8).fit(answers)
(last, _), (anchor, step_size), (points, _) = epochs[0], epochs[3], epochs[4]

batches = answers[np.random.default_rng(0).integers(300, size=(25, 10))]
pulls = np.array([pull(points, batch) for batch in batches])
corrected = pulls + pull(anchor, answers) - [pull(anchor, batch) for batch in batches]

sizes = {"height_ratios": (1, 1.4), "figsize": (4.6, 5.4)}
figure, (way, far) = plt.subplots(2, layout="constrained", **sizes)
for some, color in ((pulls, "0.75"), (corrected, BLUE)):
    for end in some[:, 3]:
        way.plot([0, end[0]], [0, end[1]], color=color, lw=1.2)

way.set(aspect="equal", title="Which way?")
way.set_axis_off()
arrow(way, (0, 0), pull(points, answers)[3], "black")
for height, word, color in (
    (0.95, "mini-batches", "0.5"),
    (0.85, "corrected", BLUE),
    (0.75, "all answers", "black"),
):
    way.text(1, height, word, color=color, ha="right", transform=way.transAxes)

move = anchor - last
at = np.linspace(-0.2, 3, 65)
slope = [-np.sum(pull(last + t * move, answers) * move) for t in at]
ends = [-np.sum(pull(end, answers) * move) for end in (last, anchor)]
plain = 1 + ends[1] / (ends[0] - ends[1])
stable = 1 - ends[1] * 300 * step_size / np.sum(move**2)
far.axhline(0, color=GRAY, lw=0.8)
far.plot(at, slope, color="black")
far.plot([0, plain], [ends[0], 0], ":", color=RED, lw=2)
far.plot([1, stable], [ends[1], 0], ":", color=BLUE, lw=2)
far.plot([0, 1], ends, "o", color="black", ms=8)
for place, word, color, shift in ((plain, "plain", RED, 8), (stable, "stabilized", BLUE, -70)):
    far.plot(place, 0, "o", color=color, ms=8, clip_on=False)
    far.annotate(word, (place, 0), (shift, 8), textcoords="offset points", color=color)

far.set(title="How far?", ylabel="slope of the loss", yticks=[0], ylim=(None, 0.008))
far.set_xticks([0, 1], ["last\nanchor", "this\nanchor"])
far.spines[["top", "right"]].set_visible(False)
figure.savefig("svrg.png", dpi=140)


# A kernel and its projection

online = OnlineKernel(n_objects=4, margin=1.5).fit([[0, 1, 2], [1, 0, 3], [3, 1, 2]])
start, answer = online.kernel_, [2, 1, 0]
end = online.set_params(margin=5.0).partial_fit([answer]).kernel_
stepped, size = start.copy(), online.history_["step_size"].iloc[-1]
stepped[np.ix_(answer, answer)] -= size * GRADIENTS["symmetric"].matrix
kernels = start, stepped, end

axes = np.transpose([(stepped - start).ravel(), (end - stepped).ravel()])
axes = np.linalg.qr(axes)[0].T
axes *= np.sign([axes[0] @ (stepped - start).ravel(), axes[1] @ (end - stepped).ravel()])[:, None]
angles = np.linspace(0, 2 * np.pi, 721)
around = np.transpose([np.cos(angles), np.sin(angles)])
least = [eigh((way @ axes).reshape(4, 4), start, eigvals_only=True)[0] for way in around]
edge = around / np.maximum(np.negative(least), 0.05)[:, None]  # where an eigenvalue reaches zero

sizes = {"height_ratios": (1.5, 1), "figsize": (4.6, 4.1)}
figure, (plane, line) = plt.subplots(2, layout="constrained", **sizes)
plane.fill(*edge.T, color="#cfe3f0")
plane.set(xlim=(-1.6, 3.4), ylim=(-0.6, 1.9), aspect="equal")
plane.set_axis_off()
plane.text(-0.4, 1.2, "kernels", color="0.35", fontsize=11)
line.axvspan(-1.2, 0, color="0.92", zorder=0)
names, colors = ("kernel", "after the step", "projected"), ("black", RED, BLUE)
places = [axes @ (kernel - start).ravel() for kernel in kernels]
for row, shift in enumerate(((-42, 6), (10, -4), (10, -4))):
    plane.plot(*places[row], "o", color=colors[row], ms=8)
    plane.annotate(names[row], places[row], shift, textcoords="offset points", color=colors[row])
    line.plot(np.linalg.eigvalsh(kernels[row]), [row] * 4, "o", color=colors[row], ms=8)

arrow(plane, places[0], places[1], RED)
arrow(plane, places[1], places[2], BLUE)
line.set(xlim=(-1.2, 3), ylim=(2.5, -0.5), xlabel="eigenvalues")
line.set_yticks(range(3), names)
line.spines[["top", "right"]].set_visible(False)
figure.savefig("kernel.png", dpi=140)


# Pattern-search moves

roads = load_eurodist().distances / 1000  # Athens is the first city
others = PatternSearchMDS(metric="precomputed", random_state=0).fit(roads).embedding_[1:]
search = Dissimilarities(roads)


def stress(athens):
    return raw_stress(np.vstack([athens, others]), roads)


def moved(athens, radius):
    """Return where an epoch moves Athens while the others are in their places."""
    X = as_columns(np.vstack([athens, others]))
    search.epoch(X, np.arange(2), radius, bad_moves=False)
    return search.points(X)[0]


path, radius = [np.array([0.4, 0.6])], 0.8
while radius > 0.15:
    path.append(moved(path[-1], radius))
    if np.array_equal(path[-1], path[-2]):
        radius /= 2

x, y = np.meshgrid(np.linspace(-2.4, 3.3, 90), np.linspace(-2.4, 2.0, 70))
height = np.reshape([stress(place) for place in zip(x.flat, y.flat, strict=True)], x.shape)
levels = np.geomspace(height.min() + 0.1, height.max(), 12)
figure, ax = plt.subplots(figsize=(4.6, 3.7), layout="constrained")
ax.contour(x, y, height, levels, colors="0.85", linewidths=1)
ax.plot(*others.T, "o", color=GRAY, ms=4)
for way in ((1, 0), (0, 1), (-1, 0), (0, -1)):
    place = path[0] + np.multiply(0.8, way)
    color = BLUE if np.allclose(place, path[1]) else "0.45"
    ax.plot(*np.transpose([path[0], place]), ":", color=color)
    ax.plot(*place, "o", mfc="white", mec=color, ms=8)
    number = f"{stress(place):.0f}"
    ax.annotate(number, place, (-22, 6), textcoords="offset points", color=color)

ax.set(aspect="equal", xlim=(-2.4, 3.3), ylim=(-2.4, 2.0))
ax.set_axis_off()
for start, end in pairwise(path):
    if not np.array_equal(start, end):
        arrow(ax, start, end, BLUE)

ax.plot(*path[0], "o", color="black", ms=8)
ax.plot(*path[-1], "o", color=BLUE, ms=8)
ax.annotate("Athens", path[-1], (-50, -4), textcoords="offset points", color=BLUE)
figure.savefig("moves.png", dpi=140)
