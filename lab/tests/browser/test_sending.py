"""Answers come back: sent to a server that fails, is late or answers twice, or saved as a file."""

import json
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from closerthan_lab.commands.experiment import experiment
from closerthan_lab.files import read_answers
from window import Window

pytestmark = pytest.mark.usefixtures("mirror")  # it has jsPsych

BOX = "{0} && (({{ x, y }}) => [x + 20, y + 20])({0}.getBoundingClientRect())"
SHOWN = "document.querySelector('.page')?.textContent"
BUTTONS = "[...document.querySelectorAll('button')].map((button) => button.textContent)"
PRESS = "[...document.querySelectorAll('button')].find((b) => b.textContent === '{}').click()"
SHORT = {"TRIES = [0, 2000, 5000]": "TRIES = [0, 50, 50]", "PATIENCE = 30000": "PATIENCE = 1500"}


class Server(ThreadingHTTPServer):
    """Serve a folder. Take answers at /answers, and reply as planned: "late", "twice" or a status.

    Like DataPipe, it refuses a file that it has.
    """

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), partial(Handler, directory=folder))
        self.replies, self.posts, self.files, self.visits = [], [], {}, []
        self.hold = threading.Event()

    def at(self, path, host="localhost"):
        return f"http://{host}:{self.server_port}/{path}"


class Handler(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        self.server.visits.append(self.path)
        super().do_GET()

    def do_OPTIONS(self):
        self.reply(204)

    def do_POST(self):
        content = self.rfile.read(int(self.headers["Content-Length"]))
        post = json.loads(content)
        self.server.posts.append(post)
        plan = self.server.replies.pop(0)
        if plan == 500:
            return self.reply(500, b"out of order")
        if post["filename"] in self.server.files:
            return self.reply(400, b'{"error": "FILE_EXISTS"}')
        self.server.files[post["filename"]] = post["data"]
        if plan == "late":
            self.server.hold.wait(20)
        self.reply(201, b'{"message": "Success"}', times=2 if plan == "twice" else 1)

    def reply(self, status, body=b"", times=1):
        for _ in range(times):
            self.send_response(status)
            self.send_header("Access-Control-Allow-Origin", "*")
            self.send_header("Access-Control-Allow-Headers", "Content-Type")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)


@pytest.fixture
def server(tmp_path):
    (tmp_path / "online").mkdir()
    with Server(tmp_path / "online") as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.hold.set()
        server.shutdown()
        thread.join()


@pytest.fixture
def open_window(tmp_path):
    """Return a function that opens a window, whose downloads are in tmp_path / "downloads"."""
    windows = []

    def open_window(size=(1280, 800)):
        window = Window(tmp_path / "profile", size)
        windows.append(window)
        downloads = str(tmp_path / "downloads")
        window.call("Page.setDownloadBehavior", behavior="allow", downloadPath=downloads)
        return window

    yield open_window
    for window in windows:
        window.close()


def write(folder, questions=1, **options):
    """Write an experiment of a few questions, which does not wait for long."""
    words = folder.parent / "words.txt"
    words.write_text("ape\nbee\ncat\ndog\n", encoding="utf-8")
    counts = {"questions": questions, "repeats": 0, "checks": 0, "practice": 0}
    experiment(words, **counts, **options).write(folder, overwrite=True)
    path = folder / "experiment.js"
    script = path.read_text(encoding="utf-8")
    for long, short in SHORT.items():
        assert long in script
        script = script.replace(long, short)
    path.write_text(script, encoding="utf-8")


def take_part(window, address):
    """Read the instructions and answer the first question."""
    window.go(address)
    for _ in range(2):
        window.wait_for("!!document.querySelector('.jspsych-instructions-nav')")
        window.run("document.querySelector('.jspsych-instructions-nav button:last-child').click()")
    window.wait_for("!!document.querySelector('.alternative:enabled')")
    window.run("document.querySelector('.alternative').click()")


def saved(folder, seconds=30):
    """Return the files that the browser saved, when there are any."""
    end = time.monotonic() + seconds
    while not (files := list((folder / "downloads").glob("*.csv"))) and time.monotonic() < end:
        time.sleep(0.05)
    return files


@pytest.mark.parametrize(
    "replies", [[201], ["twice"], [500, 500, 201], ["late", 201], ["late", 500, 201]]
)
def test_answers_arrive_once(server, open_window, tmp_path, replies):
    write(tmp_path / "online", send_to=server.at("answers", host="127.0.0.1"))  # another host
    server.replies, window = list(replies), open_window()
    take_part(window, server.at("index.html?participant=anna"))
    window.wait_for(f"{SHOWN}?.includes('were sent')")
    assert window.run(SHOWN).endswith("Your answers were sent. You can close this page now.")
    assert window.run(BUTTONS) == [] and not (tmp_path / "downloads").exists()
    assert len(server.posts) == len(replies) and set(server.posts[0]) == {"filename", "data"}
    [(name, data)] = server.files.items()
    (tmp_path / name).write_text(data, encoding="utf-8", newline="")
    assert read_answers(tmp_path / name).answers.participant.tolist() == ["anna"]
    window.go(server.at("index.html?participant=anna"))
    window.wait_for(f"{SHOWN}?.includes('were sent')")
    assert len(server.posts) == len(replies), "who comes again sends nothing again"


