"""Figures, tables and the index page: whole files, the same bytes, escaped text, live links."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from relsim.study.provenance import provenance
from relsim.study.reports import palette, save_figure, save_table, style, write_index

EVIL = "<script>alert('x')</script>"


class Page(HTMLParser):
    """The tags of a page with their attributes, and its text outside of style sheets."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.words, self._open = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._open.append(tag)

    def handle_endtag(self, tag):
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data):
        if "style" not in self._open:
            self.words.append(data)

    def links(self):
        return [attrs[key] for _, attrs in self.tags for key in ("href", "src") if key in attrs]

    def of(self, tag):
        return [attrs for name, attrs in self.tags if name == tag]

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


def draw():
    style()
    figure, ax = plt.subplots()
    for name, look in palette(["batch", "svrg"]).items():
        ax.plot(np.arange(5), np.arange(5) ** 2, label=name, **look)
    ax.legend()
    return figure


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """A folder of reports with one complete study."""
    folder = tmp_path_factory.mktemp("reports")
    study = "svrg_sbb"
    figures, tables = folder / "figures" / study, folder / "tables" / study
    save_figure(draw(), figures / "fig 4?", title="Figure 4", caption="Error, by cost.", order=2)
    save_figure(draw(), figures / "z_map", title="Figure 3", caption=f"A map {EVIL}.", order=1)
    frame = pd.DataFrame({"loss": ["ste"], "MAP": [1 / 3]})
    save_table(frame, tables / "retrieval", title="Table 2", caption="Retrieval.")
    (folder / "notebooks").mkdir()
    for suffix in (".ipynb", ".html"):
        (folder / "notebooks" / f"{study}{suffix}").write_text("")
    return folder


@pytest.fixture
def reports(drawn, tmp_path):
    """The same folder, free to be changed."""
    return shutil.copytree(drawn, tmp_path / "reports")


def index(folder, **changes):
    words = {
        "title": "relsim",
        "summary": "What the papers say and what we find.",
        "sections": [{"name": "svrg_sbb", "title": "SVRG-SBB", "summary": "Four losses."}],
        "datasets": [
            {
                "title": "music",
                "status": "used",
                "shape": {"triplets": [9090, 3], "labels": [400]},
                "dropped": ["17 triplets that name an artist twice"],
                "source": "https://example.org/music",
            }
        ],
        "banner": [],
        "provenance": provenance({"scale": "smoke"}, {"music": {"sha256": "0a"}}, root=folder),
    }
    write_index(folder / "index.html", **{**words, **changes})
    return Page((folder / "index.html").read_text(encoding="utf-8"))


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


def test_figure_is_shown_once_and_described(tmp_path):
    figure = draw()
    image = save_figure(figure, tmp_path / "a.b", title="T", caption="The error falls.")
    assert not plt.fignum_exists(figure.number)
    assert image.alt == "T. The error falls."
    assert image.data == (tmp_path / "a.b.png").read_bytes()
    # Shown at its size in inches, whatever its resolution.
    assert image.width == pytest.approx(6.4 * 96, rel=0.05)


def test_failed_figure_leaves_nothing(tmp_path):
    figure = draw()
    figure.axes[0].set_title("$\\nonsense{$")
    with pytest.raises(ValueError, match="nonsense"):
        save_figure(figure, tmp_path / "a", title="T", caption="C")
    assert list(tmp_path.iterdir()) == []


def test_palette_is_distinct_and_does_not_depend_on_what_is_drawn():
    names = [f"method {i}" for i in range(56)]
    looks = palette(names)
    assert len({tuple(look.values()) for look in looks.values()}) == 56
    assert palette(names[:3]) == {name: looks[name] for name in names[:3]}
    assert palette(["a", "b", "a", "c"])["c"] == palette(["a", "b", "c"])["c"]


def test_table_csv_is_exact_and_html_is_rounded(tmp_path):
    frame = pd.DataFrame(
        {"loss": ["ste", None], "MAP": [0.1 + 0.2, np.nan], "n": [60, 40], "mixed": [1.5, "x"]}
    )
    html = save_table(frame, tmp_path / "t", title="T", caption="C", float_format=".2f")
    again = pd.read_csv(tmp_path / "t.csv")
    assert again["MAP"][0] == 0.1 + 0.2
    assert list(again.columns) == ["loss", "MAP", "n", "mixed"]
    page = Page(html.data)
    assert page.text == "T. C loss MAP n mixed ste 0.30 60 1.50 – – 40 x"
    assert [attrs.get("class") for attrs in page.of("th")] == [None, "number", "number", None]
    assert (tmp_path / "t.html").read_text(encoding="utf-8") == html.data


def test_table_shows_a_named_index_and_column_levels(tmp_path):
    columns = pd.MultiIndex.from_tuples([("P@K", 10), ("P@K", 40)])
    index = pd.Index(["ste"], name="loss")
    frame = pd.DataFrame([[0.5, 0.25]], index=index, columns=columns)
    html = save_table(frame, tmp_path / "t", title="T", caption="C")
    assert Page(html.data).text == "T. C loss P@K 10 P@K 40 ste 0.500 0.250"
    assert (tmp_path / "t.csv").read_text() == "loss,P@K 10,P@K 40\nste,0.5,0.25\n"


