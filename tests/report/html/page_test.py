"""What the tests of pages share: the pages, a browser, and how to look at them. pages_test.py runs the tests."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import chromium
WIDTHS = [360, 1600]
THEMES = ["light", "dark"]

# The canvases whose pixels are those of a canvas on which nothing was drawn.
BLANK_CANVASES = """[...document.querySelectorAll('canvas')].filter(canvas => {
  const blank = document.createElement('canvas');
  blank.width = canvas.width;
  blank.height = canvas.height;
  return canvas.width * canvas.height === 0 || canvas.toDataURL() === blank.toDataURL();
}).length"""

# How many pixels of the first canvas have the colour that `var(--NAME)` is now.
PIXELS = """(() => {
  const canvas = document.querySelector('canvas');
  const [r, g, b] = colour('%s').match(/\\d+/g).map(Number);
  const {data: pixels} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let i = 0; i < pixels.length; i += 4) count += pixels[i] === r && pixels[i + 1] === g && pixels[i + 2] === b;
  return count;
})()"""


class PageTest(unittest.TestCase):
    @classmethod
    def start(cls, browser, make_pages):
        """For all tests, before the first."""
        cls.kept = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.kept.name)
        subprocess.run([make_pages, str(cls.folder)], check=True)
        cls.injections = json.loads((cls.folder / "injections.json").read_text(encoding="utf-8"))
        cls.browser = chromium.Chromium(browser)

    @classmethod
    def stop(cls):
        cls.browser.close()
        cls.kept.cleanup()

    def open(self, name, **options):
        page = chromium.Page(self.browser, self.folder / name, **options)
        self.addCleanup(page.__exit__)
        page.settle()
        return page

    def expect_quiet(self, page):
        """Nothing in the console, and no request but the one for the page."""
        self.assertEqual(page.messages(), [])
        self.assertEqual([url for url in page.requests() if not url.startswith("file:")], [])
        self.assertEqual(len(page.requests()), 1)

    def column(self, page, number):
        return page.run("[...document.querySelectorAll('.class-table tbody tr')]"
                        f".map(row => row.children[{number}].firstChild?.textContent ?? '')")

    def choose(self, page, element, value):
        page.run(f"(() => {{ const e = document.getElementById('{element}'); e.value = '{value}';"
                 "e.dispatchEvent(new Event('change')); })()")

    def keep_picture(self, page, name, width):
        folder = os.environ.get("WARPGRADE_SCREENSHOTS")
        if folder:
            page.resize(width, min(page.run("document.documentElement.scrollHeight"), 2400))
            page.settle()
            page.screenshot(pathlib.Path(folder) / name, full=False)
