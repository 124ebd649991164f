"""The pages of --html in headless Chromium: pages_test.py MAKE_PAGES [unittest's options].

MAKE_PAGES is the program of make_pages.cc. Prints "skipped: no chromium" where there is no browser. With
WARPGRADE_SCREENSHOTS=FOLDER it also writes a picture of each page there, at both widths and in both themes.
"""

import re
import sys
import unittest

import chromium
from other_pages import OtherPagesTest  # noqa: F401: unittest finds it here
from page_test import BLANK_CANVASES, PIXELS, THEMES, WIDTHS, PageTest
from similar_page import SimilarPageTest  # noqa: F401
from student_page import StudentPageTest  # noqa: F401

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


class PagesTest(PageTest):
    # ---- looks ----------------------------------------------------------------------------------------------------

    def test_at_each_width_and_in_each_theme_charts_are_drawn_and_the_page_does_not_scroll_sideways(self):
        for name, tone in [("student", "got"), ("class", "got"), ("plot", "series-0"), ("program", "series-8"),
                           ("thresholds", "series-0"), ("handout", "series-0")]:
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
        for name in ["student", "class", "plot", "program", "thresholds", "handout", "similar"]:
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
        self.assertIn("warpgrade similar --html shows the lines side by side.", page.run("document.body.innerText"))
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
            kinds = ["", "class_", "plot_", "program_", "steps_", "thresholds_", "handout_", "similar_"]
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
    PageTest.start(BROWSER, sys.argv.pop(1))
    try:
        unittest.main()
    finally:
        PageTest.stop()
