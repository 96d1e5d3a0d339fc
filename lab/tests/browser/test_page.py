"""Check that the page of a map works in a browser without errors."""

import csv
import io
import itertools

import numpy as np
import pandas as pd
import pytest

import planted_page
from closerthan_lab.files.spreadsheets import unescape_formula
from closerthan_lab.page import Bars, Figures, Section, Table, write_page
from closerthan_lab.page.objects import PALETTE, principal_axes
from planted_page import NAMES

# `saved` keeps the page's downloads, because the browser does not wait for a real blob. `marks` are
# the marks of the map as SVG, by name.
TOOLS = """
let saved = null;
window.Blob = class {
  constructor(parts) {
    saved = parts.join("");
  }
};
URL.createObjectURL = () => "blob:nothing";
URL.revokeObjectURL = () => {};
HTMLAnchorElement.prototype.click = () => {};
const wait = (ms = 80) => new Promise((done) => setTimeout(done, ms));
const press = async (words) => {
  one("button", words).click();
  await wait();
};
const svg = async () => {
  await press("Map as SVG");
  return new DOMParser().parseFromString(saved, "image/svg+xml");
};
const marks = async () => {
  const drawn = [...(await svg()).querySelectorAll(".map circle, .map polygon")];
  return Object.fromEntries(drawn.map((mark) => {
    const get = (key) => mark.getAttribute(key);
    const place = get("cx") ? [Number(get("cx")), Number(get("cy"))] : null;
    return [mark.textContent, { place, fill: get("fill"), opacity: Number(get("opacity")) }];
  }));
};
const canvas = document.querySelector("canvas");
const at = ([x, y], more = {}) => {
  const frame = canvas.getBoundingClientRect();
  return { clientX: frame.left + x, clientY: frame.top + y, pointerId: 1, bubbles: true, ...more };
};
const fire = (kind, place, more) => canvas.dispatchEvent(new PointerEvent(kind, at(place, more)));
const key = async (name) => {
  canvas.dispatchEvent(new KeyboardEvent("keydown", { key: name }));
  await wait();
};
const change = async (label, value) => {
  const field = all(".field").find((one) => one.firstChild.textContent === label).children[1];
  field.value = value;
  field.dispatchEvent(new Event(field.tagName === "SELECT" ? "change" : "input"));
  await wait();
};
const box = (words) => all(".check").find((one) => one.textContent.includes(words)).firstChild;
"""


@pytest.fixture(scope="module")
def pages(browse, tmp_path_factory):
    """Return a browser for the page of each number of dimensions."""
    found = {}
    for p in (1, 2, 3):
        folder = tmp_path_factory.mktemp(f"page{p}")
        planted_page.write_example(folder / "map.html", p)
        found[p] = browse(folder / "map.html")
    return found


def ask(page, script, state="", **options):
    """Run a script, and check that the page reports no error."""
    found = page.ask(state, TOOLS + script, **options)
    assert page.said == []
    return found


@pytest.mark.parametrize(("p", "width"), [(1, 320), (2, 1400), (3, 320)])
def test_it_draws_itself_within_the_window(pages, p, width):
    script = """
    const whole = document.documentElement;
    const clipped = all("main svg text").filter((text) => {
      const [inner, outer] = [text, text.closest("svg")].map((e) => e.getBoundingClientRect());
      return inner.width && (inner.left < outer.left - 1 || inner.right > outer.right + 1);
    });
    const pen = canvas.getContext("2d");
    return {
      inner: innerWidth,
      beyond: whole.scrollWidth - whole.clientWidth,
      clipped: clipped.map((text) => text.textContent),
      drawn: pen.getImageData(0, 0, canvas.width, canvas.height).data.some((v) => v > 0),
      charts: all(".chart svg").length,
      titles: all("h2").map((title) => title.textContent),
      words: all("[role=img]").every((picture) => picture.getAttribute("aria-label")),
    };
    """
    found = ask(pages[p], script, size=(width, 900))
    assert found["inner"] == width and found["beyond"] <= 0 and found["clipped"] == []
    assert found["drawn"] and found["charts"] == 3 and found["words"]
    assert found["titles"][0] == "Fit" and found["titles"][-1] == "All objects"


def test_no_name_becomes_an_element_or_a_script(pages):
    script = """
    fire("pointermove", Object.values(await marks())[3].place);
    const tip = document.getElementById("tip").textContent;
    await change("Color by", "country");
    await change("Find a name", "</scr" + "ipt>");
    return [document.title, all("[onmouseover], main script").length, tip, all("td button").length];
    """
    title, elements, tip, links = ask(pages[2], script, f"object={'%3Cb%20'}")
    assert (title, elements) == ("map", 0)
    assert planted_page.EVIL in tip and "size" in tip and "−0.25" in tip
    assert links == 2 * len(NAMES), "a link for each name in two tables"


