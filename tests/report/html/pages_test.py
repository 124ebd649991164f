"""The pages of --html in headless Chromium: pages_test.py MAKE_PAGES [unittest's options].

MAKE_PAGES is the program of make_pages.cc. Prints "skipped: no chromium" where there is no browser. With
WARPGRADE_SCREENSHOTS=FOLDER it also writes a picture of each page there, at both widths and in both themes.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
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

# What a page must not have got from text: elements that the scripts never make, and attributes that are code.
STRANGE = """[...document.querySelectorAll('*')].filter(element =>
  (element.nodeName.toUpperCase() === 'SVG' && !element.parentNode.matches('.drawing')) ||
  ['IMG', 'IFRAME', 'OBJECT', 'EMBED', 'LINK', 'BASE', 'FORM'].includes(element.nodeName.toUpperCase()) ||
  [...element.attributes].some(({name, value}) => name.startsWith('on') || /^\\s*javascript:/i.test(value))
).map(element => element.outerHTML.slice(0, 200))"""

# Opens and chooses everything that can be opened and chosen, and moves over everything.
USE_EVERYTHING = """(() => {
  for (const details of document.querySelectorAll('details')) details.open = true;
  for (const button of document.querySelectorAll('.fold button, th button, #theme')) button.click();
  for (const link of document.querySelectorAll('a')) link.click();
  for (const select of document.querySelectorAll('select')) {
    for (const option of select.options) {
      select.value = option.value;
      select.dispatchEvent(new Event('change'));
    }
  }
  for (const element of document.querySelectorAll('*')) element.dispatchEvent(new Event('mouseover'));
})()"""


class PagesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.kept.name)
        subprocess.run([MAKE_PAGES, str(cls.folder)], check=True)
        cls.injections = json.loads((cls.folder / "injections.json").read_text(encoding="utf-8"))
        cls.browser = chromium.Chromium(BROWSER)

    @classmethod
    def tearDownClass(cls):
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

    # ---- looks ----------------------------------------------------------------------------------------------------

    def test_at_each_width_and_in_each_theme_charts_are_drawn_and_the_page_does_not_scroll_sideways(self):
        for name, tone in [("student", "got"), ("class", "got"), ("plot", "series-0"), ("program", "series-1"),
                           ("thresholds", "series-0")]:
            for width in WIDTHS:
                for theme in THEMES:
                    with self.subTest(page=name, width=width, theme=theme):
                        page = self.open(f"{name}.html", width=width, theme=theme)
                        self.assertGreater(page.run("document.querySelectorAll('canvas').length"), 0)
                        self.assertEqual(page.run(BLANK_CANVASES), 0)
                        self.assertGreater(page.run(PIXELS % tone), {"plot": 50, "program": 5}.get(name, 500))
                        self.assertLessEqual(page.run("document.documentElement.scrollWidth"), width)
                        self.assertEqual(page.run("[...document.querySelectorAll('canvas')]"
                                                  f".filter(c => c.getBoundingClientRect().right > {width}).length"), 0)
                        self.expect_quiet(page)
                        self.keep_picture(page, f"{name}_{width}_{theme}.png", width)

    def keep_picture(self, page, name, width):
        folder = os.environ.get("WARPGRADE_SCREENSHOTS")
        if folder:
            page.resize(width, min(page.run("document.documentElement.scrollHeight"), 2400))
            page.settle()
            page.screenshot(pathlib.Path(folder) / name, full=False)

    def test_the_button_changes_the_theme_of_page_and_charts(self):
        page = self.open("student.html")
        background = "getComputedStyle(document.body).backgroundColor"
        self.assertEqual(page.run(background), "rgb(255, 255, 255)")
        self.assertEqual(page.run("document.getElementById('theme').textContent"), "Dark colours")
        light = page.run("colour('got')")
        page.run("document.getElementById('theme').focus()")
        page.press("Enter", "Enter", 13)
        page.settle()
        self.assertEqual(page.run(background), "rgb(21, 24, 28)")
        self.assertEqual(page.run("document.getElementById('theme').textContent"), "Light colours")
        self.assertNotEqual(page.run("colour('got')"), light)
        self.assertGreater(page.run(PIXELS % "got"), 500)
        self.expect_quiet(page)

    def test_on_paper_a_dark_page_is_light_and_has_no_controls(self):
        page = self.open("class.html", theme="dark")
        pdf = page.call("Page.printToPDF", printBackground=True)["data"]
        self.assertGreater(len(pdf), 10000)
        page.call("Emulation.setEmulatedMedia", media="print",
                  features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.assertEqual(page.run("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.assertEqual(page.run("getComputedStyle(document.querySelector('.controls')).display"), "none")
        self.expect_quiet(page)

    def test_without_scripts_the_page_says_what_is_missing(self):
        self.assertIn("<noscript>", (self.folder / "student.html").read_text(encoding="utf-8"))

    def test_a_kit_that_was_built_without_chart_js_writes_the_tables_and_says_so(self):
        text = (self.folder / "student.html").read_text(encoding="utf-8")
        begin = text.index("<script>") + len("<script>")
        (self.folder / "plain.html").write_text(text[:begin] + text[text.index("</script>", begin):], encoding="utf-8")
        page = self.open("plain.html")
        self.assertEqual(page.run("document.querySelectorAll('canvas').length"), 0)
        self.assertIn("No chart: this kit was built without Chart.js.", page.run("document.body.innerText"))
        self.assertGreater(page.run("document.querySelectorAll('.ladder tbody tr').length"), 5)
        self.expect_quiet(page)

    # ---- a screen reader and the keyboard ---------------------------------------------------------------------------

    def test_a_screen_reader_gets_headings_in_order_named_tables_and_words_for_charts(self):
        for name in ["student", "class", "plot", "program", "thresholds"]:
            with self.subTest(page=name):
                page = self.open(f"{name}.html")
                self.assertEqual(page.run("document.documentElement.lang"), "en")
                levels = page.run("[...document.querySelectorAll('h1, h2, h3')].map(h => Number(h.nodeName[1]))")
                self.assertEqual(levels[0], 1)
                self.assertEqual(levels.count(1), 1)
                self.assertTrue(all(after <= before + 1 for before, after in zip(levels, levels[1:])), levels)
                for what in ["table:not(:has(> caption))", "thead th:not([scope=col])", "tbody th:not([scope=row])",
                             "canvas:not([role=img][aria-label])", ".scroll:not([tabindex='0'][aria-label])",
                             "label:not(:has(input, select))", "button:empty"]:
                    self.assertEqual(page.run(f"document.querySelectorAll(\"{what}\").length"), 0, what)
                ids = page.run("[...document.querySelectorAll('[id]')].map(e => e.id)")
                self.assertEqual(len(ids), len(set(ids)))

    def test_the_keys_reach_the_button_and_sort_a_table(self):
        page = self.open("class.html")
        reached = set()
        for _ in range(60):
            page.press("Tab", "Tab", 9)
            reached.add(page.run("document.activeElement.id"))
        self.assertTrue({"theme", "filter", "choose"} <= reached, reached)
        page.run("[...document.querySelectorAll('.class-table th button')][1].focus()")
        page.press("Enter", "Enter", 13)
        self.assertEqual(page.run("document.querySelector('.class-table th[aria-sort]').textContent"), "points")

    # ---- the class --------------------------------------------------------------------------------------------------

    def test_a_column_sorts_both_ways_and_what_is_missing_stands_last(self):
        page = self.open("class.html")
        click = "document.querySelectorAll('.class-table th button')[%d].click()"
        page.run(click % 1)
        points = self.column(page, 1)
        self.assertEqual(points[-1], "–")
        numbers = [float(value) for value in points[:-1]]
        self.assertEqual(numbers, sorted(numbers, reverse=True))
        self.assertGreater(len(set(numbers)), 10)
        page.run(click % 1)
        self.assertEqual([float(value) for value in self.column(page, 1)[:-1]], sorted(numbers))
        self.assertEqual(page.run("document.querySelector('.class-table th[aria-sort]').ariaSort"), "ascending")
        page.run(click % 0)
        self.assertEqual(self.column(page, 0), [f"s{1000 + i}" for i in range(200)])

    def test_the_filter_and_the_choice_leave_what_fits_and_say_how_many(self):
        page = self.open("class.html")
        page.run("document.getElementById('filter').focus()")
        page.call("Input.insertText", text="S107")
        self.assertEqual(self.column(page, 0), [f"s107{i}" for i in range(10)])
        self.assertEqual(page.run("document.getElementById('count').textContent"), "10 of 200 submissions")
        self.choose(page, "choose", "unfinished")
        self.assertEqual(self.column(page, 0), ["s1077"])
        page.run("(() => { filter.value = 'nobody'; filter.dispatchEvent(new Event('input')); })()")
        self.assertEqual(page.run("document.getElementById('count').textContent"), "0 of 200 submissions")

    def test_the_columns_of_a_lab_are_its_rungs_with_words_for_each_sign(self):
        page = self.open("class.html")
        self.choose(page, "columns", "0")
        heads = page.run("[...document.querySelectorAll('.class-table thead th')].map(th => th.textContent)")
        self.assertEqual(heads[:4], ["submission", "points", "v1_naive", "v2_shared"])
        cell = page.run("document.querySelector('.class-table td.state-w').textContent")
        self.assertEqual(cell, "0 ✗ (wrong, faulty or does not compile)")

    def test_another_lab_has_charts_of_its_own_rungs(self):
        page = self.open("class.html")
        captions = "[...document.querySelectorAll('.grid figcaption')].map(c => c.textContent)"
        before = page.run("charts.length")
        self.assertIn("v1_naive", page.run(captions))
        self.choose(page, "rungs-of", "1")
        page.settle()
        self.assertEqual(page.run(captions), ["v1_fast", "v2_slow", "v3_forged", "v4_unmeasured"])
        self.assertEqual(page.run("charts.length"), before - 3, "the charts of the other lab are gone")
        self.assertEqual(page.run(BLANK_CANVASES), 0)
        self.expect_quiet(page)

    def test_submissions_that_are_alike_are_listed_and_can_be_chosen(self):
        page = self.open("class.html")
        rows = ("[...document.querySelectorAll('.list')].find(t => t.caption.textContent === '%s').tBodies[0].rows")
        cells = f"[...{rows}].map(row => [...row.children].map(cell => cell.textContent))"
        self.assertEqual(page.run(cells % "Submissions that are alike"),
                         [["s1001, s1002", "lab2", "99 %", "v1_naive.cu: lines 6 to 12 and 8 to 14"],
                          ["s1003, s1007 (older)", "lab2", "62 %", "v3_padded.cu: lines 20 to 31 and 22 to 33"]])
        self.assertEqual(page.run(cells % "The machine")[:1],
                         [["–", "this run", "not finished: s1077: the node has failed"]])
        self.assertEqual(page.run(cells % "Whole submissions"),
                         [["–", "no student", "foo.zip: the roster has no student foo"],
                          ["s1078", "a note", "s1078.zip cannot be read: it is no archive"]])
        self.choose(page, "choose", "alike")
        self.assertEqual(self.column(page, 0), ["s1001", "s1002", "s1003"])

    def test_a_class_of_two_thousand_is_shown_whole(self):
        self.assertLess((self.folder / "big_class.html").stat().st_size, 2_000_000)
        page = self.open("big_class.html", width=360)
        self.assertEqual(page.run("document.querySelectorAll('.class-table tbody tr').length"), 2000)
        self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 360)
        page.run("document.querySelectorAll('.class-table th button')[1].click()")
        self.expect_quiet(page)

    def test_a_class_without_submissions_or_speeds_has_a_page(self):
        page = self.open("empty_class.html")
        self.assertIn("0submissions", page.run("document.querySelector('.figures').textContent"))
        self.expect_quiet(page)
        page = self.open("odd_class.html")
        names = self.column(page, 0)
        self.assertEqual(names[:3], ["=cmd|' /C calc'!A0", "<script>", ""])
        self.assertEqual(len(names), 11)
        self.assertNotIn("NaN", page.run("document.body.innerText"))
        self.assertEqual(page.run(BLANK_CANVASES), 0)
        page.run("(() => { filter.value = 'lovelace'; filter.dispatchEvent(new Event('input')); })()")
        self.assertEqual((self.column(page, 0), self.column(page, 1), self.column(page, 2)),
                         (["c"], ["Ada Lovelace"], ["Tuesday"]))
        self.expect_quiet(page)

    # ---- the student ------------------------------------------------------------------------------------------------

    def test_a_fault_stands_below_its_line_and_folded_lines_can_be_shown(self):
        page = self.open("student.html")
        line = "document.getElementById('line-0-3-27')"
        self.assertEqual(page.run(f"{line}.querySelector('.code').textContent"), "  const int line_27 = 27;")
        self.assertTrue(page.run(f"{line}.nextSibling.textContent.startsWith('shared-race: read a value of tile')"))
        self.assertIn("the other access", page.run("document.getElementById('line-0-3-22').nextSibling.textContent"))
        self.assertIsNone(page.run("document.getElementById('line-0-3-60')"))
        page.run("document.querySelectorAll('.fold button').forEach(button => button.click())")
        self.assertEqual(page.run("document.getElementById('line-0-3-60').querySelector('.code').textContent"),
                         "  const int line_60 = 60;")
        numbers = page.run("[...document.querySelectorAll(\"[id^='line-0-3-']\")].map(row => Number(row.id.slice(9)))")
        self.assertEqual(numbers, list(range(1, 61)))
        self.expect_quiet(page)

    def test_the_margin_has_the_counts_of_the_line(self):
        page = self.open("student.html")
        cells = "[...document.getElementById('line-0-1-40').children].map(cell => cell.textContent)"
        self.assertEqual(page.run(cells), ["40", "65.0", "32.0", "", "  const int line_40 = 40;"])
        heads = ("[...document.getElementById('line-0-1-40').closest('table').tHead.rows[0].cells]"
                 ".map(cell => cell.textContent)")
        self.assertEqual(page.run(heads), ["line", "instr. %", "load", "turns", "v2_shared.cu"])

    def test_a_note_leads_to_its_line(self):
        page = self.open("student.html", height=400)
        page.run("[...document.querySelectorAll('.note a')].find(a => a.textContent === 'v4_unrolled.cu:27').click()")
        page.settle()
        top = page.run("document.querySelector('tr:target').getBoundingClientRect().top")
        self.assertTrue(-1 < top < 400, top)  # a browser scrolls by whole pixels

    def test_a_lab_with_a_speed_in_operations_has_its_roofline(self):
        page = self.open("student.html", height=3000)
        self.assertIn("What the roofs of NVIDIA H200 allow", page.run("document.body.innerText"))
        self.assertIn("v1_naive does 0.25 operations per byte", page.run("document.body.innerText"))
        self.assertEqual(page.run(BLANK_CANVASES), 0)
        self.expect_quiet(page)

    def test_a_source_without_marks_opens(self):
        page = self.open("student.html")
        page.run("document.querySelector('details').open = true")
        page.settle()
        self.assertEqual(page.run("document.querySelectorAll('details[open] .code').length"), 61)
        self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 1600)

    def test_a_picture_has_a_wire_for_each_lane_and_as_many_turns_and_sectors_as_were_counted(self):
        page = self.open("student.html")
        page.run("document.querySelectorAll('.say details').forEach(details => { details.open = true; })")
        page.settle()
        self.assertEqual(page.run("[...document.querySelectorAll('.say summary')].map(s => s.textContent)"), [
            "Picture: a load from shared memory takes 32 turns, where 1 would do",
            "Picture: lanes of one warp go both ways at 2 of 3 steps",
            "Picture: a load from global memory moves 32 sectors of 32 bytes, where 4 would do",
            "Picture: two threads of one block access element 33 of tile in shared memory, and nothing orders them"])
        self.assertEqual(page.run("document.getElementById('line-0-1-38').nextSibling.querySelectorAll('.wire').length"),
                         32)
        turns = page.run("[...document.querySelectorAll('.wire')].map(wire => Number(wire.dataset.turn))")
        self.assertEqual(turns, list(range(1, 33)))
        self.assertEqual(page.run("document.querySelectorAll('.wire.later').length"), 31)
        ends = page.run("[...document.querySelectorAll('.wire')].map(wire => wire.getAttribute('x2'))")
        self.assertEqual(len(set(ends)), 1, "all lanes want the same bank")
        self.assertEqual(page.run("[...document.querySelectorAll('text.turns')].map(t => t.textContent).join('')"), "32")
        self.assertEqual(page.run("document.querySelectorAll('.sector.moved').length"), 32)
        self.assertEqual(page.run("document.querySelectorAll('.sector').length"), 4 * 32)
        self.assertEqual(page.run("document.querySelectorAll('.wanted').length"), 32)
        lanes = "document.querySelectorAll('svg:not(:has(.access)) .lane.%s').length"
        self.assertEqual([page.run(lanes % state) for state in ["active", "waits", "ended"]], [4 + 2 + 24, 20 + 22, 24])
        self.assertEqual(page.run("document.querySelectorAll('svg:not([role=img][aria-label])').length"), 0)
        self.assertIn("line 38 makes 8 such requests: 8 take 32 turns", page.run("document.body.innerText"))
        self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 1600)
        self.keep_picture(page, "student_pictures.png", 1600)
        self.expect_quiet(page)

    def test_the_picture_of_a_race_has_two_accesses_and_the_barrier_that_is_not_there(self):
        for theme in THEMES:
            page = self.open("student.html", theme=theme)
            page.run("document.querySelectorAll('.say details').forEach(details => { details.open = true; })")
            page.settle()
            race = "document.querySelector('svg:has(.access)')"
            self.assertEqual(page.run(f"{race}.getAttribute('aria-label')"),
                             "two threads of one block access element 33 of tile in shared memory, and nothing orders "
                             "them")
            self.assertEqual(page.run(f"{race}.querySelector('desc').textContent"),
                             "First thread (1,1,0), block (0,0,0), warp 1, lane 1: line 38: wrote element 33 of tile. "
                             "Then no __syncthreads() here. Then thread (3,0,0), block (0,0,0), warp 0, lane 3: "
                             "line 41: read element 33 of tile.")
            self.assertEqual(page.run(f"[...{race}.querySelectorAll('.lane.active title')].map(t => t.textContent)"),
                             ["lane 1", "lane 3"])
            heights = page.run(f"[...{race}.querySelectorAll('circle, text.missing')].map(e => "
                               "Number(e.getAttribute('cy') || e.getAttribute('y')))")
            self.assertTrue(heights[0] < heights[2] < heights[1], heights)
            # No text leaves the drawing or meets another one.
            boxes = page.run(f"[...{race}.querySelectorAll('text')].filter(t => t.textContent).map(t => "
                             "(({x, y, width, height}) => [x, y, x + width, y + height])(t.getBBox()))")
            right = page.run(f"{race}.viewBox.baseVal.width")
            for index, (x1, y1, x2, y2) in enumerate(boxes):
                self.assertTrue(x1 >= 0 and x2 <= right, boxes[index])
                for ox1, oy1, ox2, oy2 in boxes[:index]:
                    self.assertFalse(x1 < ox2 and ox1 < x2 and y1 < oy2 and oy1 < y2, (boxes[index], [ox1, oy1]))
            self.keep_picture(page, f"student_race_{theme}.png", 1600)
            self.expect_quiet(page)

    def test_a_picture_scrolls_by_itself_on_a_narrow_page(self):
        page = self.open("student.html", width=360, theme="dark")
        page.run("document.querySelectorAll('.say details').forEach(details => { details.open = true; })")
        page.settle()
        self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 360)
        self.expect_quiet(page)

    # ---- a plot -----------------------------------------------------------------------------------------------------

    def test_a_plot_says_how_it_was_measured_and_has_its_numbers_as_tables(self):
        page = self.open("plot.html")
        self.assertIn("NVIDIA H200", page.run("document.querySelector('.facts').innerText"))
        self.assertIn("v2 is better than v1 everywhere.", page.run("document.body.innerText"))
        page.run("document.querySelectorAll('details').forEach(details => details.open = true)")
        rows = page.run("[...document.querySelectorAll('details')].map(d => d.querySelectorAll('tbody tr').length)")
        self.assertEqual(rows, [19, 2])
        self.assertEqual(page.run("document.querySelector('details tbody tr:last-child th').textContent"), "2^28")
        self.assertGreater(page.run(PIXELS % "series-1"), 50)
        self.expect_quiet(page)

    # ---- a program --------------------------------------------------------------------------------------------------

    def test_the_findings_of_a_program_lead_to_their_lines(self):
        page = self.open("program.html", height=400)
        self.assertIn("2findings", page.run("document.querySelector('.figures').textContent"))
        notes = page.run("[...document.querySelectorAll('.note')].map(note => note.textContent)")
        self.assertEqual(notes[0], "The program ended with status 3.")
        self.assertTrue(notes[1].startswith("sum.cu:27  race in shared memory (shared-race)\n"
                                            "kernel Sum(float const*, float*)\nblock (0,0,0)"), notes[1])
        self.assertEqual(notes[2], "leak\n1024 bytes are never freed")
        page.run("document.querySelector('.note a').click()")
        page.settle()
        self.assertEqual(page.run("document.querySelector('tr:target').id"), "line-0-27")
        self.assertIn("the other access of the race", page.run(
            "document.getElementById('line-0-22').nextSibling.textContent"))
        self.expect_quiet(page)

    def test_a_program_has_counts_at_its_lines_and_a_table_of_kernels_that_sorts(self):
        page = self.open("program.html")
        cells = "[...document.getElementById('line-0-40').children].map(cell => cell.textContent)"
        self.assertEqual(page.run(cells), ["40", "65.0", "32.0", "", "  const int line_40 = 40;"])
        self.assertIn("each load of a warp", page.run("document.getElementById('line-0-40').nextSibling.textContent"))
        self.assertEqual(page.run("document.getElementById('line-1-7').children[1].textContent"), "100.0")
        self.assertIsNone(page.run("document.getElementById('line-2-1')"), "folded away")
        page.run("document.querySelectorAll('.kernels th button')[1].click()")
        first = "[...document.querySelector('.kernels tbody tr').children].map(cell => cell.textContent)"
        self.assertEqual(page.run(first)[:5],
                         ["Sum(float const*, float*)", "1.23 ms", "99.93 %", "10", "82,800,000"])
        page.run("document.querySelectorAll('.kernels th button')[1].click()")
        self.assertEqual(page.run(first)[5:], ["–", "–", "–", "–", "0"])
        page.run("document.querySelectorAll('details').forEach(details => { details.open = true; })")
        page.settle()
        self.assertIsNotNone(page.run("document.getElementById('line-2-1').id"))
        self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 1600)
        self.expect_quiet(page)

    def test_a_program_without_kernels_has_a_page(self):
        page = self.open("empty_program.html", width=360)
        self.assertIn("None.", page.run("document.body.innerText"))
        self.assertEqual(page.run("document.querySelectorAll('canvas, table').length"), 0)
        self.expect_quiet(page)

    # ---- the thresholds ---------------------------------------------------------------------------------------------

    def type_threshold(self, page, number, value):
        """Types into a field of the page, as a person does."""
        page.run(f"(() => {{ const e = document.querySelectorAll('.number-input')[{number}]; e.value = '{value}';"
                 "e.dispatchEvent(new Event('input')); })()")

    def test_the_points_in_the_page_are_those_of_the_grader(self):
        page = self.open("thresholds.html")
        expected = json.loads((self.folder / "points.json").read_text(encoding="utf-8"))
        compared = 0

        def expect_same(got, samples, rule):
            self.assertEqual(len(got), len(samples))
            wrong = [(sample, points) for sample, points in zip(samples, got) if points != sample[-1]]
            self.assertEqual(wrong[:3], [], rule)  # a difference of long lists takes minutes to print

        for limit in expected["limits"]:
            got = page.run(f"(({{bounds, points, samples}}) => samples.map(sample => limitPoints(bounds, points, sample)))"
                           f"({json.dumps(limit)})")
            expect_same(got, limit["samples"], limit["bounds"])
            compared += len(got)
            self.assertEqual(len(set(got)), 2)
        for speed in expected["speeds"]:
            got = page.run(f"(({{scale, points, samples}}) => samples.map(([value]) => speedPoints(scale, points, value)))"
                           f"({json.dumps(speed)})")
            expect_same(got, speed["samples"], speed["scale"])
            compared += len(got)
        self.assertGreater(compared, 10_000)

    def test_another_threshold_changes_the_points_of_those_above_it_alone(self):
        page = self.open("thresholds.html")
        self.assertIn("No threshold is changed", page.run("document.querySelector('.effect').textContent"))
        before = page.run("thresholds[0].samples.map(sample => thresholds[0].pointsOf(thresholds[0].now, sample))")
        self.type_threshold(page, 0, "1000")
        effect = page.run("document.querySelector('.effect').innerText")
        gain = page.run("thresholds[0].samples.filter(([, value, , others]) => others && value > 36).length")
        self.assertGreater(gain, 3)
        self.assertLess(gain, len(before))
        self.assertIn(f"{gain} of 59", effect)
        self.assertIn(f"{gain} up, 0 down", effect)
        self.assertIn("lab2, v1_naive, technique, global_bytes_per_element, max: 36 → 1000", effect)
        self.assertIn(f"+{2 * gain} points for the class", page.run("document.querySelector('.result').textContent"))
        rows = page.run("[...document.querySelectorAll('.changed tbody tr')].map(row => row.lastChild.textContent)")
        self.assertEqual(rows, ["+2"] * gain)
        heights = page.run("thresholds[0].chart.data.datasets.map(({data}) => data.reduce((a, b) => a + b, 0))")
        self.assertEqual(sum(heights), len(before))
        page.run("document.getElementById('reset').click()")
        self.assertIn("No threshold is changed", page.run("document.querySelector('.effect').textContent"))
        self.expect_quiet(page)

    def test_a_threshold_that_makes_no_sense_is_said_and_changes_nothing(self):
        page = self.open("thresholds.html")
        wrong = "document.querySelectorAll('.threshold')[%d].querySelector('.wrong').textContent"
        self.type_threshold(page, 0, "")
        self.assertEqual(page.run(wrong % 0), "write a number")
        self.assertEqual(page.run("document.querySelectorAll('.number-input[aria-invalid]').length"), 1)
        self.type_threshold(page, 0, "36")
        self.assertEqual(page.run(wrong % 0), "")
        self.type_threshold(page, 1, "1500")
        self.assertEqual(page.run(wrong % 1), "zero must be below full")
        self.assertIn("No threshold is changed", page.run("document.querySelector('.effect').textContent"))
        self.type_threshold(page, 2, "3000")
        self.assertEqual(page.run(wrong % 1), "")
        self.assertIn("zero: 500 → 1500", page.run("document.querySelector('.effect').innerText"))
        self.expect_quiet(page)

    def test_the_losses_of_each_rung_and_check_are_tables_that_sort(self):
        page = self.open("thresholds.html")
        first = "[...document.querySelector('.%s tbody tr').children].map(cell => cell.textContent)"
        for table in ["losses", "checks", "criteria"]:
            page.run(f"document.querySelectorAll('.{table} th button')[1].click()")
            self.assertEqual(page.run(f"document.querySelectorAll('.{table} th[aria-sort]').length"), 1)
        self.assertEqual(page.run(first % "losses")[1], "14")
        self.assertIn(page.run(first % "checks")[0], ["does not compile", "not written yet"])
        criterion = ("thresholds.filter(t => t.index === 0).map(t => (t.samples.reduce("
                     "(all, s) => all + t.most - t.pointsOf(t.now, s), 0) + "
                     "(t.notes ?? []).reduce((all, [count]) => all + count, 0) * t.most) / 100)")
        lost = page.run("[...document.querySelectorAll('.criteria tbody tr')].map(row => Number(row.lastChild.textContent))")
        self.assertEqual(len(lost), 5)
        self.assertAlmostEqual(sum(lost), sum(page.run(criterion)), 1)
        self.choose(page, "lab", "1")
        page.settle()
        self.assertEqual(page.run(first % "losses")[0], "v9_one_pass")
        self.assertEqual(page.run(BLANK_CANVASES), 0)
        page.run("document.querySelectorAll('.threshold details').forEach(details => { details.open = true; })")
        page.settle()
        self.assertGreater(page.run("document.querySelectorAll('.threshold tbody tr').length"), 50)
        self.expect_quiet(page)

    def test_the_thresholds_of_a_large_and_of_an_empty_class_have_a_page(self):
        self.assertLess((self.folder / "big_thresholds.html").stat().st_size, 1_000_000)
        page = self.open("big_thresholds.html", width=360)
        self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 360)
        self.type_threshold(page, 0, "1")
        self.assertIn("of 1999", page.run("document.querySelector('.effect').innerText"))
        self.expect_quiet(page)
        page = self.open("empty_thresholds.html")
        self.assertIn("Nothing of this class has been graded yet.", page.run("document.body.innerText"))
        self.expect_quiet(page)

    # ---- the steps of a block ---------------------------------------------------------------------------------------

    def test_keys_and_buttons_go_through_the_steps_of_a_block(self):
        page = self.open("steps.html", width=1200)
        title = "document.getElementById('step').textContent"
        self.assertEqual(page.run(title), "step 1 of 7: 64 of 64 threads work, until a barrier of the block")
        page.press("ArrowRight", "ArrowRight", 39)
        self.assertEqual(page.run(title)[:12], "step 2 of 7:")
        buttons = "[...document.querySelectorAll('.controls button')]"
        page.run(f"{buttons}[1].click()")
        self.assertEqual(page.run(title)[:12], "step 3 of 7:")
        page.press("End", "End", 35)
        self.assertEqual(page.run(title)[:12], "step 7 of 7:")
        self.assertEqual(page.run(f"{buttons}.map(b => b.disabled)"), [False, True])
        page.press("ArrowRight", "ArrowRight", 39)
        self.assertEqual(page.run(title)[:12], "step 7 of 7:")
        page.press("Home", "Home", 36)
        self.assertEqual(page.run(f"{buttons}.map(b => b.disabled)"), [True, False])
        page.run("(() => { const s = document.querySelector('[type=range]'); s.value = '4';"
                 "s.dispatchEvent(new Event('input')); })()")
        self.assertEqual(page.run(title)[:12], "step 4 of 7:")
        self.expect_quiet(page)

    def test_a_step_has_its_values_and_a_wire_from_each_of_them(self):
        for theme in THEMES:
            page = self.open("steps.html", width=1200, theme=theme)
            page.press("ArrowRight", "ArrowRight", 39)
            page.settle()
            self.assertEqual(page.run("[...document.querySelectorAll('text.value')].slice(0, 4).map(t => t.textContent)"),
                             ["1", "2", "3", "4"])
            self.assertEqual(page.run("[...document.querySelectorAll('text.value')].slice(16, 20).map(t => t.textContent)"),
                             ["3", "2", "7", "4"])
            self.assertEqual(page.run("[...document.querySelectorAll('.flow title')].slice(0, 2).map(t => t.textContent)"),
                             ["thread 0 writes 0 from 0 and 1", "thread 2 writes 2 from 2 and 3"])
            self.assertEqual(page.run("document.querySelectorAll('.flow').length"), 8)
            self.assertEqual(page.run("document.querySelectorAll('.lane.active').length"), 16, "of both warps alike")
            self.assertEqual(page.run("document.querySelectorAll('svg:not([role=img][aria-label])').length"), 0)
            self.assertIn("Drawn are 8 of 32 writes.", page.run("document.body.innerText"))
            self.assertIn("line 3: tile[t] += tile[t + s];", page.run("document.body.innerText"))
            self.keep_picture(page, f"steps_{theme}.png", 1200)
            self.expect_quiet(page)

    def test_the_page_of_steps_fits_a_narrow_window(self):
        page = self.open("steps.html", width=360)
        for _ in range(7):
            self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 360)
            page.run("document.querySelectorAll('.controls button')[1].click()")
            page.settle()
        self.expect_quiet(page)

    # ---- what text must not do ------------------------------------------------------------------------------------

    def expect_harmless(self, page, injection):
        page.run(USE_EVERYTHING)
        page.settle()
        self.assertEqual(page.run("typeof canary"), "undefined")
        self.assertEqual(page.run(STRANGE), [])
        self.assertEqual(page.run("Object.keys(Object.prototype).concat(Object.keys(Array.prototype))"), [])
        self.assertEqual(page.run("document.scripts.length"), 3)
        self.assertEqual(page.run("document.styleSheets.length"), 1)
        self.assertEqual(page.run("getComputedStyle(document.body).display"), "block")
        # It is there as text; marks that a reader cannot see are written out.
        shown = page.run("document.body.innerText")
        longest = max(re.findall("[ -~]+", injection), key=len)
        self.assertTrue(longest in shown, "the text is not in the page")
        self.assertEqual(re.findall(".{0,80}[\u2028\u2029\u202e\u2066\0].{0,80}", shown)[:3], [])
        self.expect_quiet(page)

    def test_no_text_of_a_submission_is_more_than_text(self):
        self.assertEqual(len(self.injections), 10)
        for number, injection in enumerate(self.injections):
            kinds = ["", "class_", "plot_", "program_", "steps_", "thresholds_"]
            for name in [f"injection_{kind}{number}.html" for kind in kinds]:
                with self.subTest(injection=injection, page=name):
                    page = self.open(name, width=800)
                    self.expect_harmless(page, injection)

    def test_the_canary_sings_where_text_is_taken_for_html(self):
        raw = "<!doctype html><p>%s</p>" % self.injections[0]
        (self.folder / "raw.html").write_text(raw, encoding="utf-8")
        page = self.open("raw.html")
        self.assertEqual(page.run("canary"), 1)

    def test_the_policy_stops_what_would_get_into_the_page(self):
        text = (self.folder / "student.html").read_text(encoding="utf-8")
        for injection in [self.injections[0], self.injections[1], self.injections[6]]:
            with self.subTest(injection=injection):
                (self.folder / "broken.html").write_text(text.replace("<main", injection + "<main"), encoding="utf-8")
                page = self.open("broken.html")
                self.assertEqual(page.run("typeof canary"), "undefined")
                self.assertEqual(page.run("getComputedStyle(document.body).display"), "block")
                self.assertTrue(any("Content Security Policy" in said for said in page.messages()), page.messages())
        page = self.open("student.html")
        self.assertIn("TrustedHTML", page.run("(() => { try { document.body.innerHTML = '<b>'; return 'done'; }"
                                              " catch (error) { return String(error); } })()"))


if __name__ == "__main__":
    BROWSER = chromium.find()
    if BROWSER is None:
        print("skipped: no chromium")
        sys.exit(0)
    MAKE_PAGES = sys.argv.pop(1)
    unittest.main()
