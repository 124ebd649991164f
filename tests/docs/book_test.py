"""What the checks of the book find, and what they let pass: each on a small document of its own."""

import pathlib
import tempfile
import unittest

import book
import commands_test
import links_test
import names_test


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
        page = self.write(f"{good}\n```sh\ntouch made.csv\n```\n`--cvs` `labs/lab9/` `corse.yaml` `BadName` `warpgrade grad`\n")
        found = list(names_test.unknown_names(page, self.known()))
        self.assertEqual([message.split("there is no ")[1] for message in found],
                         ["--cvs", "labs/lab9/", "corse.yaml", "BadName", "grad"])

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


if __name__ == "__main__":
    unittest.main()
