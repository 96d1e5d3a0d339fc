"""Inconsistency of answers: cycles that no order of the distances can satisfy."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from closerthan._core.compiled import compiled
from closerthan.comparisons.answers import as_answers

_SWEEPS = 100  # at most so many passes over all pairs to improve the order


class Inconsistency(NamedTuple):
    """Shares of the total weight of the answers.

    Attributes
    ----------
    least, most : float
        Bounds of the share of answers that even the best order of the distances contradicts.
    in_cycles : float
        The share of answers that are part of a cycle.
    """

    least: float
    most: float
    in_cycles: float


def inconsistency(answers: ArrayLike) -> Inconsistency:
    """Compute bounds of the share of answers that no order of the distances can satisfy.

    An answer says that one pair of objects is closer than another: an arc between pairs. Every
    order of the pairs contradicts at least one answer of each cycle. No embedding of any dimension
    has a smaller training error than `least`.

    The bounds are equal if all cycles are opposite answers. The exact share is too costly to
    compute (a minimum feedback arc set, which is NP-hard). A comparison counts by its weight. Raise
    a ValueError if the answers are malformed, or all weights are 0.

    Examples
    --------
    >>> inconsistency([[0, 1, 2], [0, 2, 3], [0, 3, 1], [5, 6, 7]])
    Inconsistency(least=0.25, most=0.25, in_cycles=0.75)
    """
    total, n_pairs, tail, head, weight = _arcs_in_cycles(answers)
    in_cycles = weight.sum() / total
    if not len(tail):
        return Inconsistency(0.0, 0.0, 0.0)
    opposite, tail, head, weight = _cancel_opposite(tail, head, weight, n_pairs)
    starts = np.searchsorted(tail, np.arange(n_pairs + 1))
    left = weight.copy()
    packed = _peel_triangles(starts, tail, head, left)
    of_cycles, order = _peel_cycles(starts, head, left, True)
    packed += of_cycles
    orders = order, _peel_cycles(starts, head, weight.copy(), False)[1]
    into = _reverse(tail, head, weight, n_pairs)
    broken = min(_improve(starts, head, weight, *into, order, _SWEEPS) for order in orders)
    # The bounds may be equal, and rounding could then swap them.
    least = min((opposite + packed) / total, (opposite + broken) / total)
    return Inconsistency(float(least), float((opposite + broken) / total), float(in_cycles))


def _arcs_in_cycles(answers):
    """Return the weight of all answers, the number of pairs, and the arcs that are in cycles."""
    answers = as_answers(answers)
    total = answers.sample_weight.sum()
    if total == 0:
        raise ValueError("weight: all are 0; at least one answer must count")
    arcs, weight = _arcs(answers)
    n_pairs = int(arcs.max()) + 1
    tail, head = arcs
    graph = csr_array((np.ones(len(tail)), (tail, head)), shape=(n_pairs, n_pairs))
    component = connected_components(graph, connection="strong")[1]
    cyclic = component[tail] == component[head]
    return total, n_pairs, tail[cyclic], head[cyclic], weight[cyclic]


def _arcs(answers):
    """Return the different comparisons as sorted arcs (nearer pair, farther pair), and weights."""
    pairs, number = np.unique(np.concatenate(answers.pairs), return_inverse=True)
    near, far = number.reshape(2, -1)
    arcs, which = np.unique(near * len(pairs) + far, return_inverse=True)
    weight = np.bincount(which, answers.sample_weight)
    counts = weight > 0
    return np.stack(np.divmod(arcs[counts], len(pairs))), weight[counts]


def _cancel_opposite(tail, head, weight, n_pairs):
    """Subtract the smaller weight of opposite arcs; return its sum and the remaining arcs."""
    code, back = tail * n_pairs + head, head * n_pairs + tail
    place = np.minimum(np.searchsorted(code, back), len(code) - 1)
    against = np.where(code[place] == back, weight[place], 0.0)
    left = weight - np.minimum(weight, against)
    keep = left > 0
    return np.minimum(weight, against).sum() / 2, tail[keep], head[keep], left[keep]


def _reverse(tail, head, weight, n_pairs):
    """Return the arcs into each pair: where they start, their tails and their weights."""
    order = np.argsort(head, kind="stable")
    return np.searchsorted(head[order], np.arange(n_pairs + 1)), tail[order], weight[order]


@compiled
def _peel_triangles(starts, tail, head, left):
    """Subtract the smallest weight of each triangle from its arcs; return the sum."""
    total = 0.0
    for first in range(len(head)):
        u, v = tail[first], head[first]
        for second in range(starts[v], starts[v + 1]):
            if left[first] <= 0:
                break
            if left[second] <= 0:
                continue
            w = head[second]
            third = starts[w] + np.searchsorted(head[starts[w] : starts[w + 1]], u)
            if third < starts[w + 1] and head[third] == u and left[third] > 0:
                smallest = min(left[first], left[second], left[third])
                left[first] -= smallest
                left[second] -= smallest
                left[third] -= smallest
                total += smallest
    return total


@compiled
def _peel_cycles(starts, head, left, from_all):
    """Subtract the smallest weight of each cycle until no cycle is left.

    Subtract it from all arcs of the cycle, or from its smallest arc only if `from_all` is false.
    Return the sum, and an order of the pairs that satisfies all remaining arcs.
    """
    n_pairs = len(starts) - 1
    next_arc = starts[:-1].copy()
    on_path = np.full(n_pairs, -1)  # position on the path; -1 if not on it, -2 if done
    path = np.empty(n_pairs + 1, np.int64)  # pairs; `taken` has the arcs between them
    taken = np.empty(n_pairs + 1, np.int64)
    order = np.empty(n_pairs, np.int64)
    total = 0.0
    n_done = 0
    for root in range(n_pairs):
        if on_path[root] == -2:
            continue
        depth = 0
        path[0] = root
        on_path[root] = 0
        while depth >= 0:
            u = path[depth]
            arc = next_arc[u]
            if arc == starts[u + 1]:
                on_path[u] = -2
                n_done += 1
                order[n_pairs - n_done] = u
                depth -= 1
                continue
            v = head[arc]
            if left[arc] <= 0 or on_path[v] == -2:
                next_arc[u] += 1
                continue
            taken[depth] = arc
            if on_path[v] == -1:
                depth += 1
                path[depth] = v
                on_path[v] = depth
                continue
            start = on_path[v]
            cut = start + left[taken[start : depth + 1]].argmin()  # the first arc to be gone
            smallest = left[taken[cut]]
            for place in range(start, depth + 1):
                if from_all or place == cut:
                    left[taken[place]] -= smallest
            total += smallest
            for place in range(cut + 1, depth + 1):
                on_path[path[place]] = -1
            depth = cut
    return total, order


@compiled
def _improve(starts, head, weight, starts_in, tail_in, weight_in, order, sweeps):
    """Move each pair to its best position among its neighbors; return the contradicted weight."""
    n_pairs = len(order)
    key = np.empty(n_pairs)
    for place in range(n_pairs):
        key[order[place]] = place
    for _ in range(sweeps):
        moved = False
        for u in range(n_pairs):
            n_out, n_in = starts[u + 1] - starts[u], starts_in[u + 1] - starts_in[u]
            if n_out + n_in == 0:
                continue
            keys = np.empty(n_out + n_in)
            change = np.empty(n_out + n_in)  # of the cost if u moves past the neighbor
            here = cost = 0.0
            for n in range(n_out):
                arc = starts[u] + n
                keys[n], change[n] = key[head[arc]], weight[arc]
            for n in range(n_in):
                arc = starts_in[u] + n
                keys[n_out + n], change[n_out + n] = key[tail_in[arc]], -weight_in[arc]
                cost += weight_in[arc]  # the cost if u came first
            by_key = np.argsort(keys)
            best, best_place, here = cost, -1, cost
            for place in range(len(keys)):
                cost += change[by_key[place]]
                if keys[by_key[place]] < key[u]:
                    here = cost
                if cost < best - 1e-12:
                    best, best_place = cost, place
            if best >= here - 1e-9:
                continue
            moved = True
            if best_place == -1:
                key[u] = keys[by_key[0]] - 1
            elif best_place == len(keys) - 1:
                key[u] = keys[by_key[best_place]] + 1
            else:
                key[u] = (keys[by_key[best_place]] + keys[by_key[best_place + 1]]) / 2
        if not moved:
            break
        ordered = np.argsort(key)  # new keys, because repeated halving would run out of digits
        for place in range(n_pairs):
            key[ordered[place]] = place
    broken = 0.0
    for u in range(n_pairs):
        for arc in range(starts[u], starts[u + 1]):
            if key[head[arc]] <= key[u]:
                broken += weight[arc]
    return broken
