"""Tests of again_and_again.py, over a warpgrade that writes what the test wants: again_and_again_test.py"""
import json
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).with_name("again_and_again.py")

# Takes the first line of `wanted` and writes it where --json says; fails when there is none.
FAKE = """#!/bin/sh
cd "$(dirname "$0")" || exit 9
echo "$*" >>calls
for last; do :; done
[ -s wanted ] || { echo 'the GPU is gone'; exit 3; }
head -1 wanted >"$last"
sed -i 1d wanted
"""


def grading(value, points=16, status="measured", reason="", ceiling_of="copy", share=None):
    throughput = {"status": status, "value": value, "unit": "GB/s", "ceiling_of": ceiling_of, "share": share,
                  "reason": reason}
    rung = {"rung": "v1_x", "points": points, "throughput": throughput}
    return json.dumps({"submissions": [{"labs": [{"rungs": [rung]}]}]})


class AgainAndAgainTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="again and again")
        self.addCleanup(self.folder.cleanup)
        self.work = pathlib.Path(self.folder.name)
        self.fake = self.work / "warpgrade"
        self.fake.write_text(FAKE)
        self.fake.chmod(self.fake.stat().st_mode | stat.S_IXUSR)

    def run_script(self, *words, wanted=()):
        (self.work / "wanted").write_text("".join(line + "\n" for line in wanted))
        command = [sys.executable, str(SCRIPT), "--warpgrade", str(self.fake), "--results", str(self.work / "r"), *words]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def calls(self):
        return (self.work / "calls").read_text().splitlines() if (self.work / "calls").exists() else []

    def test_tells_how_far_gradings_lie_apart(self):
        code, table, _ = self.run_script("lab1/v1", "--times", "5", wanted=map(grading, [1000, 1002, 1004, 1006, 1009]))
        self.assertIn("| lab1/v1 | 5 | 1004 GB/s | 0.90% | 0.20% | 16 |", table)
        self.assertEqual(code, 0)
        self.assertEqual(len(self.calls()), 5)
        self.assertTrue(self.calls()[0].startswith("grade solutions --device gpu --lab lab1 --rung v1 --json "))

    def test_more_than_one_percent_does_not_hold(self):
        code, table, _ = self.run_script("lab1/v1", "--times", "2", wanted=[grading(1000), grading(1011)])
        self.assertIn("1.09%", table)
        self.assertEqual(code, 1)

    def test_other_points_do_not_hold(self):
        code, table, _ = self.run_script("lab1/v1", "--times", "2", wanted=[grading(1000), grading(1000, points=15)])
        self.assertIn("| 15, 16 |", table)
        self.assertEqual(code, 1)

    def test_a_time_that_does_not_count_does_not_hold(self):
        for last in (grading(1000, status="flagged"), grading(None, status="not_measured", reason="no GPU")):
            with self.subTest(last):
                for old in (self.work / "r").glob("*"):
                    old.unlink()
                code, table, _ = self.run_script("lab1/v1", "--times", "2", wanted=[grading(1000), last])
                self.assertIn("not every grading has a time that counts", table)
                self.assertEqual(code, 1)

    def test_compares_shares_where_the_solution_is_the_ceiling(self):
        wanted = [grading(50, ceiling_of="solution", share=0.998), grading(60, ceiling_of="solution", share=1.002)]
        code, table, _ = self.run_script("lab0/v5", "--times", "2", wanted=wanted)
        self.assertIn("| 1 of the solution's speed | 0.40% |", table)
        self.assertEqual(code, 0)

    def test_goes_on_where_it_was(self):
        self.run_script("lab1/v1", "--times", "2", wanted=map(grading, [1000, 1001]))
        code, table, _ = self.run_script("lab1/v1", "--times", "3", wanted=[grading(1002)])
        self.assertIn("| lab1/v1 | 3 |", table)
        self.assertEqual(code, 0)
        self.assertEqual(len(self.calls()), 3)
        self.assertIn("| lab1/v1 | 3 |", self.run_script("--times", "0")[1])
        self.assertEqual(len(self.calls()), 3)

    def test_stops_when_a_grading_cannot_be_done_and_says_why(self):
        code, _, errors = self.run_script("lab1/v1", wanted=[grading(1000)])
        self.assertEqual(code, 3)
        self.assertIn("the GPU is gone", errors)
        self.assertIn("lab1/v1: a grading could not be done (exit status 3)", errors)
        self.assertIn("| lab1/v1 | 1 |", self.run_script("--times", "0")[1])

    def test_starts_none_that_there_is_no_time_for(self):
        code, table, errors = self.run_script("lab1/v1", "--seconds", "-1", wanted=[grading(1000)])
        self.assertIn("no time is left", errors)
        self.assertIn("| lab1/v1 | 0 |", table)
        self.assertEqual(code, 1)

    def test_says_that_there_is_no_such_program(self):
        self.fake.unlink()
        code, _, errors = self.run_script("lab1/v1")
        self.assertEqual(code, 3)
        self.assertIn(f"{self.fake}: No such file or directory; see --warpgrade and --results", errors)

    def test_refuses_what_is_no_rung(self):
        code, _, errors = self.run_script("lab1")
        self.assertEqual(code, 2)
        self.assertIn("lab1 is no rung; write it as lab1/v8", errors)


if __name__ == "__main__":
    unittest.main()
