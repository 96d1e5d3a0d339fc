"""Check that a comparison of two results folders names exactly what differs."""

import json

import pandas as pd
import pytest

from closerthan_study.compare import _PART, compare, main, markdown

ROW = dict.fromkeys(["study", "artefact", "dataset", "loss", "method", "setting", "unit"], "a")


@pytest.fixture
def run(tmp_path):
    """Return a function that writes the files of a run, and returns its folder."""

    def write(name, reports="reports", *, verdict="Not: 0 of 1 | 2.", ours="0.5", drawn="x"):
        folder = tmp_path / name / reports
        (folder / "figures" / "ma").mkdir(parents=True)
        board = pd.DataFrame({"study": "ma", "claim": ["a", "b"], "sentence": ["Open.", verdict]})
        board.to_csv(folder / "scoreboard.csv", index=False)
        part = dict.fromkeys(_PART, "a") | {"effect": ours}
        pd.DataFrame([part, part | {"measure": "seconds", "effect": name}]).to_csv(
            folder / "parts.csv", index=False
        )
        rows = [{**ROW, "metric": "map", "printed": n, "ours": ours} for n in ("1", "2")]
        rows[0]["ours"] = "0.1"
        rows += [{**ROW, "metric": "seconds_to_error", "printed": "1", "ours": name}]
        pd.DataFrame(rows).to_csv(folder / "printed.csv", index=False)
        for stem, content in {"kept": "y", "curves": drawn, "times": name, name: "z"}.items():
            (folder / "figures" / "ma" / f"{stem}.png").write_text(content)
            made = {"made": {"seconds": stem == "times"}}
            (folder / "figures" / "ma" / f"{stem}.json").write_text(json.dumps(made))
        return str(tmp_path / name)

    return write


def test_two_runs_differ_in_what_was_changed_and_not_in_seconds(run):
    before, after = run("old"), run("new", verdict="Level.", ours="0.4", drawn="w")
    found = compare(before, after)
    assert found["verdicts"].to_numpy().tolist() == [["ma", "b", "Not: 0 of 1 | 2.", "Level."]]
    assert found["parts of claims"][["before", "after"]].to_numpy().tolist() == [["0.5", "0.4"]]
    assert found["printed numbers"][["printed", "before", "after"]].to_numpy().tolist() == [
        ["2", "0.5", "0.4"]
    ]
    assert found["figures"].figure.tolist() == ["ma/curves", "ma/old", "ma/new"]
    assert found["figures"].after.tolist()[1] == found["figures"].before.tolist()[2] == "–"


def test_it_prints_markdown_and_takes_published_results(run, capsys):
    main([run("old"), run("new", reports=".", verdict="Level.")])
    said = capsys.readouterr().out
    counts = "1 verdicts, 0 parts of claims, 0 printed numbers and 2 figures differ."
    assert said.startswith(f"{counts}\n\n### Verdicts\n")
    assert "\n| ma | b | Not: 0 of 1 \\| 2. | Level. |\n" in said and "### Printed" not in said
    assert markdown(compare(run("a"), run("b", reports="."))).count("\n| ") == 4


def test_a_folder_without_results_is_named(run, tmp_path):
    with pytest.raises(SystemExit, match=r"scoreboard\.csv is missing; make reproduce"):
        main([run("old"), str(tmp_path)])