def test_a_click_tells_what_is_known_and_near(pages):
    script = """
    const { place } = (await marks()).Bern;
    fire("pointerdown", place);
    fire("pointerup", place);
    await wait();
    const near = () => all(".near button").map((button) => button.textContent);
    const first = [location.hash, document.querySelector(".chosen").textContent, near()];
    all(".near button")[0].click();
    return [...first, document.querySelector(".chosen .name").textContent];
    """
    address, words, near, second = ask(pages[3], script)
    assert "object=Bern" in address and words.startswith("Bern") and "Swiss" in words
    distances = np.linalg.norm(planted_page.points(3) - planted_page.points(3)[1], axis=1)
    assert near == [NAMES[i] for i in np.argsort(distances)[1:7]], "in all three dimensions"
    assert second == near[0]


def test_finding_a_name_fades_the_others(pages):
    script = """
    await change("Find a name", "OR");
    const found = Object.entries(await marks()).filter(([, mark]) => mark.opacity === 1);
    const words = document.querySelector(".found").textContent;
    const named = [...(await svg()).querySelectorAll(".map text")].map((text) => text.textContent);
    await change("Find a name", "ERN");
    const enter = new KeyboardEvent("keydown", { key: "Enter" });
    document.querySelector("input[type=search]").dispatchEvent(enter);
    const first = document.querySelector(".chosen .name").textContent;
    await change("Find a name", "Cork");
    const chosen = document.querySelector(".chosen .name").textContent;
    const options = all("#find-names option").length;
    return [found.map(([name]) => name), named, words, [first, chosen], options, location.hash];
    """
    found, named, words, chosen, options, address = ask(pages[2], script)
    assert set(found) == {name for name in NAMES if "or" in name.lower()}
    assert len(named) == len(found), "nothing that is faded takes the room of a name"
    assert (
        words == f"{len(found)} of 9 objects"
        and chosen == ["Bern", "Cork"]
        and options == len(NAMES)
    )
    assert "find=Cork" in address


def test_words_and_numbers_color_the_map(pages):
    script = """
    const fills = async () => Object.fromEntries(
      Object.entries(await marks()).map(([name, mark]) => [name, mark.fill]));
    const words = await fills();
    const saved_legend = (await svg()).querySelector(".legend").textContent;
    const legend = all(".levels button").map((button) => button.textContent);
    const { place } = (await marks()).Athens;
    const ratio = canvas.width / canvas.clientWidth;
    const spot = place.map((v) => v * ratio);
    const [r, g, b] = canvas.getContext("2d").getImageData(...spot, 1, 1).data;
    const level = all(".levels button")[1];
    level.click();
    await wait();
    const faded = Object.entries(await marks()).filter(([, mark]) => mark.opacity < 1);
    await change("Color by", "size");
    const numbers = await fills();
    const ends = document.querySelector(".ends").textContent;
    await change("Color by", "answers");
    const counts = [document.querySelector(".ends").textContent, await fills()];
    await change("Color by", "-");
    const more = { saved_legend, legend, pixel: [r, g, b], faded: faded.length };
    return { words, ...more, numbers, ends, counts, none: await fills(),
             options: all(".field select option").map((one) => one.value) };
    """
    found = ask(pages[2], script)
    assert found["legend"] == ["Greece6", "Ireland1", "Swiss1"]
    assert found["saved_legend"] == "countryGreeceIrelandSwiss"
    words = found["words"]
    assert [words[name] for name in NAMES[:3]] == [PALETTE[0], PALETTE[2], PALETTE[1]]
    assert words[NAMES[3]] not in PALETTE, "what is not known is gray"
    color = tuple(int(PALETTE[0][i : i + 2], 16) for i in (1, 3, 5))
    assert tuple(found["pixel"]) == color, "the canvas is drawn as the file says"
    assert found["faded"] == len(NAMES) - 1
    assert found["numbers"]["Athens"] == "#440154" and found["ends"] == "−11"
    assert found["counts"][0] == "1logarithmic900"
    assert len(set(found["none"].values())) == 1
    assert found["options"][:4] == ["-", "country", "size", "answers"]