def test_datapipe_gets_its_three_fields(server, open_window, tmp_path):
    write(tmp_path / "online", send_to="datapipe:abc123")
    path = tmp_path / "online" / "data.js"
    script = path.read_text(encoding="utf-8")
    assert "https://pipe.jspsych.org/api/data/" in script
    local = server.at("answers", host="127.0.0.1")
    path.write_text(script.replace("https://pipe.jspsych.org/api/data/", local), encoding="utf-8")
    server.replies, window = [201], open_window()
    take_part(window, server.at("index.html?participant=anna"))
    window.wait_for(f"{SHOWN}?.includes('were sent')")
    [post] = server.posts
    assert set(post) == {"experimentID", "filename", "data"} and post["experimentID"] == "abc123"
    assert post["filename"].startswith("answers-anna-20") and "," in post["data"]


@pytest.mark.parametrize("is_there", [True, False])
def test_what_cannot_be_sent_is_saved_and_can_be_sent_later(
    server, open_window, tmp_path, is_there
):
    address = server.at("answers") if is_there else "http://localhost:1/answers"
    contact = "Dr. $& Lee <lee@example.org>"
    write(tmp_path / "online", send_to=address, contact=contact)
    server.replies, window = [500, 500, 500], open_window((360, 640))
    take_part(window, server.at("index.html?participant=anna"))
    window.wait_for(f"{SHOWN}?.includes('could not be sent')")
    [path] = saved(tmp_path)
    assert window.run(SHOWN).endswith(
        "Your answers could not be sent, but they are not lost.\n\n"
        f"Your answers were saved as the file {path.name}. Please send this file to {contact}."
    )
    assert window.run(BUTTONS) == ["Try to send again", "Save the file again"]
    assert window.run("document.documentElement.scrollWidth") == 360
    assert read_answers(path).answers.participant.tolist() == ["anna"]
    server.replies = [201] if is_there else []
    window.run(PRESS.format("Try to send again"))
    if is_there:
        window.wait_for(f"{SHOWN}?.includes('were sent')")
        assert server.files == {path.name: path.read_bytes().decode()}
    else:
        window.wait_for(f"{SHOWN}?.includes('could not be sent')")
    assert saved(tmp_path) == [path], "it is not saved again unasked"


def test_the_last_screen_leads_to_the_page_that_completes_the_study(server, open_window, tmp_path):
    credit = "credit?experiment_id=1&credit_token=2&survey_code="
    sona = server.at(credit + "XXXX")
    write(tmp_path / "online", send_to=server.at("answers"), complete_url=sona)
    server.replies, window = [201], open_window()
    take_part(window, server.at("index.html?id=12%2634"))
    window.wait_for(f"{SHOWN}?.includes('were sent')")
    assert "The page that completes the study opens in a few seconds." in window.run(SHOWN)
    assert window.run(BUTTONS) == ["Complete the study"]
    window.wait_for("location.pathname === '/credit'")
    assert f"/{credit}12%2634" in server.visits

    prolific = server.at("complete?cc=ABC")
    write(tmp_path / "online", complete_url=prolific)
    take_part(window, server.at("index.html?PROLIFIC_PID=bob"))
    window.wait_for(f"{SHOWN}?.includes('saved as the file')")
    assert window.run(SHOWN).endswith("Then press “Complete the study”.")
    assert "send this file to the researchers." in window.run(SHOWN)
    assert window.run(BUTTONS) == ["Save the file again", "Complete the study"]
    window.run(PRESS.format("Complete the study"))
    window.wait_for("location.pathname === '/complete'")
    assert "/complete?cc=ABC" in server.visits


def test_a_resting_mouse_highlights_no_button(server, open_window, tmp_path):
    write(tmp_path / "online", questions=3)
    window = open_window()
    take_part(window, server.at("index.html"))
    button = "document.querySelectorAll('.alternative:enabled')[1]"
    place = window.wait_for(BOX.format(button))
    color = f"{button} && getComputedStyle({button}).borderColor"
    plain = window.run(color)
    window.mouse("mouseMoved", [1, 1])
    window.mouse("mouseMoved", place)
    assert window.run(color) != plain
    before = window.run("session.answers.length")
    window.click(place)
    window.wait_for(f"session.answers.length > {before} && {button}?.matches(':hover')")
    assert window.run(color) == plain
    window.mouse("mouseMoved", [place[0] + 1, place[1]])
    assert window.run(color) != plain
