"""Measure how often the 90 % confidence ellipses of a bootstrap contain the true points.

Answers are simulated. Each row is a setting: objects, triplets per object, and noise. The noise is
a share of swapped answers or a noise model; "odd" means that one of three objects is picked, which
gives two triplets. The results are the share of true points in their ellipses, with its standard
error, and the median radius over the standard deviation of the points. It takes 15 minutes.
"""

import argparse
from itertools import product

import numpy as np
from tqdm import tqdm

from closerthan import OrdinalEmbedding
from closerthan.comparisons import (
    bradley_terry_luce,
    from_odd_one_out,
    sample_from_points,
    swap_answers,
)
from closerthan.losses import STE
from closerthan.scores import procrustes_align
from closerthan_lab.uncertainty import bootstrap

NOISES = [0.0, 0.05, 0.15, 0.25, "ste", "btl", "odd"]


def answers_about(points, n_answers, noise, rng):
    """Return triplets of points, answered with noise."""
    if noise == "odd":
        return odd_ones(points, n_answers // 2, rng)
    triplets = sample_from_points(points, n_answers, replace=True, random_state=rng)
    if noise == "btl":
        return bradley_terry_luce(triplets, points, exponent=3.0, random_state=rng)[0]
    if noise != "ste":
        return swap_answers(triplets, noise, random_state=rng)[0]
    i, j, k = points[triplets].transpose(1, 0, 2)
    likely = STE().probability(((i - j) ** 2).sum(axis=1), ((i - k) ** 2).sum(axis=1))
    other = rng.random(n_answers) >= likely
    return np.where(other[:, None], triplets[:, [0, 2, 1]], triplets)


def odd_ones(points, n_screens, rng):
    """Return screens of three objects; pairs have probability ~ exp(-squared distance)."""
    objects = np.array([rng.choice(len(points), 3, replace=False) for _ in range(n_screens)])
    others = points[objects[:, [[1, 2], [0, 2], [0, 1]]]]
    far = ((others[:, :, 0] - others[:, :, 1]) ** 2).sum(axis=2)
    odd = (far - rng.gumbel(size=far.shape)).argmin(axis=1)
    return from_odd_one_out(objects, objects[np.arange(n_screens), odd])


def trial(n, per_object, noise, seed, n_components=2):
    """Return the share of true points in their ellipses, and the median relative radius."""
    rng = np.random.default_rng([seed, n, per_object, NOISES.index(noise)])
    points = rng.normal(size=(n, n_components))
    answers = answers_about(points, n * per_object, noise, rng)
    model = OrdinalEmbedding(n_components, n_objects=n, random_state=0)
    sure = bootstrap(model, answers, random_state=seed)
    ellipses = sure.ellipses()
    away = procrustes_align(sure.embedding, points) - sure.embedding
    angle = np.radians(ellipses["angle"].to_numpy())
    along = away[:, 0] * np.cos(angle) + away[:, 1] * np.sin(angle)
    across = away[:, 1] * np.cos(angle) - away[:, 0] * np.sin(angle)
    held = (along / ellipses["major"]) ** 2 + (across / ellipses["minor"]) ** 2 <= 1
    radius = np.sqrt(ellipses["major"] * ellipses["minor"]).median()
    return held.mean(), radius / sure.embedding.std(axis=0).mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--components", type=int, default=2, help="the first two are looked at")
    args = parser.parse_args()
    print("objects  triplets  noise  held        radius")
    for n, per_object, noise in tqdm(list(product((20, 30, 60), (10, 40), NOISES))):
        found = [trial(n, per_object, noise, k, args.components) for k in range(args.trials)]
        shares, radii = zip(*found, strict=True)
        error = np.std(shares, ddof=1) / np.sqrt(args.trials)
        held = f"{np.mean(shares):.3f} ± {error:.3f}"
        tqdm.write(f"{n:7}  {per_object:8}  {noise!s:>5}  {held}  {np.mean(radii):.2f}")


if __name__ == "__main__":
    main()
