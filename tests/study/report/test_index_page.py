"""The index page: live links, escaped text, nothing from a network, no path of the machine."""

import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import PIL.Image
import pytest

from closerthan_study.report.index import write_index
from closerthan_study.report.provenance import provenance

EVIL = "<script>alert('x')</script>"
DRAWN = {
    "svrg_sbb": {
        "retrieval": {
            "landuse21": {"trials": 5, "objects": {"item": 1080, "query": [700, 720]}},
        }
    }
}


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


def place(folder, suffixes, **words):
    """Write a figure or table as the figures do: files of one stem, with the words beside."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    for suffix, content in suffixes.items():
        Path(f"{folder}{suffix}").write_bytes(content)
    words = {"caption": "", "order": 0, **words}
    Path(f"{folder}.json").write_text(json.dumps(words))


@pytest.fixture
def reports(tmp_path):
    """A folder of reports with one complete study."""
    png = io.BytesIO()
    PIL.Image.new("RGB", (640, 400)).save(png, "png")
    figure = {".png": png.getvalue(), ".pdf": b"%PDF"}
    figures, tables = (tmp_path / kind / "svrg_sbb" for kind in ("figures", "tables"))
    place(figures / "fig 4?", figure, title="Figure 4", caption="Error, by cost.", order=2)
    place(figures / "z_map", figure, title="Figure 3", caption=f"A map {EVIL}.", order=1)
    table = {".csv": b"loss,MAP\nste,0.333\n", ".html": b"<p>Table 2: ste <b>0.333</b></p>"}
    place(tables / "retrieval", table, title="Table 2", caption="Retrieval.")
    (tmp_path / "notebooks").mkdir()
    for suffix in (".ipynb", ".html"):
        (tmp_path / "notebooks" / f"svrg_sbb{suffix}").write_text("")
    return tmp_path


def index(folder, **changes):
    words = {
        "title": "closerthan",
        "summary": "What the papers say and what we find.",
        "sections": [{"name": "svrg_sbb", "title": "SVRG-SBB", "summary": "Four losses."}],
        "datasets": [
            {
                "title": "music",
                "status": "used",
                "shape": {"comparisons": [9090, 3], "labels": [400]},
                "dropped": ["17 triplets that name an artist twice"],
                "source": "https://example.org/music",
            }
        ],
        "banner": [],
        "provenance": provenance(
            {"scale": "smoke"}, {"music": {"sha256": "0a"}}, DRAWN, root=folder
        ),
    }
    write_index(folder / "index.html", **{**words, **changes})
    return Page((folder / "index.html").read_text(encoding="utf-8"))


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
    assert "comparisons: 9090 × 3, labels: 400" in text
    assert "17 triplets that name an artist twice" in text
    assert "none stated" in text
    assert "scale" in text and "smoke" in text


def test_index_says_what_each_experiment_drew(reports):
    text = index(reports).text
    assert "svrg_sbb retrieval landuse21 5 item: 1,080, query: 700 to 720 – –" in text


def test_index_escapes_what_comes_from_files(reports):
    drawn = {EVIL: {EVIL: {EVIL: {"trials": 1, "objects": {EVIL: 1}}}}}
    hostile = {"title": EVIL, "status": EVIL, "shape": {EVIL: EVIL}, "source": "javascript:alert()"}
    page = index(
        reports,
        title=EVIL,
        datasets=[hostile],
        banner=[{"title": EVIL, "reason": EVIL, "remedy": EVIL}],
        provenance=provenance({EVIL: EVIL}, {EVIL: {}}, drawn, root=reports),
    )
    assert not page.of("script")
    assert not any(link.startswith("javascript") for link in page.links())
    assert page.text.count("alert('x')") >= 10


def test_banner_names_what_is_missing_without_local_paths(reports):
    assert "could not be had" not in index(reports).text
    entry = {
        "title": "Land use",
        "reason": "It is neither in /home/ann/.cache/closerthan nor in file:///srv/mirror.",
        "remedy": "Put landuse21/LandUse-21.mat there or allow https://example.org/~a/b-/c.mat.",
    }
    text = index(reports, banner=[entry]).text
    assert "1 data set could not be had" in text
    assert "neither in …/closerthan nor in …/mirror." in text
    assert entry["remedy"] in text
    assert "/home" not in text and "/srv" not in text


def test_index_needs_every_file_that_it_links(reports):
    (reports / "figures" / "svrg_sbb" / "z_map.pdf").unlink()
    with pytest.raises(FileNotFoundError, match=r"z_map\.pdf"):
        index(reports)
    assert not (reports / "index.html").exists()


def test_index_links_the_board_where_there_is_one(reports):
    assert "board.html" not in index(reports).links()
    (reports / "board.html").write_text("")
    page = index(reports)
    assert page.links().index("board.html") == 0, "at the top"
