"""Images of objects are found by name and shrunk; missing ones are reported."""

import base64
import builtins
import io

import numpy as np
import pytest

from closerthan_lab.page.thumbnails import thumbnails_of

image = pytest.importorskip("PIL.Image")
NAMES = ["a", "b.png", "Zoë", "d", "../e"]


def noise(side, seed=0):
    """Return an image that cannot be compressed."""
    rng = np.random.default_rng(seed)
    return image.fromarray(rng.integers(0, 256, (side, 2 * side, 3), dtype=np.uint8))


@pytest.fixture
def folder(tmp_path):
    """Write images of the first three objects; the third name has another Unicode form."""
    noise(300).save(tmp_path / "a.jpg")
    noise(300, 1).save(tmp_path / "b.png")
    noise(300, 2).save(tmp_path / "Zoe\u0308.WEBP")
    (tmp_path / "d.txt").write_text("no image")
    noise(10).save(tmp_path.parent / "e.png")
    return tmp_path


def opened(address):
    kind, content = address.split(";base64,")
    return kind, image.open(io.BytesIO(base64.b64decode(content)))


def test_images_are_found_by_name_and_made_small(folder):
    found, notes = thumbnails_of(folder, NAMES, 1_000_000)
    assert sorted(found) == [0, 1, 2] and notes == ["Objects without an image: 2 (d, ../e)."]
    for address in found.values():
        kind, picture = opened(address)
        assert kind == "data:image/webp" and picture.size == (160, 80)


def test_images_get_so_small_that_they_fit(folder):
    sizes = []
    for most in (40_000, 20_000, 8_000):
        found, _ = thumbnails_of(folder, NAMES, most)
        assert len(found) == 3 and sum(map(len, found.values())) <= most
        sizes.append(opened(found[0])[1].size[0])
    assert sizes == sorted(sizes, reverse=True) and sizes[0] > sizes[-1]


def test_images_that_do_not_fit_even_then_are_named(folder):
    found, notes = thumbnails_of(folder, NAMES, 300)
    assert len(found) < 3
    assert any(note.startswith("Images that do not fit in the page: ") for note in notes)


def test_a_damaged_image_is_named(folder):
    whole = (folder / "b.png").read_bytes()
    (folder / "b.png").write_bytes(whole[:500])
    (folder / "d.jpg").write_bytes(b"no image")
    found, notes = thumbnails_of(folder, NAMES, 1_000_000)
    assert sorted(found) == [0, 2]
    assert notes[0] == "Images that cannot be read: 2 (b.png, d)."


def test_transparent_images_stay_so(tmp_path):
    image.new("RGBA", (10, 10), (255, 0, 0, 0)).save(tmp_path / "a.png")
    found, _ = thumbnails_of(tmp_path, ["a"], 10_000)
    assert opened(found[0])[1].convert("RGBA").getpixel((5, 5))[3] == 0


def test_without_pillow_images_stay_as_they_are_or_are_named(folder, monkeypatch):
    real = builtins.__import__

    def without(name, *args, **options):
        if name.startswith("PIL"):
            raise ImportError(name)
        return real(name, *args, **options)

    size = (folder / "a.jpg").stat().st_size
    monkeypatch.setattr(builtins, "__import__", without)
    found, notes = thumbnails_of(folder, NAMES, 2 * size)
    monkeypatch.undo()
    assert opened(found[0])[1].size == (600, 300)
    assert "install pillow to shrink them" in notes[0]


@pytest.mark.parametrize(
    ("names", "n"), [(["img/a.jpg", "img\\b.png"], 2), (["x/a.jpg", "y/a.jpg", "b"], 1)]
)
def test_images_of_names_with_folders(names, n, folder):
    """Folders are left out only if the names stay different."""
    assert len(thumbnails_of(folder, names, 1_000_000)[0]) == n
