"""Figures and tables as files: whole, small, escaped, and the same bytes."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup

from closerthan_study.figures.save import save_figure, save_table
from closerthan_study.figures.style import palette, style
from closerthan_study.reading import read_json

EVIL = "<script>alert('x')</script>"


def text_of(html):
    return " ".join(BeautifulSoup(html.data, "html.parser").get_text(" ").split())


def draw():
    style()
    figure, ax = plt.subplots()
    for name, look in palette(["batch", "svrg"]).items():
        ax.plot(np.arange(5), np.arange(5) ** 2, label=name, color=look.color, marker=look.marker)
    ax.legend()
    return figure


def test_figure_files_repeat_byte_for_byte(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1")
    save_figure(draw(), tmp_path / "a", title="T", caption="C")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    save_figure(draw(), tmp_path / "b", title="T", caption="C")
    for suffix in (".png", ".pdf", ".json"):
        first = (tmp_path / f"a{suffix}").read_bytes()
        assert first == (tmp_path / f"b{suffix}").read_bytes()
        assert str(tmp_path).encode() not in first
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")


def test_figure_is_shown_once_at_its_size_and_described(tmp_path):
    figure = draw()
    shown = save_figure(figure, tmp_path / "a.b", title="T", caption="The error falls: a < b.")
    image = shown.image
    assert not plt.fignum_exists(figure.number)
    assert image.alt == "T" and text_of(shown.caption) == "T. The error falls: a < b."
    assert image.data == (tmp_path / "a.b.png").read_bytes()
    assert image.width == int(6.4 * 96)  # pixels of CSS, whatever the resolution is


def test_failed_figure_leaves_nothing(tmp_path):
    figure = draw()
    figure.axes[0].set_title("$\\nonsense{$")
    with pytest.raises(ValueError, match="nonsense"):
        save_figure(figure, tmp_path / "a", title="T", caption="C")
    assert list(tmp_path.iterdir()) == []


def test_table_csv_is_exact_and_html_is_rounded(tmp_path):
    frame = pd.DataFrame(
        {"loss": ["ste", None], "MAP": [0.1 + 0.2, np.nan], "n": [60, 40], "mixed": [1.5, "x"]}
    )
    html = save_table(frame, tmp_path / "t", title="T", caption="C", float_format=".2f")
    again = pd.read_csv(tmp_path / "t.csv", float_precision="round_trip")
    assert again["MAP"][0] == 0.1 + 0.2
    assert list(again.columns) == ["loss", "MAP", "n", "mixed"]
    assert text_of(html) == "T. C loss MAP n mixed ste 0.30 60 1.50 – – 40 x"
    heads = BeautifulSoup(html.data, "html.parser").find_all("th")
    assert [head.get("class") for head in heads] == [None, ["number"], ["number"], None]
    assert (tmp_path / "t.html").read_text(encoding="utf-8") == html.data


def test_table_shows_a_named_index(tmp_path):
    frame = pd.DataFrame({"MAP": [0.5]}, index=pd.Index(["ste"], name="loss"))
    html = save_table(frame, tmp_path / "t", title="T", caption="C")
    assert text_of(html) == "T. C loss MAP ste 0.500"
    assert (tmp_path / "t.csv").read_text() == "loss,MAP\nste,0.5\n"


@pytest.mark.parametrize("n", [20, 21])
def test_a_long_table_is_folded(tmp_path, n):
    html = save_table(pd.DataFrame({"a": range(n)}), tmp_path / "t", title="T", caption="C")
    folded = BeautifulSoup(html.data, "html.parser").select("details table")
    assert len(folded) == (n > 20)


def test_table_escapes_every_word(tmp_path):
    frame = pd.DataFrame({EVIL: [EVIL]}, index=pd.Index([EVIL], name=f"name {EVIL}"))
    html = save_table(frame, tmp_path / "t", title=EVIL, caption=EVIL)
    assert not BeautifulSoup(html.data, "html.parser").find_all("script")
    assert text_of(html).count("alert('x')") == 6


def test_table_with_a_wrong_format_leaves_nothing(tmp_path):
    with pytest.raises(ValueError, match=r"%\.3f"):
        save_table(
            pd.DataFrame({"a": [0.5]}), tmp_path / "t", title="T", caption="C", float_format="%.3f"
        )
    assert list(tmp_path.iterdir()) == []


def test_a_figure_leads_to_what_made_it(toy):
    page = toy({"points": {}, "stream": {}})
    page.label("ste"), page.scores("points"), page.seconds("stream")
    shown = page.figure(plt.figure(), "curves", title="T", caption="C")
    soup = BeautifulSoup(shown.caption.data, "html.parser")
    assert "experiment points, stream; " in soup.text and "; notebooks/toy.ipynb" in soup.text
    links = [Path(page.reports, "notebooks", a["href"]) for a in soup.find_all("a")]
    assert [link.resolve().is_dir() for link in links] == [True, True]
    made = read_json(page.reports / "figures" / "toy" / "curves.json")["made"]
    assert made["seconds"] and made["results"] == ["scores/toy/points", "scores/toy/stream"]
    page.table(pd.DataFrame({"a": [1]}), "after", title="T", caption="C")
    assert read_json(page.reports / "tables/toy/after.json")["made"]["experiments"] == []