def test_keys_wheel_and_fingers_zoom_and_the_address_keeps_it(pages):
    script = """
    const middle = [canvas.clientWidth / 2, canvas.clientHeight / 2];
    const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
    const [inner, other] = Object.entries(await marks())
      .sort(([, a], [, b]) => apart(a.place, middle) - apart(b.place, middle))
      .map(([name]) => name);
    const span = async () => {
      const found = await marks();
      return apart(found[inner].place, found[other].place);
    };
    const first = await span();
    const found = {};
    await key("+");
    found.key = (await span()) / first;
    await key("0");
    found.reset = (await span()) / first;
    const wheel = () => canvas.dispatchEvent(
      new WheelEvent("wheel", { ...at([300, 200]), deltaY: -100, cancelable: true }));
    found.scrolls = wheel();
    canvas.focus();
    found.stays = wheel();
    await wait();
    found.wheel = (await span()) / first;
    await key("0");
    const [x, y] = middle;
    fire("pointerdown", [x - 40, y], { pointerId: 1 });
    fire("pointerdown", [x + 40, y], { pointerId: 2 });
    fire("pointermove", [x + 80, y], { pointerId: 2 });
    for (const id of [1, 2]) fire("pointerup", [x, y], { pointerId: id });
    await wait();
    found.pinch = (await span()) / first;
    await key("0");
    const before = (await marks())[inner].place;
    fire("pointerdown", [100, 100]);
    fire("pointermove", [140, 130]);
    fire("pointerup", [140, 130]);
    await wait(400);
    const after = (await marks())[inner].place;
    found.moved = [after[0] - before[0], after[1] - before[1]];
    found.address = location.hash;
    found.inner = [inner, after];
    return found;
    """
    found = ask(pages[2], script)
    assert found["key"] == pytest.approx(1.4, rel=1e-3) and found["reset"] == pytest.approx(1)
    assert found["scrolls"] and not found["stays"], "without the focus the page scrolls"
    assert 1.1 < found["wheel"] < 1.5 and found["pinch"] == pytest.approx(1.5, rel=1e-3)
    assert found["moved"] == pytest.approx([40, 30], abs=0.05)
    name, place = found["inner"]
    again = ask(pages[2], "return await marks();", found["address"][1:])
    assert again[name]["place"] == pytest.approx(place, abs=0.2)


def test_axes_and_ellipses_are_those_of_the_map(pages):
    script = """
    const read = async () => {
      const rings = [...(await svg()).querySelectorAll("ellipse")];
      const places = Object.values(await marks()).map((mark) => mark.place);
      const numbers = (ring) => ["rx", "ry"].map((key) => Number(ring.getAttribute(key)));
      const turn = (ring) => parseFloat(ring.getAttribute("transform").slice(7));
      return [await marks(), rings.map((ring) => [...numbers(ring), turn(ring)])];
    };
    const first = await read();
    await change("Upward", "3");
    const second = await read();
    const label = box("ellipses").parentNode.textContent;
    box("ellipses").click();
    await wait();
    const without = (await svg()).querySelectorAll("ellipse").length;
    return { first, second, label, without, address: location.hash };
    """
    found = ask(pages[3], script)
    assert found["label"] == "90\N{NO-BREAK SPACE}% ellipses" and found["without"] == 0
    assert "y=3" in found["address"] and "ellipses=off" in found["address"]
    axes = principal_axes(planted_page.points(3))
    turned = planted_page.points(3) @ axes
    shapes = axes.T @ planted_page.shapes(3) @ axes
    for (drawn, rings), pair in ((found["first"], [0, 1]), (found["second"], [0, 2])):
        places = np.array([drawn[name]["place"] for name in NAMES])
        plane = turned[:, pair] * [1, -1]
        unit = np.ptp(places[:, 0]) / np.ptp(plane[:, 0])
        moved = places - unit * plane
        assert np.ptp(moved, axis=0) == pytest.approx([0, 0], abs=0.1), "both axes in one unit"
        for (rx, ry, angle), shape in zip(rings, shapes[:, pair][:, :, pair], strict=True):
            values, vectors = np.linalg.eigh(shape)
            assert (ry, rx) == pytest.approx(unit * np.sqrt(values), abs=0.3)
            slope = np.degrees(np.arctan2(-vectors[1, 1], vectors[0, 1]))
            assert (angle - slope + 90) % 180 - 90 == pytest.approx(0, abs=1)


