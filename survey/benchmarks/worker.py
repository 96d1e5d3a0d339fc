"""Answer requests to fit: one JSON object per line of standard input.

    python worker.py peers/cblearn/fit.py

The folder of a package has a `fit.py` with a table `TASKS` of contenders. ``TASKS[task][name]`` is
a function ``fit(data, seed, watch)`` that returns the result. `watch` is None or a function; the
fit calls it with the result so far after each step, and stops if it returns True.
"""

import json
import os
import runpy
import sys
import time
import traceback


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # prints of a package must not mix with the answers
    cpu, wall = time.process_time(), time.perf_counter()
    tasks = runpy.run_path(sys.argv[1])["TASKS"]
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    print(json.dumps({"import_cpu": cpu, "import_wall": wall}), file=answers, flush=True)

    from fits import Fits  # imported last, so that the package imports numpy itself

    fits = Fits(tasks)
    for line in sys.stdin:
        method, arguments = json.loads(line)
        try:
            answer = {"answer": getattr(fits, method)(**arguments)}
        except Exception as error:
            answer = {"failed": traceback.format_exception_only(error)[-1].strip()}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
