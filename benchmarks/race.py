"""Contenders in turns: each to a target and to its own end, so that slow minutes meet them all."""

from contextlib import ExitStack, contextmanager

from workers import OURS, Failed, Worker

PATIENCE = 5.0  # seconds that all the timed fits of a kind may take


class Contender:
    """A way to fit, in a process of its package."""

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
    """The contenders of some packages at a task, in each kind of environment.

    Of closerthan only those `wanted`, if any are named.
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
    """Return rows of all fits: what each contender took to the target, and to its own end.

    The first fit of each is watched, which shows where it reaches the target and warms it up. The
    fits that count follow in turns, as many as `PATIENCE` allows; if it allows none, the first one
    counts itself. `target_of` makes the target of the qualities at the ends of all watched fits,
    and `limits` has the seconds after which one of "ours" or "theirs" is stopped. A row has what
    ("to target", "whole" or "failed"), round, cpu, wall, and of a whole fit peak_mb, quality and
    whether it ended by itself.
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
        for contender, labels, stop, times in timed:
            if number <= times:
                rows.append({**labels, "round": number, **contender.fit(path, **stop)})
    return rows
