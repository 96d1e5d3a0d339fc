"""Measure the cost of BLAS threads for each estimator: stock environment against one thread.

One process has no variable of BLAS, OpenMP or numba set. The other has one BLAS thread. They take
turns, and each is idle while the other works. A number is the time of stock divided by the time of
one thread: the median of the rounds, with the range.
"""

import argparse
import json
import subprocess
import sys
import time

import numpy as np

from workers import environment

SECONDS = 0.5  # least time that a process works on a case in a round


def cases():
    """Return the functions to time, by name, with data as in small studies."""
    from closerthan import BatchKernel, OnlineKernel, OrdinalEmbedding
    from closerthan.comparisons import sample_from_labels, sample_from_points
    from closerthan.mds import SMACOF, PatternSearchMDS, classical_mds
    from closerthan.scores import procrustes_distance, retrieval_scores
    from closerthan.similarity import ITML, LEGO, LMNN, OASIS, RCA, SDCA, pairs_from_labels

    rng = np.random.default_rng(0)
    points = rng.normal(size=(100, 10))
    triplets = sample_from_points(points, 10_000, random_state=0)
    few = triplets[:1000]
    features, labels = rng.normal(size=(600, 60)), rng.integers(5, size=600)
    features[:, :5] += 2.0 * np.eye(5)[labels]
    named = sample_from_labels(labels, 2000, random_state=0)
    pairs, sides = pairs_from_labels(labels, 2000, random_state=0)
    distances = np.linalg.norm(features[:, None] - features, axis=2)

    plain = {"loss": "ste", "penalty": None, "init": "random", "random_state": 0}
    embedding = OrdinalEmbedding(10, max_iter=20, **plain).fit(triplets)
    batch, online = BatchKernel(max_iter=20).fit(few), OnlineKernel().fit(few)
    oasis, sdca = OASIS(random_state=0).fit(features, named), SDCA(project=True, random_state=0)
    sdca.fit(features, named)
    rca, lmnn = RCA().fit(features, labels), LMNN(max_iter=20).fit(features, labels)
    search = PatternSearchMDS(2, random_state=0).fit(distances)
    return {
        "OrdinalEmbedding.fit": lambda: OrdinalEmbedding(10, **plain).fit(triplets),
        "OrdinalEmbedding.fit, default": lambda: OrdinalEmbedding(random_state=0).fit(triplets),
        "OrdinalEmbedding.score": lambda: embedding.score(triplets),
        "BatchKernel.fit": lambda: BatchKernel(max_iter=20).fit(few),
        "BatchKernel.embedding": lambda: batch.embedding(2),
        "BatchKernel.score": lambda: batch.score(triplets),
        "OnlineKernel.fit": lambda: OnlineKernel().fit(few),
        "OnlineKernel.embedding": lambda: online.embedding(2),
        "OASIS.fit": lambda: OASIS(random_state=0).fit(features, named),
        "OASIS.score": lambda: oasis.score(features, named),
        "OASIS.rank": lambda: oasis.rank(features, features),
        "OASIS.pair_score": lambda: oasis.pair_score(features, pairs),
        "SDCA.fit, projected": lambda: SDCA(project=True, random_state=0).fit(features, named),
        "SDCA.transform": lambda: sdca.transform(features),
        "RCA.fit": lambda: RCA().fit(features, labels),
        "RCA.transform": lambda: rca.transform(features),
        "RCA.pair_distance": lambda: rca.pair_distance(features[pairs]),
        "LMNN.fit": lambda: LMNN(max_iter=20).fit(features, labels),
        "LMNN.transform": lambda: lmnn.transform(features),
        "ITML.fit": lambda: ITML(max_iter=20).fit(features, pairs, sides),
        "LEGO.fit": lambda: LEGO().fit(features, pairs, 1.5 - 0.5 * sides),
        "PatternSearchMDS.fit": lambda: PatternSearchMDS(2, random_state=0).fit(distances),
        "PatternSearchMDS.transform": lambda: search.transform(distances[:50]),
        "SMACOF.fit": lambda: SMACOF(2, random_state=0, max_iter=50).fit(distances),
        "classical_mds": lambda: classical_mds(distances, 2),
        "procrustes_distance": lambda: procrustes_distance(features[:, :30], features[:, 30:]),
        "retrieval_scores": lambda: retrieval_scores(features[:50], features, labels[:50], labels),
    }


def serve():
    """Time the case named in each input line; print wall-clock and CPU seconds per call."""
    import warnings

    warnings.simplefilter("ignore")  # of fits that are cut short
    functions = cases()
    print(json.dumps(list(functions)), flush=True)
    for line in sys.stdin:
        function = functions[line.strip()]
        function()  # compiles and starts the threads
        calls, wall, cpu = 0, time.perf_counter(), time.process_time()
        while not calls or time.perf_counter() - wall < SECONDS:
            function()
            calls += 1
        seconds = time.perf_counter() - wall, time.process_time() - cpu
        print(json.dumps([second / calls for second in seconds]), flush=True)


def start(kind):
    """Start a process in a kind of environment; return the process and the cases."""
    process = subprocess.Popen(
        [sys.executable, __file__, "--serve"],
        env=environment(kind, ours=True),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    return process, json.loads(process.stdout.readline())


def ask(process, case):
    """Return the wall-clock and CPU seconds of a call."""
    process.stdin.write(f"{case}\n")
    process.stdin.flush()
    return np.array(json.loads(process.stdout.readline()))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", help="beginnings of names; by default all")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        return serve()
    stock, names = start("stock")
    one, _ = start("one thread")
    print(f"{'':<31}{'ms, one thread':>16}{'wall':>22}{'CPU':>22}")
    for case in names:
        if arguments.cases and not case.startswith(tuple(arguments.cases)):
            continue
        times = np.array([(ask(stock, case), ask(one, case)) for _ in range(arguments.rounds)])
        ratios = times[:, 0] / times[:, 1]
        shown = "".join(
            f"{np.median(r):>8.2f} ({r.min():.2f} to {r.max():.2f})".rjust(22) for r in ratios.T
        )
        print(f"{case:<31}{1e3 * np.median(times[:, 1, 0]):>16.2f}{shown}", flush=True)
    for process in (stock, one):
        process.stdin.close()
        process.wait()


if __name__ == "__main__":
    main()