def test_one_dimension_is_a_line_on_which_names_do_not_overlap(pages):
    script = """
    const drawn = await svg();
    document.body.append(document.importNode(drawn.documentElement, true));
    const texts = [...document.body.lastElementChild.querySelectorAll(".map text")];
    const boxes = texts.map((text) => text.getBoundingClientRect());
    const overlap = boxes.some((a, i) => boxes.some((b, j) => i < j && a.left < b.right - 1 &&
      b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3));
    const places = Object.values(await marks()).map((mark) => mark.place);
    return [overlap, texts.length, places];
    """
    overlap, n_names, places = ask(pages[1], script)
    x, y = np.array(places).T
    assert not overlap and n_names == len(NAMES) and np.ptp(y) == 0
    assert np.corrcoef(np.sort(x), np.sort(planted_page.points(1)[:, 0]))[0, 1] > 0.9999


def test_the_table_is_saved_with_names_that_are_no_formulas(pages):
    script = """
    await press("Table as CSV");
    const saved_text = saved;
    navigator.clipboard.writeText = async (text) => (saved = text);
    await press("Copy the table");
    return [saved_text, saved];
    """
    text, copied = ask(pages[2], script)
    assert text[0] == "\ufeff"
    header, *rows = csv.reader(io.StringIO(text[1:], newline=""))
    assert header[:4] == ["object", "axis 1", "axis 2", "country"]
    assert [unescape_formula(row[0]) for row in rows] == NAMES
    cells = [cell for row in [header, *rows] for cell in row]
    cells += copied.replace("\n", "\t").split("\t")
    for cell in cells:
        assert cell[:1] not in ("=", "+", "@") and (cell[:1] != "-" or float(cell) < 0)
    saved = [[float(row[1]), float(row[2])] for row in rows]
    assert np.allclose(saved, planted_page.points(2), atol=1e-4)


def test_keys_go_from_object_to_object_and_say_so(pages):
    script = """
    await key("n");
    await key("n");
    const said = document.querySelector(".plot [role=status]").textContent;
    await key("Escape");
    return [said, all(".chosen").length];
    """
    said, chosen = ask(pages[2], script, "find=or")
    assert "nearest: " in said and chosen == 0


def test_tables_are_sorted_and_lead_to_the_map(pages):
    script = """
    const table = all("table").at(-1);
    const found = (selector) => [...table.querySelectorAll(selector)];
    const cells = (k) => found("tbody tr").map((row) => row.children[k].textContent);
    const size = found("th button").find((button) => button.textContent === "size");
    size.click();
    const up = cells(0);
    size.click();
    const down = [cells(0), size.parentNode.getAttribute("aria-sort")];
    table.querySelector("td button").click();
    return [up, ...down, document.querySelector(".chosen .name").textContent];
    """
    up, down, order, chosen = ask(pages[2], script)
    assert up == NAMES and down == NAMES[::-1] and order == "descending"
    assert chosen == NAMES[-1]


@pytest.mark.parametrize("width", [320, 1400])
def test_a_long_name_stays_in_its_cell(browse, tmp_path, width):
    names = ["x" * 90, "b", "c"]
    table = Table(pd.DataFrame({"object": names, "fit": [0.5, 0.6, 0.7]}), objects="object")
    sections = [Section("Worst", "Objects that fit badly.", [table])]
    points = [[0, 0], [1, 0], [0, 2]]
    write_page(tmp_path / "map.html", title="map", names=names, points=points, sections=sections)
    script = """
    const name = one("td button", "x".repeat(90));
    const [inner, outer] = [name, name.parentNode].map((e) => e.getBoundingClientRect());
    return [inner.right - outer.right, inner.height];
    """
    beyond, height = ask(browse(tmp_path / "map.html"), script, size=(width, 900))
    assert beyond <= 0 and height > 20, "its letters wrap"


def test_images_stand_for_points(browse, tmp_path):
    image = pytest.importorskip("PIL.Image")
    folder = tmp_path / "images"
    folder.mkdir()
    image.new("RGB", (300, 150), "#ff0000").save(folder / "Bern.png")
    notes = planted_page.write_example(tmp_path / "map.html", thumbnails=folder)
    script = """
    const drawn = (await svg()).querySelectorAll("image");
    const [width, height] = ["width", "height"].map((key) => Number(drawn[0].getAttribute(key)));
    const center = [Number(drawn[0].getAttribute("x")) + width / 2,
                    Number(drawn[0].getAttribute("y")) + height / 2];
    const ratio = canvas.width / canvas.clientWidth;
    const pixel = canvas.getContext("2d").getImageData(...center.map((v) => v * ratio), 1, 1).data;
    fire("pointermove", center);
    return [drawn.length, width / height, [...pixel], all("#tip img").length,
            document.querySelector(".notes").textContent];
    """
    count, ratio, pixel, in_tip, told = ask(browse(tmp_path / "map.html"), script, "images=on")
    assert (count, in_tip) == (1, 1) and ratio == pytest.approx(2, abs=0.05)
    assert pixel[0] > 240 and pixel[1] < 20 and told == "".join(notes)
    assert "Objects without an image: 8" in told


