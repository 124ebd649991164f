"""`warpgrade ui` from end to end: browser_test.py WARPGRADE KIT [unittest's options].

A student's file is saved, and headless Chromium shows the verdict. Then everybody else asks, and gets nothing. Prints
how long it took from the save to the verdict, beside the time of `warpgrade check`; no test depends on these times.
Without Chromium it prints "skipped: no chromium". With WARPGRADE_SCREENSHOTS=FOLDER it writes pictures there.
"""

import http.client
import http.server
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse

KIT = pathlib.Path(sys.argv[2])
sys.path.insert(0, str(KIT / "tests" / "report" / "html"))
import chromium  # noqa: E402  (lies beside another test)

WARPGRADE = sys.argv[1]
RUNG = "v1_interleaved_modulo"
PATIENCE_S = 300
# The barrier of the loop; without it, the emulator sees a race.
BARRIER = "__syncthreads();"


class Ui:
    """The built program beside a submission of one rung."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        (self.folder / "lab1").mkdir()
        self.file = self.folder / "lab1" / f"{RUNG}.cu"
        self.right = (KIT / "solutions" / "lab1" / f"{RUNG}.cu").read_text()
        assert BARRIER in self.right
        self.wrong = self.right.replace(BARRIER, "", 1)
        self.file.write_text(self.wrong)
        self.process = subprocess.Popen(
            [WARPGRADE, "ui", "lab1", "v1", "--submission", str(self.folder), "--device", "emulator"],
            stdout=subprocess.PIPE, text=True)
        self.url = re.search(r"http://127\.0\.0\.1:\d+/[0-9a-f]{32}/", self.process.stdout.readline()).group()
        parts = urllib.parse.urlsplit(self.url)
        self.port, self.path = parts.port, parts.path

    def close(self):
        """Ends it as Ctrl-C does; its exit status."""
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(PATIENCE_S)
        self.process.stdout.close()
        return status

    def save(self, text):
        """As most editors do: another file takes the place of the old one."""
        other = self.file.with_suffix(".tmp")
        other.write_text(text)
        other.replace(self.file)

    def ask(self, path, method="GET", **headers):
        """The status and the body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        connection.putrequest(method, path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        answer = connection.getresponse()
        result = answer.status, answer.read(), dict(answer.getheaders())
        connection.close()
        return result


def never_compiled():
    """A line of code that no cache has seen."""
    return f"__device__ unsigned long long never_compiled = {time.time_ns()}ull;\n"


def wait_until(is_so, what):
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        try:
            if is_so():
                return
        except RuntimeError:  # the page is just being replaced
            pass
        time.sleep(0.02)
    raise AssertionError(f"not in {PATIENCE_S} s: {what}")


class BrowserTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.ui = Ui(cls.folder.name)
        cls.browser = chromium.Chromium(BROWSER)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        status = cls.ui.close()
        cls.folder.cleanup()
        assert status == 130, f"Ctrl-C ended it with {status}"

    def points(self, page):
        """What the page says, or "" before all its scripts have run: the line of `ui` comes last."""
        return page.run("document.querySelector('#ui') && document.querySelector('.figures b')?.textContent || ''")

    def test_a_save_is_followed_by_its_verdict(self):
        with chromium.Page(self.browser, self.ui.url) as page:
            wait_until(lambda: self.points(page).startswith("0 /"), "the verdict of the wrong file")
            self.assertIn("race", page.run("document.body.innerText"))
            times = []
            for text, wanted in [(self.ui.right, False), (self.ui.wrong, True), (self.ui.right, False)]:
                text += never_compiled()
                saved = time.monotonic()
                self.ui.save(text)
                wait_until(lambda: self.points(page) != "" and self.points(page).startswith("0 /") == wanted,
                           "the verdict of the save")
                times.append(time.monotonic() - saved)
            self.assertIn("saved at", page.run("document.querySelector('#ui').textContent"))
            self.assertEqual(page.messages(), [])
            # In a folder that ui does not watch.
            checks = []
            with tempfile.TemporaryDirectory() as other:
                file = pathlib.Path(other) / "lab1" / self.ui.file.name
                file.parent.mkdir()
                for _ in range(3):
                    file.write_text(self.ui.right + never_compiled())
                    begin = time.monotonic()
                    subprocess.run([WARPGRADE, "check", "lab1", "v1", "--submission", other, "--device", "emulator"],
                                   check=True, stdout=subprocess.DEVNULL)
                    checks.append(time.monotonic() - begin)
            print("from the save to the verdict: " + ", ".join(f"{t:.2f} s" for t in times) + "; warpgrade check: " +
                  ", ".join(f"{t:.2f} s" for t in checks), file=sys.stderr)

    def test_the_page_is_readable_in_both_themes_at_both_widths(self):
        for theme in ["light", "dark"]:
            for width in [360, 1600]:
                with chromium.Page(self.browser, self.ui.url, width, 900, theme) as page:
                    wait_until(lambda: self.points(page) != "", "a verdict")
                    page.settle()
                    self.assertLessEqual(page.run("document.documentElement.scrollWidth"), width)
                    if os.environ.get("WARPGRADE_SCREENSHOTS"):
                        page.screenshot(f"{os.environ['WARPGRADE_SCREENSHOTS']}/ui_{theme}_{width}.png")

    def test_who_does_not_know_the_token_gets_nothing(self):
        for path in ["/", "/state", "/0123456789abcdef0123456789abcdef/", self.ui.path[:-2] + "/", "/favicon.ico"]:
            status, body, _ = self.ui.ask(path)
            self.assertEqual((status, body), (404, b""), path)
        # Another user of this machine sees command lines.
        command = pathlib.Path(f"/proc/{self.ui.process.pid}/cmdline").read_bytes()
        self.assertNotIn(self.ui.path.strip("/").encode(), command)

    def test_requests_from_elsewhere_get_nothing_even_with_the_token(self):
        self.assertEqual(self.ui.ask(self.ui.path)[0], 200)
        for headers in [{"Host": "evil.example"}, {"Host": f"evil.example:{self.ui.port}"},
                        {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec_Fetch_Site": "cross-site"}]:
            status, body, _ = self.ui.ask(self.ui.path, **headers)
            self.assertEqual((status, body), (403, b""), headers)
        for method in ["POST", "PUT", "DELETE", "OPTIONS"]:
            status, body, _ = self.ui.ask(self.ui.path, method, Content_Length="0")
            self.assertEqual((status, body), (405, b""), method)

    def test_the_headers_let_the_page_load_nothing_else(self):
        headers = self.ui.ask(self.ui.path)[2]
        policy = headers["Content-Security-Policy"]
        for rule in ["default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'", "form-action 'none'",
                     "require-trusted-types-for 'script'", "script-src 'sha256-"]:
            self.assertIn(rule, policy)
        self.assertNotIn("unsafe", policy)
        self.assertEqual(headers["Cache-Control"], "no-store")
        self.assertNotIn("Access-Control-Allow-Origin", headers)

    def test_a_page_of_another_server_can_neither_read_nor_show_it(self):
        class Elsewhere(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"<!doctype html><title>elsewhere</title>")

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            with chromium.Page(self.browser, f"http://127.0.0.1:{server.server_port}/") as page:
                read = page.run(f"fetch('{self.ui.url}').then(answer => answer.text(), () => 'refused')")
                self.assertEqual(read, "refused")
                opaque = page.run(f"fetch('{self.ui.url}', {{mode: 'no-cors'}}).then(a => a.type, () => 'refused')")
                self.assertIn(opaque, ["opaque", "refused"])
                framed = page.run(f"""new Promise(done => {{
                  const frame = document.createElement('iframe');
                  frame.onload = () => {{
                    try {{ done(frame.contentDocument ? frame.contentDocument.body.innerText : 'refused'); }}
                    catch {{ done('refused'); }}
                  }};
                  frame.src = '{self.ui.url}';
                  document.body.append(frame);
                }})""")
                self.assertIn(framed, ["refused", ""])
        finally:
            server.shutdown()
            server.server_close()


if __name__ == "__main__":
    BROWSER = chromium.find()
    if BROWSER is None:
        print("skipped: no chromium")
        sys.exit(0)
    if not (pathlib.Path(WARPGRADE).parent.parent / "lib" / "warpgrade" / "libwarpgrade_listener.so").exists():
        print("skipped: the kit was built without cpp-httplib")
        sys.exit(0)
    del sys.argv[1:3]
    unittest.main()
