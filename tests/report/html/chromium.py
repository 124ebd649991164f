"""Opens pages in headless Chromium over the Chrome DevTools Protocol, with Python's standard library alone.

Chromium reads commands from file descriptor 3 and answers on 4 (--remote-debugging-pipe): JSON texts that end in NUL.
An answer has the id of its command; an event has none. https://chromedevtools.github.io/devtools-protocol/
"""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

# A page that does not answer for so long hangs. Generous, because other programs may use this machine.
PATIENCE_S = 120


def find():
    """The path of Chromium, or None."""
    names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    return next(filter(None, map(shutil.which, names)), None)


class Chromium:
    """A running browser, without a window, a profile of its own, and the network."""

    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="warpgrade-chromium-")
        from_us, to_browser = os.pipe()
        from_browser, to_us = os.pipe()
        self.log = open(os.path.join(self.profile, "log"), "wb+")

        def take_pipes():
            # First above 4, so that neither copy closes the other pipe.
            read, write = os.dup(from_us), os.dup(to_us)
            high = [os.dup(read) for _ in range(8)]
            read, write = high[-1], os.dup(write)
            os.dup2(read, 3)
            os.dup2(write, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu",
             "--disable-dev-shm-usage", "--disable-extensions", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--mute-audio", "--hide-scrollbars",
             "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", f"--user-data-dir={self.profile}",
             *(["--no-sandbox"] if os.geteuid() == 0 else []), "about:blank"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, preexec_fn=take_pipes, close_fds=False,
            start_new_session=True)
        os.close(from_us)
        os.close(to_us)
        self.to_browser, self.from_browser = to_browser, from_browser
        self.buffer = b""
        self.last_id = 0
        self.events = []

    def close(self):
        try:
            self.call("Browser.close")
            self.process.wait(PATIENCE_S)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.to_browser)
        os.close(self.from_browser)
        self.log.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    def _read(self, deadline):
        """The next message."""
        while b"\0" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.from_browser], [], [], left)[0]:
                raise RuntimeError("the browser does not answer")
            data = os.read(self.from_browser, 1 << 20)
            if not data:
                self.log.seek(0)
                raise RuntimeError("the browser ended: " + self.log.read().decode(errors="replace")[-2000:])
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        """The result of a command. Events that come meanwhile are kept."""
        self.last_id += 1
        command = {"id": self.last_id, "method": method, "params": parameters}
        if session:
            command["sessionId"] = session
        data = json.dumps(command).encode() + b"\0"
        while data:
            data = data[os.write(self.to_browser, data):]
        deadline = time.monotonic() + PATIENCE_S
        while True:
            message = self._read(deadline)
            if message.get("id") == self.last_id:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message.get("result", {})
            self.events.append(message)

    def wait_for(self, method, session):
        deadline = time.monotonic() + PATIENCE_S
        while True:
            for index, event in enumerate(self.events):
                if event.get("method") == method and event.get("sessionId") == session:
                    return self.events.pop(index)
            self.events.append(self._read(deadline))


class Page:
    """A file, or an address of this machine, in a tab of its own."""

    def __init__(self, browser, path, width=1600, height=1000, theme="light", scripts=True):
        self.browser = browser
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")
        self.resize(width, height)
        self.prefer(theme)
        if not scripts:
            self.call("Emulation.setScriptExecutionDisabled", value=True)
        is_address = str(path).startswith("http://")
        self.call("Page.navigate", url=path if is_address else pathlib.Path(path).resolve().as_uri())
        browser.wait_for("Page.loadEventFired", self.session)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.browser.call("Target.closeTarget", targetId=self.target)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def prefer(self, theme):
        self.call("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": theme}])

    def run(self, script):
        """What an expression gives, as JSON. A promise is awaited."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def settle(self):
        """Waits until the page was drawn twice."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")

    def press(self, key, code, virtual):
        for kind in ["keyDown", "keyUp"]:
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code, windowsVirtualKeyCode=virtual,
                      **({"text": "\r"} if key == "Enter" and kind == "keyDown" else {}))

    def messages(self):
        """What the browser's console has of this page: messages, exceptions, violations of the policy."""
        self.run("1")  # what was said before has come by now
        said = []
        for event in self.browser.events:
            if event.get("sessionId") == self.session:
                if event["method"] in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
                    said.append(json.dumps(event["params"])[:600])
        return said

    def requests(self):
        """The addresses that the page asked for."""
        return [event["params"]["request"]["url"] for event in self.browser.events
                if event.get("sessionId") == self.session and event["method"] == "Network.requestWillBeSent"]

    def screenshot(self, path, full=True):
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=full)
        pathlib.Path(path).write_bytes(base64.b64decode(answer["data"]))