def test_light_and_dark(pages):
    script = """
    const paper = () => getComputedStyle(document.body).backgroundColor;
    const first = paper();
    await press("Light or dark");
    return [first, paper(), location.hash];
    """
    first, second, address = ask(pages[2], script)
    assert first != second and "theme=" in address


@pytest.mark.parametrize("points", [[[1.0, 2.0]], [[3.0], [3.0]], [[1e-200, 0.0], [0.0, 2e-200]]])
def test_maps_of_few_objects_are_drawn(browse, tmp_path, points):
    names = ["one", "\N{BRAIN}" * 40][: len(points)]
    write_page(tmp_path / "map.html", title="map", names=names, points=points)
    script = """
    const places = Object.values(await marks()).map((mark) => mark.place);
    return [places, canvas.clientWidth, canvas.clientHeight];
    """
    places, width, height = ask(browse(tmp_path / "map.html"), script)
    assert len(places) == len(points) and np.isfinite(places).all()
    assert (np.array(places) > 0).all() and (np.array(places) < [width, height]).all()


@pytest.fixture(scope="module")
def crowded(browse, tmp_path_factory):
    """Return a browser for a page of 40 objects with long names and sections of all sizes."""
    rng = np.random.default_rng(0)
    names = [f"quite a long name {n}" for n in range(40)]
    frame = pd.DataFrame({"object": names, **{f"some column {k}": 0.5 for k in range(4)}})
    counts = Bars.of_counts(rng.integers(7000, 8300, 40), xlabel="comparisons")
    table = Table(frame, "Fit", objects="object")
    blocks = [[counts, table], [counts], [table], [Figures({"answers": 1})]]
    sections = [Section(f"Section {k}", "Short.", some) for k, some in enumerate(blocks)]
    path = tmp_path_factory.mktemp("crowded") / "map.html"
    points = rng.normal(size=(40, 2))
    write_page(path, title="map", names=names, points=points, sections=sections)
    return browse(path)


@pytest.mark.parametrize("width", [360, 1280])
def test_cards_fill_their_rows_and_do_not_touch(crowded, width):
    script = """
    const boxes = all("main .card").map((card) => card.getBoundingClientRect());
    return boxes.map(({ left, top, right, bottom }) => [left, top, right, bottom]);
    """
    boxes = np.array(ask(crowded, script, size=(width, 900)))
    tops, row = np.unique(boxes[:, 1].round(), return_inverse=True)
    rows = [boxes[row == k] for k in range(len(tops))]
    for above, below in itertools.pairwise(rows):
        assert below[:, 1].min() - above[:, 3].max() >= 15
    for cards in rows:
        assert np.ptp(cards[:, 3]) < 1 and cards[:, 0].min() == boxes[0, 0]
        assert cards[:, 2].max() == pytest.approx(boxes[0, 2], abs=1)
        assert (cards[1:, 0] - cards[:-1, 2] >= 15).all()


@pytest.mark.parametrize("width", [360, 1280])
def test_labels_of_bars_do_not_collide(crowded, width):
    script = """
    return all(".bars svg").map((picture) => [...picture.querySelectorAll("text")]
      .filter((text) => text.textContent.includes("–"))
      .map((text) => text.getBoundingClientRect())
      .map(({ left, right }) => [left, right]));
    """
    for places in ask(crowded, script, size=(width, 900)):
        places = np.array(places)
        assert len(places) > 1 and (places[1:, 0] - places[:-1, 1] > 4).all()


def test_a_phone_says_which_names_and_columns_are_out_of_sight(crowded):
    script = """
    const named = (await svg()).querySelectorAll(".map text").length;
    const words = all(".plot .caption").map((note) => note.textContent);
    const hints = all(".scroll").map((table) => [
      table.scrollWidth > table.clientWidth + 1, table.nextElementSibling.textContent,
      table.nextElementSibling.hidden]).filter(([cut, ,]) => cut);
    await change("Find a name", "name 17");
    return [named, words[0], hints, all(".plot .caption")[0].textContent];
    """
    named, words, hints, after = ask(crowded, script, size=(360, 900))
    assert words.startswith(f"{40 - named} of 40 names are hidden") and "Zoom in" in words
    assert hints, "some tables are wider than a phone"
    for _, hint, hidden in hints:
        assert "Scroll the table to see all columns" in hint and not hidden
    assert after == ""