def test_table_escapes_every_word(tmp_path):
    frame = pd.DataFrame({EVIL: [EVIL]}, index=pd.Index([EVIL], name=f"name {EVIL}"))
    html = save_table(frame, tmp_path / "t", title=EVIL, caption=EVIL)
    assert not Page(html.data).of("script")
    assert Page(html.data).text.count("alert('x')") == 6


def test_table_with_a_wrong_format_leaves_nothing(tmp_path):
    with pytest.raises(ValueError, match=r"%\.3f"):
        save_table(
            pd.DataFrame({"a": [0.5]}), tmp_path / "t", title="T", caption="C", float_format="%.3f"
        )
    assert list(tmp_path.iterdir()) == []


def test_every_link_of_the_index_exists_and_is_relative(reports):
    page = index(reports)
    local = [link for link in page.links() if not link.startswith("https://example.org")]
    anchors = [link[1:] for link in local if link.startswith("#")]
    files = [link for link in local if not link.startswith("#")]
    assert set(anchors) == {attrs["id"] for _, attrs in page.tags if "id" in attrs}
    assert len(set(files)) == 2 + 2 * 2 + 1
    assert all((reports / unquote(link)).is_file() for link in files)
    assert not any(re.match(r"[a-z]+:|/", link) for link in files)


def test_index_loads_nothing_from_a_network(reports):
    page = index(reports)
    assert not page.of("script") and not page.of("link") and not page.of("iframe")
    assert not re.search(r"url\(|@import", (reports / "index.html").read_text())
    assert all(attrs["src"].startswith("figures/") for attrs in page.of("img"))


def test_index_orders_figures_and_describes_them(reports):
    page = index(reports)
    assert [attrs["alt"] for attrs in page.of("img")] == [f"A map {EVIL}.", "Error, by cost."]
    assert page.text.index("Figure 3") < page.text.index("Figure 4") < page.text.index("Table 2")
    assert "ste 0.333" in page.text


def test_index_says_what_is_known_of_the_data(reports):
    text = index(reports).text
    assert "triplets: 9090 × 3, labels: 400" in text
    assert "17 triplets that name an artist twice" in text
    assert "none stated" in text
    assert "scale" in text and "smoke" in text


def test_index_escapes_what_comes_from_files(reports):
    hostile = {"title": EVIL, "status": EVIL, "shape": {EVIL: EVIL}, "source": "javascript:alert()"}
    page = index(
        reports,
        title=EVIL,
        datasets=[hostile],
        banner=[{"title": EVIL, "reason": EVIL, "remedy": EVIL}],
        provenance=provenance({EVIL: EVIL}, {EVIL: {}}, root=reports),
    )
    assert not page.of("script")
    assert not any(link.startswith("javascript") for link in page.links())
    assert page.text.count("alert('x')") >= 10


def test_banner_names_what_is_missing_without_local_paths(reports):
    assert "could not be had" not in index(reports).text
    entry = {
        "title": "Land use",
        "reason": "It is neither in /home/ann/.cache/relsim nor in file:///srv/mirror.",
        "remedy": "Put landuse21/LandUse-21.mat there or allow https://example.org/~a/b-/c.mat.",
    }
    text = index(reports, banner=[entry]).text
    assert "1 data set could not be had" in text
    assert "neither in …/relsim nor in …/mirror." in text
    assert entry["remedy"] in text
    assert "/home" not in text and "/srv" not in text


def test_index_needs_every_file_that_it_links(reports):
    (reports / "figures" / "svrg_sbb" / "z_map.pdf").unlink()
    with pytest.raises(FileNotFoundError, match=r"z_map\.pdf"):
        index(reports)
    assert not (reports / "index.html").exists()


def test_provenance_is_json_and_keeps_no_absolute_path(tmp_path):
    config = {"results": tmp_path / "results", "data": {"cache": ["/var/x/cache"], "n": 3}}
    record = provenance(config, {"music": {"sha256": "ab"}}, root=tmp_path)
    text = json.dumps(record, ensure_ascii=False)
    assert str(tmp_path) not in text and "/var" not in text
    assert record["config"] == {"results": "…/results", "data": {"cache": ["…/cache"], "n": 3}}
    assert record["datasets"]["music"]["sha256"] == "ab"
    assert record["versions"]["numpy"] == np.__version__
    assert record["machine"]["cores"] >= 1
    assert record["commit"] is None


def test_provenance_names_the_commit_and_uncommitted_changes(tmp_path, git):
    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "first")
    commit = git("rev-parse", "--short=12", "HEAD")
    assert provenance({}, {}, root=tmp_path)["commit"] == commit
    Path(tmp_path, "new.py").touch()
    assert provenance({}, {}, root=tmp_path)["commit"] == f"{commit} with uncommitted changes"


@pytest.fixture
def git(tmp_path):
    """Run git in `tmp_path` as somebody."""
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]

    def run(*words):
        command = ["git", "-C", str(tmp_path), *who, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    return run
