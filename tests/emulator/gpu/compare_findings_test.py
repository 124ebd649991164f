"""Tests of compare_findings.py without a GPU, over reports as compute-sanitizer writes them: compare_findings_test.py"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).with_name("compare_findings.py")
TOOLS = ("memcheck", "initcheck", "synccheck", "racecheck")
NOTHING = "========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n"

PROGRAM = """// expect: out-of-bounds at FAULT
__global__ void Double(int* values, int n) {
  values[threadIdx.x] *= 2;  // FAULT
}
"""

READ_AT_LINE = """========= COMPUTE-SANITIZER
========= Invalid __global__ read of size 4 bytes
=========     at Double(int *, int)+0x90 in a.cu:{line}
=========     by thread (232,0,0) in block (3,0,0)
=========     Access at 0x7f7498800fa0 is out of bounds
=========     Saved host backtrace up to driver entry point at kernel launch time
=========         Host Frame: main in a.cu:3 [0x1234] in a
=========
========= Leaked 4,000 bytes at 0x7f7498800000
=========     Saved host backtrace up to driver entry point at allocation time
=========
========= ERROR SUMMARY: 2 errors
"""

RACE = """========= COMPUTE-SANITIZER
========= Error: Potential RAW hazard detected at __shared__ 0x4fc in block (0,0,0) :
=========     Write Thread (63,0,0) at Double(int *)+0x130 in a.cu:3
=========     Read Thread (64,0,0) at Double(int *)+0x170 in a.cu:7
=========
========= Error: Potential RAW hazard detected at __shared__ 0x4fd in block (0,0,0) :
=========     Write Thread (63,0,0) at Double(int *)+0x130 in a.cu:3
=========     Read Thread (64,0,0) at Double(int *)+0x170 in a.cu:7
=========
========= RACECHECK SUMMARY: 2 hazards displayed (2 errors, 0 warnings)
"""


class CompareFindingsTest(unittest.TestCase):
    def compare(self, program, **reports):
        with tempfile.TemporaryDirectory(prefix="with a space ") as folder:
            source = pathlib.Path(folder, "faulty", "a.cu")
            source.parent.mkdir()
            source.write_text(program)
            logs = pathlib.Path(folder, "logs")
            logs.mkdir()
            for tool in TOOLS:
                if reports.get(tool) is not False:
                    (logs / f"faulty_a.{tool}").write_text(reports.get(tool, NOTHING))
            done = subprocess.run([sys.executable, SCRIPT, "--read", "--logs", logs, source], capture_output=True,
                                  text=True, check=True)
            return done.stdout

    def test_a_report_at_the_marked_line_sees_the_finding_and_what_follows_from_it_is_not_listed(self):
        out = self.compare(PROGRAM, memcheck=READ_AT_LINE.format(line=3))
        self.assertIn("| a.cu | out-of-bounds | memcheck |", out)
        self.assertIn("1 findings are seen by a tool as well, 0 by the emulator alone.", out)
        self.assertNotIn("Leaked", out)

    def test_a_report_at_another_line_is_not_the_finding(self):
        # The host's frame names the marked line, which is not where the kernel read.
        out = self.compare(PROGRAM, memcheck=READ_AT_LINE.format(line=2))
        self.assertIn("| a.cu | out-of-bounds | none |", out)
        self.assertIn("| a.cu | memcheck: Invalid __global__ read of size 4 bytes | a.cu:2 |", out)

    def test_a_report_of_another_kind_is_not_the_finding(self):
        out = self.compare(PROGRAM, racecheck=RACE)
        self.assertIn("| a.cu | out-of-bounds | none |", out)
        self.assertIn("| a.cu | racecheck: 2 times: Potential RAW hazard detected | a.cu:3, a.cu:7 |", out)

    def test_a_race_is_seen_at_either_of_its_marks(self):
        program = "// expect: shared-race at ONE with TWO\n\n  a = b;  // ONE\n\n\n\n  b = a;  // TWO\n"
        self.assertIn("| a.cu | shared-race | racecheck |", self.compare(program, racecheck=RACE))

    def test_a_report_on_a_right_program_is_listed(self):
        out = self.compare("int main() {}\n", racecheck=RACE)
        self.assertIn("| a.cu | racecheck: 2 times: Potential RAW hazard detected | a.cu:3, a.cu:7 |", out)

    def test_a_leak_of_a_program_without_another_fault_is_a_report(self):
        out = self.compare("int main() {}\n", memcheck=READ_AT_LINE.format(line=1))
        self.assertIn("Leaked 4,000 bytes", out)

    def test_a_tool_that_was_stopped_is_named(self):
        out = self.compare(PROGRAM, synccheck="========= COMPUTE-SANITIZER\n")
        self.assertIn("| a.cu | out-of-bounds | none (1 of 4 tools did not end) |", out)

    def test_a_program_without_reports_is_not_counted(self):
        out = self.compare(PROGRAM, racecheck=False)
        self.assertIn("| a.cu | not compared: there is no report", out)
        self.assertIn("0 findings are seen by a tool as well, 0 by the emulator alone.", out)


if __name__ == "__main__":
    unittest.main()
