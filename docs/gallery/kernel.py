"""The kernel as a picture

The kernel is positive semidefinite and learned from answers about 36 objects of four kinds. Rows and columns are sorted
by similarity alone, without the kinds. Each kind shows as a block.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage

from closerthan import BatchKernel
from closerthan.comparisons import sample_from_points

rng = np.random.default_rng(0)
kinds = np.repeat(np.arange(4), 9)
points = 4 * np.vstack([np.eye(3), -np.ones(3)])[kinds] + rng.normal(size=(36, 3))
triplets = sample_from_points(points, 4000, random_state=0)

kernel = BatchKernel().fit(triplets).kernel_
length = np.sqrt(np.diag(kernel))
cosine = kernel / np.outer(length, length)
order = leaves_list(linkage(cosine, method="average", optimal_ordering=True))

figure, ax = plt.subplots(figsize=(5.6, 4.8), layout="constrained")
image = ax.imshow(cosine[np.ix_(order, order)], cmap="RdBu_r", vmin=-1, vmax=1)
ax.set_xticks(range(36), kinds[order], fontsize=7)
ax.set_yticks(range(36), kinds[order], fontsize=7)
ax.set(xlabel="kind", ylabel="kind")
figure.colorbar(image, label="cosine of the learned kernel")
figure.savefig("kernel.png", dpi=110)
