"""What the checks of the book find, and what they let pass: each on a small document of its own."""

import pathlib
import tempfile
import unittest

import book
import commands_test
import lessons_test
import links_test
import names_test
import tables_test


class BookTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, text, name="page.md"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def test_splits_a_document_into_blocks_and_prose(self):
        document = book.parse(self.write("# A `b`\n<!-- test setup: one\ntwo -->\n```sh exit=2\n# no heading\n```\nend\n"))
        self.assertEqual([(block.info, block.line, block.text) for block in document.blocks],
                         [("setup", 2, " one\ntwo \n"), ("sh exit=2", 4, "# no heading\n")])
        self.assertEqual(book.anchors(document), {"a-b"})

    def test_names_may_go_over_the_end_of_a_line(self):
        document = book.parse(self.write("a\n`b\nc` and `d`\n| `e` |\n| f |\n\n## `g`\n```sh\n`no`\n```\n`h`\n"))
        self.assertEqual(list(book.names(document)), [(2, "b c"), (3, "d"), (4, "e"), (7, "g"), (11, "h")])

    def test_a_block_without_an_end_is_an_error(self):
        with self.assertRaises(ValueError):
            book.parse(self.write("```sh\nls\n"))

    def test_links_that_lead_nowhere_are_found(self):
        self.write("# There\n", "other.md")
        page = self.write("[a](other.md#there) [b](https://example.org/x) [c](#here) `[d](code.md)`\n## Here\n"
                          "[e](missing.md) [f](other.md#nowhere) [g](#nowhere)\n")
        found = list(links_test.broken_links(page))
        self.assertEqual(len(found), 3, found)
        self.assertIn("missing.md", found[0])
        self.assertIn("no heading #nowhere", found[1])
        self.assertIn("no heading #nowhere", found[2])

    def known(self):
        known = names_test.Known.__new__(names_test.Known)
        known.commands, known.options, known.outside = ["grade"], {"--csv"}, {"--prefix"}
        known.paths, known.words = {"labs", "labs/lab1", "labs/lab1/lab1.h", "course.yaml"}, {"GoodName"}
        return known

    def test_names_that_are_not_there_are_found(self):
        good = "`--csv` `--prefix` `labs/labN/labN.h` `course.yaml` `labs/` `GoodName()` `warpgrade grade x --csv` `made.csv`"
        page = self.write(f"{good}\n```sh\ntouch made.csv\n```\n`--cvs` `labs/lab77/` `corse.yaml` `BadName` `warpgrade grad`\n")
        found = list(names_test.unknown_names(page, self.known()))
        self.assertEqual([message.split("there is no ")[1] for message in found],
                         ["--cvs", "labs/lab77/", "corse.yaml", "BadName", "grad"])

    def test_output_is_compared_line_by_line(self):
        printed = "first\nsecond 12 s\nthird\nfourth\n"
        for right in ["first\n", "second 12 s\nthird\n", "first\n...\nfourth\n", "second ... s\n", "first\n...\nsecond 12 s\n"]:
            self.assertTrue(commands_test.prints(right, printed), right)
        for wrong in ["First\n", "irst\n", "first\nthird\n", "fourth\n...\nfirst\n", "second 13 s\n"]:
            self.assertFalse(commands_test.prints(wrong, printed), wrong)

    def mistakes(self, text):
        found, outputs = commands_test.mistakes(book.parse(self.write(text)), self.folder)
        return [message.split("page.md:")[1].split("\n")[0] for message in found], outputs

    def test_blocks_run_in_turn_and_in_one_folder(self):
        found, _ = self.mistakes("<!-- test setup: echo one > made -->\n```sh\ncat made\n```\n```output\none\n```\n"
                                 "```sh exit=3\nexit 3\n```\n```sh no-test: it would fail\nfalse\n```\n")
        self.assertEqual(found, [])

    def test_a_command_that_fails_or_prints_something_else_is_found(self):
        found, outputs = self.mistakes("```sh\necho two; false\n```\n```output\none\n```\n```sh exit=3\ntrue\n```\n"
                                       "<!-- test setup: false -->\n```sh no-test:\ntrue\n```\n```output\n```\n")
        self.assertEqual(found, ["1: exits with 1, not 0:", "4: this is not what the commands print, which is:",
                                 "7: exits with 0, not 3:", "10: the test setup exits with 1:",
                                 "11: say why this block is not run: no-test: REASON",
                                 "14: no command that was run comes before this output"])
        self.assertEqual(outputs, {4: "two\n"})

    def test_rebase_writes_what_was_printed(self):
        page = self.write("a\n```sh\necho two\n```\n```output\none\nmore\n```\nb\n")
        document = book.parse(page)
        commands_test.rebase(document, commands_test.mistakes(document, self.folder)[1])
        self.assertEqual(page.read_text(), "a\n```sh\necho two\n```\n```output\ntwo\n```\nb\n")

    def test_rebase_keeps_what_the_document_leaves_out(self):
        printed = ["head", "first new line", "hidden", "second 13 seconds", "more", "added", "the last line", "tail"]
        expected = ["the first line", "...", "second 12 seconds", "more", "the last line"]
        self.assertEqual(commands_test.rebased(expected, printed),
                         ["first new line", "...", "second 13 seconds", "more", "added", "the last line"])
        self.assertEqual(commands_test.rebased(["more", "gone for good", "..."], printed), ["more", "..."])
        self.assertEqual(commands_test.rebased(["TODO"], printed), printed)

    def test_a_stale_table_is_made_anew(self):
        rung = {"rung": "v1_a", "bonus": False, "throughput": {},
                "points": {"correctness": 5, "technique": 3, "throughput": 1},
                "technique": [{"metric": "barriers_per_block", "min": None, "max": 5, "points": 3}]}
        lab = {"lab": "lab1", "points": 9, "quiz": None, "rungs": [rung]}
        rows = list(tables_test.points_table(lab, {"v1_a": {"barriers_per_block": 4.5017}}))
        self.assertEqual(rows[2], "| `v1_a` | 5 | 3 | 1 | 9 | at most 5 barriers per block (3; solution 4.502) |")
        rung["bonus"] = True
        rows = list(tables_test.points_table(lab, {"v1_a": {"barriers_per_block": 4.5017}}))
        self.assertTrue(rows[2].startswith("| `v1_a`, a bonus | 5 | 3 | 1 | 9 |"), rows[2])
        self.assertEqual(rows[3], "| all | | | | 9 | |")
        with self.assertRaises(ValueError):
            tables_test.renewed("<!-- table: colours -->\n<!-- end of table -->\n", lab)

    def test_limits_are_written_as_words(self):
        def text(low, high):
            return tables_test.limit_text({"metric": "host_waits", "min": low, "max": high, "points": 1}, 2)

        self.assertEqual(text(None, 0), "no host waits (1; solution 2)")
        self.assertEqual(text(2, None), "at least 2 host waits (1; solution 2)")
        self.assertEqual(text(1, 3), "1 to 3 host waits (1; solution 2)")
        self.assertEqual(text(4194304, 4194304), "exactly 4,194,304 host waits (1; solution 2)")

    def test_the_key_of_counters_follows_the_solutions(self):
        path = tables_test.book.ROOT / "solutions/lab2/v1_naive.cu"
        before = tables_test.key("lab2")
        self.assertEqual(before, tables_test.key("lab2"))
        real, root = tables_test.book.ROOT, self.folder / "tree"
        for name in ["solutions/lab2", "labs/lab2"]:
            (root / name).mkdir(parents=True)
            for file in (real / name).glob("*"):
                if file.is_file():
                    (root / name / file.name).write_bytes(file.read_bytes())
        (root / "labs/not_written.h").write_bytes((real / "labs/not_written.h").read_bytes())
        try:
            tables_test.book.ROOT = root
            self.assertEqual(tables_test.key("lab2"), before)
            (root / "solutions/lab2" / path.name).write_text("changed")
            self.assertNotEqual(tables_test.key("lab2"), before)
        finally:
            tables_test.book.ROOT = real

    def test_the_map_of_lessons_finds_what_is_not_there(self):
        def mistakes(row):
            return lessons_test.map_mistakes("\n## Where the labs teach what\n\n" + row + "\n## Next\n",
                                             ["quiz", "plot", "plot shmoo"])

        self.assertIn("missing", mistakes("| S1 | a | `lab1 v1` |")[0])
        there = "`lab1 v1`, `lab1 quiz limit`, `make lab1_sync_study`, `warpgrade quiz`, `warpgrade plot shmoo lab1`"
        self.assertEqual(len(mistakes(f"| S1 | a | {there} |")), 1)
        self.assertEqual(len(mistakes("| S1 | a | `lab1 poll last_warp` |")), 1)
        for name in ["lab1 v77", "lab1 quiz no_such", "lab1 poll no_such", "make lab1_no_study", "warpgrade abacus",
                     "warpgrade plot abacus", "warpgrade plot shmoo lab99", "labs/lab99/README.md"]:
            self.assertIn(f"S1: there is no `{name}`", mistakes(f"| S1 | a | `{name}` |"))
        self.assertIn("S1: say where it is taught, or 'not yet'", mistakes("| S1 | a | somewhere |"))

    def test_a_study_that_no_table_names_is_found(self):
        commands = ["study", "study banks", "study tree", "plot shmoo"]
        self.assertEqual(lessons_test.study_mistakes("| `./warpgrade study tree` |", "| `./warpgrade {}` |", commands),
                         ["`warpgrade study banks` is in no table"])

    def test_a_word_of_the_glossary_needs_a_picture_and_a_command(self):
        whole = "## Thread\n\n```\nx\n```\n```sh\n./warpgrade run -- a\n```\n```output\n1\n```\n"
        self.assertEqual([m for m in lessons_test.glossary_mistakes(self.write(whole)) if "Thread" in m], [])
        bare = [m for m in lessons_test.glossary_mistakes(self.write("## Thread\n\nwords\n")) if "Thread" in m]
        self.assertEqual(len(bare), 3, bare)

    def test_a_handout_that_leaves_the_plan_is_found(self):
        parts = "".join(f"## {part}\n\ntext\n" for part in lessons_test.PLAN)
        self.assertEqual(list(lessons_test.plan_mistakes(self.write(parts))), [])
        self.assertEqual(len(list(lessons_test.plan_mistakes(self.write(parts.replace("## Hints", "## Hint"))))), 1)
        self.assertEqual(len(list(lessons_test.plan_mistakes(self.write(parts + "word " * 2001)))), 1)


if __name__ == "__main__":
    unittest.main()
