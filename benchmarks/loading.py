"""Measure how fast comparisons are read from files and checked, and the memory needed.

Each file has its own process, which reads it three times; the best time counts. The memory is the
peak of this process without the packages. It includes the pages of a mapped file, and only Linux
reports it.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

READ = """
import json, re, sys, time
from pathlib import Path
import numpy as np, pyarrow.parquet
from closerthan_lab.files import read_comparisons

def most_memory():
    status = Path("/proc/self/status")
    found = status.exists() and re.search(r"VmHWM:\\s+(\\d+) kB", status.read_text())
    return 1024 * int(found[1]) if found else float("nan")


path, n_objects = sys.argv[1], int(sys.argv[2])
before = most_memory()
seconds = []
for _ in range(3):
    wall, cpu = time.perf_counter(), time.process_time()
    comparisons, _ = read_comparisons(path, n_objects=n_objects)
    seconds.append((time.perf_counter() - wall, time.process_time() - cpu))
    rows = len(comparisons)
    del comparisons
print(json.dumps([rows, min(seconds), most_memory() - before]))
"""


def write_files(folder, n_rows, n_objects, dtype):
    """Write random triplets as .npy and .parquet; yield the paths."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    anchor = np.random.default_rng(0).integers(n_objects, size=n_rows)
    columns = [((anchor + c) % n_objects).astype(dtype) for c in range(3)]
    stem = f"{np.dtype(dtype)}-{n_objects}"
    np.save(folder / f"{stem}.npy", np.column_stack(columns))
    table = pa.table(dict(zip(("anchor", "near", "far"), columns, strict=True)))
    pq.write_table(table, folder / f"{stem}.parquet")
    return folder / f"{stem}.npy", folder / f"{stem}.parquet"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000_000)
    n_rows = parser.parse_args().rows
    print(f"{n_rows:,} triplets: million rows a second")
    print(f"{'file':<26}{'wall':>8}{'CPU':>8}{'bytes a row beyond imports':>30}")
    for n_objects in (10_000, 1_000_000):
        for dtype in (np.int32, np.int64):
            with tempfile.TemporaryDirectory() as folder:
                for path in write_files(Path(folder), n_rows, n_objects, dtype):
                    command = [sys.executable, "-c", READ, str(path), str(n_objects)]
                    done = subprocess.run(command, check=True, capture_output=True, text=True)
                    rows, (wall, cpu), memory = json.loads(done.stdout)
                    speed = f"{rows / wall / 1e6:>8.0f}{rows / cpu / 1e6:>8.0f}"
                    print(f"{path.name:<26}{speed}{memory / rows:>30.1f}", flush=True)


if __name__ == "__main__":
    main()
