"""The page of submissions that are alike."""

from page_test import THEMES, PageTest

# The cells of the rows of a file, as text; a row of words has one cell. The first argument is the number of the file.
ROWS = ("[...document.querySelectorAll('.side-by-side')[%d].tBodies[0].rows]"
        ".map(row => [...row.cells].map(cell => cell.textContent))")

# Opens every pair and then every fold. A pair draws its files when it is opened.
OPEN_ALL = """(async () => {
  for (const details of document.querySelectorAll('details')) details.open = true;
  await new Promise(done => setTimeout(done, 300));
  for (const button of document.querySelectorAll('.fold button')) button.click();
})()"""


class SimilarPageTest(PageTest):
    def test_the_lines_of_a_pair_stand_side_by_side_match_by_match(self):
        page = self.open("similar.html")
        rows = page.run(ROWS % 0)
        self.assertEqual(rows[0], ["1", "// mine", "1", "// my own"])
        self.assertEqual(rows[1], ["Match 1: 90 tokens, lines 2 to 6 and lines 6 to 11"])
        self.assertEqual(rows[3], ["", "", "7", "  // adds up"], "lines of one shape share a row")
        self.assertEqual(rows[4], ["3", "  float sum = 0;", "8", "  float total = 0;"])
        self.assertEqual(rows[7], ["6", "}", "11", "}"])
        self.assertEqual(rows[8], ["Show lines 7 to 46 on the left, outside of matches"])
        self.assertEqual(rows[9], ["Match 2: 19 tokens, lines 47 to 49 and lines 2 to 4"], "in the left file's order")
        self.assertEqual(rows[11], ["48", "  return x + x;", "3", "  return value + value;"])
        self.assertEqual(rows[13:], [["", "", "5", ""]])
        heads = page.run("[...document.querySelector('.side-by-side').tHead.rows[0].cells].map(c => c.textContent)")
        self.assertEqual(heads, ["line", "s1042", "line", "s1050"])
        self.expect_quiet(page)

    def test_every_line_of_both_files_is_shown_once(self):
        page = self.open("similar.html")
        page.run(OPEN_ALL)
        for column, last in [(0, 49), (2, 11)]:
            numbers = [row[column] for row in page.run(ROWS % 0) if len(row) == 4 and row[column]]
            self.assertEqual(sorted(map(int, numbers)), list(range(1, last + 1)))
        self.assertEqual(page.run("document.querySelectorAll('.fold').length"), 0)
        self.expect_quiet(page)

    def test_each_match_has_a_tint_of_its_own_and_other_lines_are_grey(self):
        for theme in THEMES:
            page = self.open("similar.html", theme=theme)
            back = "getComputedStyle(document.querySelector('.side-by-side .%s > td')).backgroundColor"
            self.assertEqual(len({page.run(back % name) for name in ["match.tint-0", "match.tint-1", "apart"]}), 3)
            colour = "getComputedStyle(document.querySelector('.side-by-side .%s .code')).color"
            self.assertEqual(page.run(colour % "apart"), page.run("colour('quiet')"))
            self.assertEqual(page.run(colour % "match"), page.run("colour('text')"))

    def test_the_page_has_the_groups_first_and_who_is_in_no_pair_last(self):
        page = self.open("similar.html")
        self.assertEqual(page.run("[...document.querySelectorAll('h2')].map(h => h.textContent)"),
                         ["Groups to look at", "Pairs to look at", "Equal files", "Left out"])
        self.assertEqual(page.run("document.querySelector('.groups li').textContent"),
                         "s1042, s1050, s1077 (older) · pairs 1, 2, 3")
        self.assertEqual(page.run("[...document.querySelectorAll('.pair > summary')].map(s => s.textContent)[1]"),
                         "2  s1042 and s1077 (older) 100 % of the shorter one, 90 of 90 tokens")
        self.assertIn("Alike code is no proof of anything.", page.run("document.body.innerText"))
        self.assertIn("no file of the lab: s1061", page.run("document.body.innerText"))

    def test_the_keys_open_a_pair_and_its_folded_lines(self):
        page = self.open("similar.html")
        opened = "[...document.querySelectorAll('.pair')].map(pair => pair.open)"
        self.assertEqual(page.run(opened), [True, False, False])
        page.run("document.querySelectorAll('.pair > summary')[1].focus()")
        page.press("Enter", "Enter", 13)
        page.settle()
        self.assertEqual(page.run("document.querySelectorAll('.pair')[1].querySelectorAll('.match').length"), 5)
        page.run("document.querySelector('.fold button').focus()")
        page.press("Enter", "Enter", 13)
        self.assertEqual(page.run("document.querySelectorAll('.apart').length"), 42)
        page.run("document.querySelectorAll('.groups a')[2].focus()")
        page.press("Enter", "Enter", 13)
        page.settle()
        self.assertTrue(page.run("document.querySelectorAll('.pair')[2].open"))
        self.assertEqual(page.run("document.querySelector(':target').id"), "pair-3")
        self.expect_quiet(page)

    def test_no_width_and_no_text_makes_the_page_scroll_sideways(self):
        for name in ["similar", "injection_similar_0", "injection_similar_5"]:
            for width in [360, 1000, 1600]:
                for theme in THEMES:
                    with self.subTest(page=name, width=width, theme=theme):
                        page = self.open(f"{name}.html", width=width, theme=theme)
                        page.run(OPEN_ALL)
                        page.settle()
                        self.assertLessEqual(page.run("document.documentElement.scrollWidth"), width)
                        self.assertEqual(page.run("[...document.querySelectorAll('.side-by-side')]"
                                                  f".filter(e => e.getBoundingClientRect().right > {width}).length"), 0)
                        self.expect_quiet(page)
                        self.keep_picture(page, f"{name}_{width}_{theme}.png", width)

    def test_lines_of_strangers_are_text_on_both_sides(self):
        for number in range(10):
            with self.subTest(injection=number):
                page = self.open(f"injection_similar_{number}.html")
                page.run(OPEN_ALL)
                page.settle()
                self.assertGreater(page.run("document.querySelectorAll('.match').length"), 1000)
                self.assertEqual(page.run("document.querySelectorAll('img, svg, iframe, form').length"), 0)
                self.assertEqual(page.run("typeof canary"), "undefined")
                shown = page.run("document.body.textContent")
                for hidden in ["\u202e", "\u2066", "\u200f", "\0", "\x1b", "\u2028"]:
                    self.assertNotIn(hidden, shown)
                for text in ["=cmd|' /C calc'!A0", "</script><img src=x onerror=alert(1)>", "\\x00\\xff\\x1b[2J"]:
                    self.assertIn(text, shown)
                self.expect_quiet(page)

    def test_a_class_whose_members_are_all_alike_has_a_page_that_says_what_it_lacks(self):
        page = self.open("big_similar.html", width=360)
        self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 360)
        self.assertEqual(page.run("document.querySelectorAll('.pair').length"), 1000)
        without = page.run("document.querySelectorAll('p.pair').length")
        self.assertGreater(without, 100)
        said = page.run("document.body.innerText")
        self.assertIn(f"The lines of {without} pairs do not fit into this page.", said)
        self.assertIn("18900 more pairs not in this page.", said)
        self.assertEqual(page.run("document.querySelectorAll('.side-by-side').length"), 9, "of the open pair alone")
        self.expect_quiet(page)

    def test_a_class_in_which_nothing_is_alike_has_a_page(self):
        page = self.open("empty_similar.html")
        self.assertIn("No two submissions are alike in 50 % of the shorter one or more",
                      page.run("document.body.innerText"))
        self.expect_quiet(page)

    def test_on_paper_a_pair_keeps_its_two_sides(self):
        page = self.open("similar.html", theme="dark")
        page.call("Emulation.setEmulatedMedia", media="print",
                  features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.assertEqual(page.run("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        cells = ("[...document.querySelector('.side-by-side .match').cells]"
                 ".map(cell => cell.getBoundingClientRect().left)")
        left, _, right, _ = page.run(cells)
        self.assertLess(left, right)
        self.expect_quiet(page)
