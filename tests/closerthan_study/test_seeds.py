"""Seeds come from the words of a run alone, on every machine."""

import os
import subprocess
import sys

from closerthan_study.seeds import seed_sequence


def test_seeds_depend_on_every_word_and_on_nothing_else():
    words = [(1, "a", "b", 0), (1, "a", "b", 1), (1, "ab", "", 0), (1, "a", "b", "0"), (2, "a")]
    assert len({seed_sequence(*run).entropy for run in words}) == len(words)
    program = (
        "from closerthan_study.seeds import seed_sequence\n"
        "print(seed_sequence(2019, 'svrg_sbb', 'music', 'start', 3).generate_state(2).tolist())"
    )
    found = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert found.strip() == "[2098750315, 274033647]", "not what every other machine has"
