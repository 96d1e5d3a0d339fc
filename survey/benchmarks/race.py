"""Time contenders in turns, to a target and to their own end.

Turns spread a slow minute of the machine over all contenders.
"""

from contextlib import ExitStack, contextmanager

from workers import OURS, Failed, Worker

PATIENCE = 5.0  # seconds for all timed fits of a kind


class Contender:
    """A way to fit, run in the process of its package."""

    def __init__(self, worker, task, name):
        self.labels = {"package": worker.name, "contender": name, "environment": worker.kind}
        self.whose = "ours" if worker.name == OURS.name else "theirs"
        self._worker = worker
        self._fit = {"task": task, "contender": name, "seed": 0}

    def fit(self, path, **options):
        """See `fits.Fits.fit`."""
        return self._worker.ask("fit", **self._fit, path=path, **options)

    def reach(self, target):
        """See `fits.Fits.reach`."""
        return self._worker.ask("reach", contender=self._fit["contender"], target=target)

    def pace(self, path, steps):
        """See `fits.Fits.pace`."""
        return self._worker.ask("pace", **self._fit, path=path, steps=steps)


@contextmanager
def lined_up(folders, kinds, task, wanted=None):
    """Yield the contenders of packages at a task, in each kind of environment.

    `wanted` selects contenders of closerthan; None means all.
    """
    with ExitStack() as stack:
        workers = [stack.enter_context(Worker(f, kind)) for kind in kinds for f in folders]
        yield [
            Contender(worker, task, name)
            for worker in workers
            for name in worker.ask("contenders").get(task, [])
            if worker.name != OURS.name or not wanted or name in wanted
        ]


def race(contenders, path, target_of=None, rounds=3, *, limits, to_end=True):
    """Return rows of all fits, to the target and to the end of each contender.

    The first fit of each contender is watched: it shows where the contender reaches the target.
    The timed fits follow in turns, as many as `PATIENCE` allows. If it allows none, the first fit
    counts. A contender's turn begins with a fit that does not count, because a system takes memory
    from processes that wait, and the next fit pays for it (up to a quarter of a second).

    `target_of` computes the target from the final qualities of all watched fits. `limits` has the
    seconds after which a first fit of "ours" or "theirs" is stopped. A row has what ("to target",
    "whole" or "failed"), round, cpu and wall. Whole fits also have peak_mb, quality and ended.
    """
    rows, running, watched = [], [], target_of is not None
    for contender in contenders:
        limit = limits[contender.whose]
        try:
            running.append((contender, contender.fit(path, watched=watched, limit=limit)))
        except Failed as why:
            rows.append({**contender.labels, "what": "failed", "why": str(why)})
    target = target_of([first["quality"] for _, first in running]) if target_of else None
    timed = []
    for contender, first in running:
        reached = contender.reach(target) if target_of else None
        fits = [("to target", reached, {"last_step": reached["step"]})] if reached else []
        for what, once, stop in [*fits, ("whole", first, {})]:
            labels = {**contender.labels, "target": target, "what": what}
            times = int(PATIENCE / once["wall"])
            if times and (to_end or stop):
                timed.append((contender, labels, stop, times))
            else:
                rows.append({**labels, "round": 0, **once})
    for number in range(1, rounds + 1):
        last = None
        for contender, labels, stop, times in timed:
            if number > times:
                continue
            if contender is not last:
                contender.fit(path, **stop)
            rows.append({**labels, "round": number, **contender.fit(path, **stop)})
            last = contender
    return rows
