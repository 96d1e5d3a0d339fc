"""The sites of root and lab work in a browser from local files: layout, figures and search."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGES = [
    "index",
    "gallery",
    "reproduces",
    "architecture",
    "api/closerthan",
    "lab/index",
    "lab/tutorial",
    "lab/people",
]


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """Return a copy of the sites that `make docs` builds; an existing build is reused."""
    made = ROOT / "site"
    for pages, place in ((ROOT / "docs", made), (ROOT / "lab/docs", made / "lab")):
        command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", pages, place]
        subprocess.run(command, check=True, cwd=ROOT)
    return shutil.copytree(made, tmp_path_factory.mktemp("site") / "site")


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_fits_the_window_and_its_pictures_are_there(site, browse, page, width):
    script = """
    all("img").forEach((image) => (image.loading = "eager"));
    await new Promise((done) => setTimeout(done, 1000));
    const whole = document.documentElement;
    const wider = all("article img, article svg").filter(
      (drawn) => drawn.getBoundingClientRect().right > innerWidth
    );
    return {
      beyond: whole.scrollWidth - whole.clientWidth,
      missing: all("img").filter((image) => !image.naturalWidth).map((image) => image.src),
      wider: wider.length,
      words: document.querySelector("article").textContent.length,
    };
    """
    browser = browse(site / f"{page}.html")
    found = browser.ask("", script, size=(width, 900))
    assert found["words"] > 300
    assert (found["beyond"], found["missing"], found["wider"]) == (0, [], 0)
    assert browser.said == []


@pytest.mark.parametrize(
    ("folder", "words", "page"),
    [("lab", "ellipses", "uncertainty.html"), (".", "from_odd_one_out", "api/")],
)
def test_the_search_finds_pages_without_a_server(site, browse, folder, words, page):
    script = f"""
    Search.performSearch("{words}");
    await new Promise((done) => setTimeout(done, 1500));
    return all("#search-results li a").map((link) => link.getAttribute("href"));
    """
    browser = browse(site / folder / "search.html")
    found = browser.ask("", script)
    assert any(link.startswith(page) for link in found), found
    assert browser.said == []


def test_the_drawing_has_the_color_of_the_text_in_the_dark_too(site, browse):
    script = """
    const colors = (theme) => {
      document.body.dataset.theme = theme;
      const text = all(".drawing text")[0];
      return [getComputedStyle(text).fill, getComputedStyle(text.closest("article")).color];
    };
    return ["light", "dark"].map(colors);
    """
    light, dark = browse(site / "architecture.html").ask("", script)
    assert light[0] == light[1] and dark[0] == dark[1] and light != dark
