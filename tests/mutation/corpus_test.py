#!/usr/bin/env python3
"""Tests of corpus.py: what counts as a change of behaviour, and which finding names a fault."""
import os
import pathlib
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import corpus  # noqa: E402
import faults  # noqa: E402

OK = "[       OK ] Sizes/SumTest.IsRight/n_1 (0 ms)\n"
FAILED = "[  FAILED  ] Sizes/SumTest.IsRight/n_32, where GetParam() = n = 32 (2 ms)\n"
LIST = "[  FAILED  ] 1 test, listed below:\n[  FAILED  ] Sizes/SumTest.IsRight/n_32, where GetParam() = n = 32\n"
FINDING = "n = 32: the values are right this time, but the emulator saw the kernel do something wrong; see above.\n"


class MisbehavedTest(unittest.TestCase):
    def test_wrong_values_do(self):
        self.assertTrue(corpus.misbehaved(1, OK + "n = 32: d_out[0] is 3\n" + FAILED + LIST))

    def test_a_test_that_fails_of_a_finding_alone_does_not(self):
        self.assertFalse(corpus.misbehaved(1, OK + FINDING + FAILED + LIST))

    def test_wrong_values_beside_a_test_that_fails_of_a_finding_do(self):
        self.assertTrue(corpus.misbehaved(1, FINDING + FAILED + "n = 32: d_out[0] is 3\n" + FAILED + LIST))

    def test_a_hang_and_a_crash_do_and_a_success_does_not(self):
        self.assertTrue(corpus.misbehaved(None, ""))
        self.assertTrue(corpus.misbehaved(134, OK))
        self.assertFalse(corpus.misbehaved(0, OK))


class IsRightTest(unittest.TestCase):
    FAULT = faults.Fault("barrier removed", 5, "", faults.ORDER, ((3, 9), (20, 22)), True)

    def is_right(self, kind, *places):
        return corpus.is_right(self.FAULT, kind, [list(p) for p in places], "v1.cu")

    def test_the_kind_and_a_line_of_the_kernel_name_the_fault(self):
        self.assertTrue(self.is_right("shared-race", ("v1.cu", 4)))
        self.assertTrue(self.is_right("shared-race", ("v1.cu", 22)))

    def test_one_side_of_a_race_is_enough(self):
        self.assertTrue(self.is_right("shared-race", ("v1.cu", 12), ("v1.cu", 9)))

    def test_another_kind_line_or_file_does_not(self):
        self.assertFalse(self.is_right("misaligned", ("v1.cu", 4)))
        self.assertFalse(self.is_right("shared-race", ("v1.cu", 12)))
        self.assertFalse(self.is_right("shared-race", ("lab1.h", 4)))

    def test_a_finding_without_a_line_names_a_fault_of_the_hosts_code_only(self):
        self.assertFalse(self.is_right("deadlock", ("", 0)))
        host = faults.Fault("wait removed", 5, "", faults.STREAMS, ((1, 30),), False)
        self.assertTrue(corpus.is_right(host, "host-race", [["", 0]], "v1.cu"))


def finding(kind, line, in_local=True):
    return {"kind": kind, "file": "v1.cu", "line": line, "in_local": in_local}


class SecondLookTest(unittest.TestCase):
    FAULT = faults.Fault("bound one too far", 1, "i <= 3", faults.BOUNDS, ((3, 9),), True)
    ITEM = ("lab1", "v1", pathlib.Path("v1.cu"), FAULT)

    def test_only_a_fault_that_changes_behaviour_and_is_not_named_needs_one(self):
        self.assertTrue(corpus.needs_second_look(self.ITEM, [finding("out-of-bounds", 20)], "seed 0"))
        self.assertFalse(corpus.needs_second_look(self.ITEM, [finding("out-of-bounds", 4)], "seed 0"))
        self.assertFalse(corpus.needs_second_look(self.ITEM, [], None))

    def test_a_fault_of_the_host_needs_none_and_a_right_kernel_one(self):
        host = faults.Fault("wait removed", 5, "", faults.STREAMS, ((1, 30),), False)
        self.assertFalse(corpus.needs_second_look((*self.ITEM[:3], host), [], "seed 0"))
        self.assertTrue(corpus.needs_second_look((*self.ITEM[:3], None), [], None))

    def test_only_what_is_about_local_memory_counts(self):
        seen = [finding("out-of-bounds", 4), finding("uninitialised-read", 5), finding("out-of-bounds", 6, False),
                finding("global-race", 7, False)]
        self.assertEqual([f["line"] for f in corpus.local_findings(seen)], [4, 5])

    def test_one_index_and_a_store_that_was_left_out_are_as_in_the_grader(self):
        both = [finding("uninitialised-read", 4), finding("out-of-bounds", 4)]
        self.assertEqual([f["kind"] for f in corpus.local_findings(both)], ["out-of-bounds"])
        self.assertEqual(corpus.local_findings([finding("misaligned", 3), finding("uninitialised-read", 4)]), [])

    def test_a_row_is_found_by_either_look_and_a_right_kernel_is_blamed_by_either(self):
        row = {"source": "v1.cu", "kind": "bound one too far", "failed_under": "seed 0", "findings": [],
               "second": [["out-of-bounds", [["v1.cu", 4]]]], "built": True}
        self.assertTrue(corpus.judged(row, self.FAULT)["found"])
        self.assertTrue(corpus.judged(row, self.FAULT)["by_second_look"])
        self.assertFalse(corpus.judged({**row, "second": []}, self.FAULT)["found"])
        self.assertTrue(corpus.blames({**row, "kind": "none", "changes": False}))


class UnseenTest(unittest.TestCase):
    def test_each_row_is_a_fault_that_the_corpus_has(self):
        made = set()
        for _, _, source in corpus.originals(None):
            for fault in faults.faults_of(source.read_text()):
                made.add((str(source.relative_to(corpus.ROOT)), fault.faulty_line))
        self.assertEqual([row for row in corpus.UNSEEN if row not in made], [])


if __name__ == "__main__":
    unittest.main()
