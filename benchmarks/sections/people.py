"""People's answers

Whole fits to the answers of people, by three models: the default, the default with weights for each
person, and dimensions learned from odd ones out (SPoSE). Maps have two dimensions. The times are
CPU and wall-clock seconds of one thread. The models take turns, after a first fit that compiles.
"""

import time

from closerthan import OrdinalEmbedding
from closerthan.datasets import load, make_answers
from closerthan_lab.people import PeopleEmbedding
from closerthan_lab.spose import SPoSE
from tables import spread

SETS = ["cars60", "food100", "vispa", "voices", "things_ooo"]
ODD_ONES = ["voices", "things_ooo"]
SIMULATED = "simulated_few"  # nobody's, at the tiny size
MODELS = {"default": OrdinalEmbedding, "weights of people": PeopleEmbedding, "SPoSE": SPoSE}
ROUNDS = 3


def cases(size, peers):
    yield from ({"data": name} for name in ([SIMULATED] if size == "tiny" else SETS))


def measure(case):
    name = case["data"]
    answers = (make_answers(name, random_state=0) if name == SIMULATED else load(name)).answers
    needs = {"weights of people": name != SIMULATED, "SPoSE": name in ODD_ONES}
    models = [model for model in MODELS if needs.get(model, True)]
    rows = []
    for number in range(1 + ROUNDS):  # the first one compiles
        for model in models:
            cpu, wall = time.process_time(), time.perf_counter()
            MODELS[model](random_state=number).fit(answers)
            seconds = {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}
            rows.append({"model": model, "round": number, "answers": answers.n_screens, **seconds})
    return [row for row in rows if row["round"]]


def show(rows):
    table = []
    for (data, n, model), times in rows.groupby(["data", "answers", "model"], sort=False):
        line = {"data": data, "answers": f"{n:,}", "model": model}
        table.append(line | {f"{clock} s": spread(times[clock]) for clock in ("cpu", "wall")})
    yield "Seconds of a fit: median, and range over the turns", table


def headline(rows):
    for model, times in rows.groupby("model", sort=False):
        slowest = times.groupby(["data", "answers"]).cpu.median().idxmax()
        of_it = times[times.data == slowest[0]]
        yield f"Longest fit to people's answers, {model}", f"{spread(of_it.cpu)} s ({slowest[0]})"
