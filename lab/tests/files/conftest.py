"""Read small files of answers, or expect that they are refused."""

from pathlib import Path
from tempfile import mkdtemp

import pytest

from closerthan_lab.files import read_answers
from files.programs import put


@pytest.fixture
def read(tmp_path):
    """Return a function that writes a text, or several by file name, and reads the answers."""

    def read(files, **options):
        return read_answers(put(Path(mkdtemp(dir=tmp_path)), files), **options)

    return read


@pytest.fixture
def refused(read):
    """Return a function that expects an error with a message, and returns the whole message."""

    def refused(files, message, **options):
        with pytest.raises(ValueError, match=message) as caught:
            read(files, **options)
        return str(caught.value)

    return refused
