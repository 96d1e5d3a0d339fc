"""Open pages with known content in headless Chromium."""

import html
import json
import re
import subprocess

import pytest

# A page runs in a frame, because a window is at least 500 pixels wide. Its results come back in an
# element around it. `all` and `one` find elements; `go` goes to a state of the page.
FRAME = """<iframe src="probe.html{state}" style="width: {width}px; height: {height}px; border: 0">
</iframe><pre id="found"></pre><script>
addEventListener("message", ({{ data }}) => (document.getElementById("found").textContent = data));
</script>"""
# Frames are slow without a window, and pages draw in frames.
FRAMES = "<head><script>window.requestAnimationFrame = (draw) => setTimeout(draw);</script>"
PROBE = """<script>
const all = (selector) => [...document.querySelectorAll(selector)];
const one = (selector, words) => all(selector).find((element) => element.textContent === words);
const go = (state) => {
  location.hash = state;
  return new Promise((done) => setTimeout(done, 50));
};
setTimeout(async () => {
  const found = await (async () => { %s })();
  parent.postMessage(JSON.stringify(found), "*");
}, 300);
</script>"""


class Browser:
    """A browser that opens a new page for each script."""

    def __init__(self, page):
        self.page, self.folder = page, page.parent
        self.said = []

    def ask(self, state, script, size=(1400, 1000), seconds=6):
        """Open the page in a state, run a script, and return its result.

        A state is the end of the address, after "#", or as a query from "?" on. The browser's clock
        runs as fast as the page allows, and stops after some seconds.
        """
        text = self.page.read_text(encoding="utf-8")
        text = text.replace("<head>", FRAMES).replace("</body>", PROBE % script + "</body>")
        (self.folder / "probe.html").write_text(text, encoding="utf-8")
        page = self.folder / "frame.html"
        state = html.escape(state if state.startswith("?") else f"#{state}")
        frame = FRAME.format(state=state, width=size[0], height=size[1])
        page.write_text(frame, encoding="utf-8")
        command = ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu"]
        command += ["--enable-logging=stderr", f"--virtual-time-budget={1000 * seconds}"]
        command += [f"--user-data-dir={self.folder}/profile", "--window-size=1600,1200"]
        command += ["--dump-dom", page.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        self.said = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
        (found,) = re.findall(r'<pre id="found">(.*?)</pre>', done.stdout, flags=re.DOTALL)
        assert found, f"the script did not come to its end: {self.said}"
        return json.loads(html.unescape(found))


@pytest.fixture(scope="session")
def browse():
    """Return a function that opens a page in a browser."""
    return Browser
