"""The pages of a plot, of a program, of thresholds, of a handout and of the steps of a block."""

import json
import re

import chromium
from page_test import BLANK_CANVASES, PIXELS, THEMES, PageTest


class OtherPagesTest(PageTest):
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

    def test_a_series_at_the_place_of_another_one_is_seen_around_it(self):
        page = self.open("plot.html")
        self.assertEqual(page.run("charts[0].data.datasets.map(({label, tone}) => [label, tone])"),
                         [["v1", "series-0"], ["v2", "series-1"], ["v3", "series-2"], ["copy", "series-8"]])
        self.assertGreater(page.run(PIXELS % "series-2"), 500)
        self.assertEqual(page.run("coveredBy(data.charts[0], 1).concat(coveredBy(data.charts[0], 2))"),
                         [0] * 19 + [1] * 19)
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

    def test_of_a_group_only_the_best_rungs_change_the_points(self):
        page = self.open("thresholds.html")
        self.type_threshold(page, 0, "1000")

        def change(points_of_the_other):
            return page.run(
                "(() => { const [a, b] = data.labs[0].rungs;"
                "const one = changesOf(data.labs[0].name, a.name).findIndex(gain => gain > 0);"
                "data.labs[0].bestOf = [{best: 1, of: [a.name, b.name]}];"
                f"a.inGroup = [[one, 700]]; b.inGroup = [[one, {points_of_the_other}]];"
                "return changes()[one]; })()")

        self.assertEqual(change(0), 200)
        self.assertEqual(change(800), 100, "before, the other rung counted")
        self.assertEqual(change(1000), 0, "the other rung counts before and after")

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

    # ---- a handout --------------------------------------------------------------------------------------------------

    def test_a_handout_has_its_contents_its_points_and_its_ladder(self):
        page = self.open("handout.html")
        contents = page.run("[...document.querySelectorAll('.contents a')].map(a => [a.textContent, a.hash])")
        self.assertEqual(contents, [["At a glance", "#at-a-glance"], ["The rungs", "#part-the-rungs"],
                                    ["v1: one element", "#part-v1-one-element"], ["Hints", "#part-hints"],
                                    ["The words", "#words"], ["Lane", "#word-lane"]])
        self.assertEqual(page.run("[...document.links].filter(a => !document.getElementById(a.hash.slice(1))).length"), 0)
        self.assertEqual(page.run("charts.map(({data}) => data.labels)"),
                         [["v1_naive", "v2_shared", "v3_open", "quiz"], ["v1_naive", "v2_shared"]])
        self.assertEqual(page.run("charts[0].data.datasets.map(({label, data}) => [label, ...data])"),
                         [["correctness", 6, 7, 2, 0], ["technique", 3, 4, 0, 0], ["throughput", 1, 2, 4, 0],
                          ["quiz", 0, 0, 0, 10]])
        self.assertEqual(page.run("charts[1].data.datasets.map(({data}) => data)"), [[12, 80], [14, None]])
        page.run("document.querySelectorAll('details').forEach(details => { details.open = true; })")
        rows = ("[...document.querySelectorAll('#glance section:first-child tbody tr')]"
                ".map(row => [...row.children].map(cell => cell.textContent))")
        self.assertEqual(page.run(rows)[2], ["v3_open, a bonus", "Your idea", "2", "", "4", "", "6"])
        self.assertEqual(page.run("document.title"), "Lab 2: transpose · warpgrade")
        self.expect_quiet(page)

    def test_a_link_of_a_handout_goes_to_its_place_by_the_keys_too(self):
        page = self.open("handout.html", height=400)
        page.run("document.querySelector('.prose a').focus()")
        page.press("Enter", "Enter", 13)
        page.settle()
        self.assertEqual(page.run("document.querySelector(':target').textContent"), "Lane")
        self.assertLess(abs(page.run("document.querySelector(':target').getBoundingClientRect().top")), 400)
        self.expect_quiet(page)

    def test_wide_pictures_and_tables_of_a_handout_scroll_by_themselves(self):
        page = self.open("handout.html", width=360)
        scrolls = "[...document.querySelectorAll('.prose .scroll')].map(e => e.scrollWidth > e.clientWidth)"
        self.assertEqual(page.run(scrolls), [True, True, True])
        self.assertEqual(page.run("[...document.querySelectorAll('.prose pre')].map(e => "
                                  "getComputedStyle(e).whiteSpace)"), ["pre", "pre"])
        page.run("document.querySelector('.prose pre').focus()")
        page.press("ArrowRight", "ArrowRight", 39)
        page.run("new Promise(done => setTimeout(() => done(true), 300))")
        self.assertGreater(page.run("document.querySelector('.prose pre').scrollLeft"), 0)
        self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 360)
        self.expect_quiet(page)

    def test_a_handout_can_be_read_without_scripts(self):
        page = chromium.Page(self.browser, self.folder / "handout.html", scripts=False)  # which never settles
        self.addCleanup(page.__exit__)
        self.assertIn("one thread for each element of the matrix", page.run("document.body.innerText"))
        self.assertEqual(page.run("document.querySelector('noscript p').textContent.slice(0, 44)"),
                         "This page draws its charts with JavaScript, ")
        self.assertEqual(page.run("document.querySelectorAll('.prose h2, .prose h3').length"), 5)

    # ---- the steps of a block ---------------------------------------------------------------------------------------

    def test_keys_and_buttons_go_through_the_steps_of_a_block(self):
        page = self.open("steps.html", width=1200)
        title = "document.querySelector('.step-title').textContent"
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

    def test_the_page_of_steps_opens_at_the_step_that_was_asked_for(self):
        page = self.open("third_step.html")
        title = "document.querySelector('.step-title').textContent"
        self.assertEqual(page.run(title)[:12], "step 3 of 7:")
        self.assertEqual(page.run("document.querySelector('[type=range]').value"), "3")
        page.press("ArrowLeft", "ArrowLeft", 37)
        self.assertEqual(page.run(title)[:12], "step 2 of 7:")
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
            self.assertIn("8 of 32 writes are drawn.", page.run("document.body.innerText"))
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
