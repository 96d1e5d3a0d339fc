"""A process that fits: requests on standard input, a JSON object a line, are answered one by one.

    python worker.py peers/cblearn/fit.py

The folder of a package has a `fit.py` with a table `TASKS` of contenders: ``TASKS[task][name]`` is
a function ``fit(data, seed, watch)`` that returns what it has learned. `watch` is None or is called
with what is learned so far after each step; a true answer stops the fit.
"""

import json
import os
import runpy
import sys
import time
import traceback


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a package prints is no answer
    cpu, wall = time.process_time(), time.perf_counter()
    tasks = runpy.run_path(sys.argv[1])["TASKS"]
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    print(json.dumps({"import_cpu": cpu, "import_wall": wall}), file=answers, flush=True)

    from fits import Fits  # not before: it imports numpy, and the package shall do so itself

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
