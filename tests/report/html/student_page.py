"""The page of one submission."""

import re

from page_test import BLANK_CANVASES, THEMES, PageTest


class StudentPageTest(PageTest):
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

    def test_the_steps_of_a_block_open_below_their_rung_and_have_keys_of_their_own(self):
        for theme in THEMES:
            page = self.open("student.html", theme=theme)
            self.assertEqual(page.run("document.querySelectorAll('.block-steps').length"), 1)
            self.assertEqual(page.run("document.querySelector('.block-steps > summary').textContent"),
                             "Steps of a block of v2_shared, with values")
            page.press("ArrowRight", "ArrowRight", 39)  # no steps are open yet
            page.run("document.querySelector('.block-steps > summary').focus()")
            page.press("Enter", "Enter", 13)
            page.settle()
            title = "document.querySelector('.block-steps .step-title').textContent"
            self.assertEqual(page.run(title), "step 1 of 7: 64 of 64 threads work, until a barrier of the block")
            page.press("ArrowRight", "ArrowRight", 39)
            self.assertEqual(page.run(title)[:12], "step 2 of 7:")
            self.assertEqual(page.run("document.querySelectorAll('.block-steps .flow').length"), 8)
            self.assertEqual(page.run("[...document.querySelectorAll('.block-steps :is(h4, h5)')].map(h => h.nodeName)"),
                             ["H4", "H5", "H5"])
            self.assertEqual(page.run("document.querySelectorAll('svg:not([role=img][aria-label])').length"), 0)
            self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 1600)
            self.keep_picture(page, f"student_steps_{theme}.png", 1600)
            page.run("document.getElementById('theme').focus()")
            page.press("End", "End", 35)
            self.assertEqual(page.run(title)[:12], "step 2 of 7:", "keys elsewhere scroll the page")
            self.expect_quiet(page)

    def test_the_keys_go_on_working_at_the_last_step(self):
        page = self.open("student.html")
        page.run("document.querySelector('.block-steps').open = true")
        page.settle()
        page.run("document.querySelectorAll('.block-steps .controls button')[1].focus()")
        for _ in range(8):
            page.press("Enter", "Enter", 13)
        title = "document.querySelector('.block-steps .step-title').textContent"
        self.assertEqual(page.run(title)[:12], "step 7 of 7:")
        page.press("ArrowLeft", "ArrowLeft", 37)
        self.assertEqual(page.run(title)[:12], "step 6 of 7:")
        self.expect_quiet(page)

    def test_the_steps_below_a_rung_fit_a_narrow_window(self):
        page = self.open("student.html", width=360, theme="dark")
        page.run("document.querySelector('.block-steps').open = true")
        page.settle()
        self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 360)
        self.expect_quiet(page)
