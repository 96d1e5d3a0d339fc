"""A window of headless Chromium with a real clock, a real mouse and a real network."""

import base64
import json
import os
import subprocess
import time


class Window:
    """Open pages, move the mouse and run scripts, by Chromium's own protocol over two pipes."""

    def __init__(self, profile, size):
        theirs, self._out = os.pipe()
        self._in, back = os.pipe()
        command = ["sh", "-c", f'exec "$@" 3</dev/fd/{theirs} 4>/dev/fd/{back}', "sh", "chromium"]
        command += ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"]
        command += [f"--user-data-dir={profile}", "about:blank"]
        self._chromium = subprocess.Popen(
            command, pass_fds=(theirs, back), stderr=subprocess.DEVNULL
        )
        os.close(theirs)
        os.close(back)
        self._number, self._rest, self._session = 0, b"", {}
        [page] = [t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page"]
        found = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self._session = {"sessionId": found["sessionId"]}
        shape = dict(zip(("width", "height"), size, strict=True))
        self.call("Emulation.setDeviceMetricsOverride", **shape, deviceScaleFactor=1, mobile=False)

    def close(self):
        self._chromium.kill()
        self._chromium.wait()
        os.close(self._out)
        os.close(self._in)

    def call(self, method, **options):
        """Call a method of the protocol, and return its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": options, **self._session}
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self._rest:
                part = os.read(self._in, 1 << 16)
                assert part, "the browser has ended"
                self._rest += part
            first, self._rest = self._rest.split(b"\0", 1)
            answer = json.loads(first)
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]

    def run(self, script):
        """Return what an expression of JavaScript gives; None while a page is loading."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        return found["result"].get("value")

    def wait_for(self, script, seconds=30):
        """Return the first true value of an expression."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := self.run(script):
                return found
            time.sleep(0.05)
        raise AssertionError(f"{script} stays false: {self.run('document.body.innerText')}")

    def go(self, address):
        self.call("Page.navigate", url=address)

    def mouse(self, kind, place):
        x, y = place
        click = {"button": "left", "clickCount": 1} if kind != "mouseMoved" else {}
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **click)

    def click(self, place):
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, place)

    def picture(self, path):
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))
