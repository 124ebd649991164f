#!/usr/bin/env python3
"""Measures the checks: faulty kernels that are found (recall), and right kernels that are blamed (precision).

    tests/mutation/corpus.py BUILD_DIR [--every N] [--shard 1/4] [--lab lab1] [--kind "barrier removed"] [--seeds 4]
                             [--rows FILE [--resume]] [--objects DIR]

Each solution and alternative of the labs is built once as it is, which must give no finding, and once with each fault
of faults.py. Every program runs on the emulator with all checks. Then it runs without the slower checks under some
seeds, each of which orders blocks and warps in another way. A fault counts as one that changes behaviour when in one of
these runs a test of the lab fails or the program hangs. A test that fails of nothing but a finding does not count, so
that what the checks find does not decide what they have to find. The first such run is enough; it ends at its first
failing test. Of those faults the script counts how many got a finding of the right kind at the right place. If one got
none, it is compiled without optimisation, where arrays that were in registers are in local memory, and runs with all
checks once more. `grade` and `check` take this second look, too. As they do, the script takes over only what is about
local memory. A right kernel gets a second look as well, which must find nothing. unseen.py lists the faults that cannot
get a finding.

--every 20 takes each 20th fault, as ctest does. --rows writes one line of JSON for each program as soon as it has run;
with --resume, programs that FILE has already are not run again. --objects keeps the compiled faults, so that a run with
a changed emulator need not compile them again: compiling takes most of the time. Needs a BUILD_DIR with the labs' test
programs (make lab0 ... lab10). Exits with 1 when a right kernel is blamed or recall is under --least.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import faults  # noqa: E402
from unseen import UNSEEN  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROCESSOR_SECONDS = 60  # for one run of a program; right kernels take at most 2 s, a fault that takes longer hangs
SECONDS = 600  # the same by the clock, for a program that sleeps
# The long and thin sizes of lab2 and lab3 ask for many blocks. They take most of their tests' time, and a fault
# changes nothing there that it does not change in other sizes, too.
LEFT_OUT = "-*2097153*:*2097121*"
ONLY_A_FINDING = "are right this time, but the emulator saw"  # labs/support/rung_tests.cc
UNOPTIMISED = ["-Xcicc", "-O0", "-Xcicc", "-g"]  # as grader/build/rung_compiler.cc
FAILED = r"^\[  FAILED  \] .* ms\)$"


def build_commands(build, lab, stem):
    """The commands that `make LAB` compiles and links this rung with: nvcc's without its source, the linker's."""
    rules = (build / f"CMakeFiles/{lab}_rung_tests.dir/build.make").read_text()
    compile_with = link_with = None
    for line in rules.splitlines():
        if "build_rung.sh" not in line or not line.startswith("\t"):
            continue
        words = shlex.split(line)  # a path with a space is in quotes
        script = next((k for k, word in enumerate(words) if word.endswith("build_rung.sh")), None)
        arguments = words[script + 1:] if script is not None else []
        if arguments[:2] == ["compile", f"{stem}.cu"]:
            compile_with = arguments[6:-1]  # after: compile NAME.cu OUT.o GRADER LAB GPU; without the source
        elif arguments[:1] == ["link"] and arguments[1].endswith(f"/{stem}_test"):
            link_with = arguments[3:]  # after: link OUT RUNG.o
    if not compile_with or not link_with:
        raise SystemExit(f"{build}: has no test program of {lab} {stem}; configure it and run make {lab}")
    return compile_with, link_with


def originals(labs):
    """(lab, rung's file name without .cu, source file) of each solution and alternative."""
    for folder in sorted((ROOT / "solutions").glob("lab*")):
        if labs and folder.name not in labs:
            continue
        for source in sorted(folder.glob("v*.cu")):
            yield folder.name, source.stem, source
        rungs = {s.stem.split("_")[0]: s.stem for s in folder.glob("v*.cu")}
        for source in sorted((ROOT / "labs" / folder.name / "alternatives").glob("v*.cu")):
            stem = rungs.get(source.stem.split("_")[0])
            if stem:
                yield folder.name, stem, source


class Workshop:
    """Builds a source as a rung, runs it and tells what happened."""

    def __init__(self, build, seeds, objects):
        self.build, self.seeds, self.objects = build, seeds, objects
        self.warpgrade = build / "bin" / "warpgrade"
        self.originals = threading.Lock()  # of several faults in one source, one compiles the source

    def _object(self, lab, stem, name, text, original=None, more=()):
        """(object file, None), or (None, nvcc's messages) if the text does not compile. `more`: options of nvcc.

        `original`: the object file of the same source without the fault. Then nvcc compiles the device code only, which
        takes half the time, and the result replaces the device code in a copy of that file.
        """
        compile_with = [*build_commands(self.build, lab, stem)[0], *more]
        parts = [*compile_with, name, text, "device" if original else "all"]
        kept = self.objects / (hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24] + ".o")
        if kept.exists():
            return kept, None
        with tempfile.TemporaryDirectory(dir=self.objects) as work:
            (pathlib.Path(work) / f"{name}.cu").write_text(text)
            steps = [[*compile_with, "-c", "-o", "rung.o", f"{name}.cu"]]
            if original:
                steps = [[*compile_with, "-fatbin", "-o", "device", f"{name}.cu"],
                         ["objcopy", "--update-section", ".nv_fatbin=device", original, "rung.o"]]
            for step in steps:
                done = subprocess.run(step, capture_output=True, text=True, cwd=work)
                if done.returncode != 0:
                    return None, done.stderr[-500:]
            os.replace(pathlib.Path(work) / "rung.o", kept)
        return kept, None

    def _build(self, item, program, more=()):
        """Leaves the program, or returns the compiler's or linker's messages. `more`: options of nvcc for the fault."""
        lab, stem, source, fault = item
        text, rung, why = source.read_text(), None, None
        if not fault or fault.in_device_code:
            with self.originals:
                rung, why = self._object(lab, stem, source.stem, text)
        if fault and not why:
            rung, why = self._object(lab, stem, source.stem, fault.source, rung, more)
        elif more and not why:
            rung, why = self._object(lab, stem, source.stem, text, rung, more)
        if why:
            return why
        linker, *arguments = build_commands(self.build, lab, stem)[1]
        done = subprocess.run([linker, "-o", program, rung, *arguments], capture_output=True, text=True)
        return done.stderr[-500:] if done.returncode != 0 else None

    def _run(self, program, arguments, fail_fast):
        """(findings, the program's status; None: it hangs; what it said)"""
        out = program.parent / "findings.json"
        out.unlink(missing_ok=True)
        command = [self.warpgrade, "run", "--device", "emulator", "--threads", "1", "--error-exitcode", "0",
                   "--json", out, *arguments, "--", program]
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, errors="replace",
                                  timeout=SECONDS, cwd=program.parent,
                                  env={**os.environ, "GTEST_FAIL_FAST": str(int(fail_fast)), "GTEST_FILTER": LEFT_OUT},
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, [PROCESSOR_SECONDS] * 2))
        except subprocess.TimeoutExpired:
            return [], None, ""
        report = out.read_text() if out.exists() else ""  # empty: the program was killed
        return json.loads(report)["findings"] if report else [], done.returncode, done.stdout

    def _misbehaves(self, program, arguments):
        """The program hangs, crashes, or a test fails of more than a finding."""
        _, status, said = self._run(program, arguments, True)
        if status == 1 and ONLY_A_FINDING in said:  # the first test that failed; there may be others
            _, status, said = self._run(program, arguments, False)
        return misbehaved(status, said)

    def observe(self, item):
        """What happens with this program: {"built", "findings", "failed_under"}."""
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / f"{item[1]}_test"  # the program asks its name which rung it is
            why = self._build(item, program)
            if why is not None:
                return {"built": False, "findings": [], "failed_under": None, "second": [], "why": why}
            findings, status, _ = self._run(program, [], False)
            failed = "checks" if status not in (0, 1) else None
            for seed in range(self.seeds):
                if failed:
                    break  # one schedule is enough
                if self._misbehaves(program, ["--check", "none", *(["--seed", str(seed)] if seed > 0 else [])]):
                    failed = f"seed {seed}"
            second = []
            if needs_second_look(item, findings, failed) and self._build(item, program, UNOPTIMISED) is None:
                second = local_findings(self._run(program, [], False)[0])
            return {"built": True, "findings": findings, "failed_under": failed, "second": second}


def misbehaved(status, said):
    """The program crashed or hung, or a test failed of more than a finding. `said`: by a run of all tests."""
    return status not in (0, 1) or len(re.findall(FAILED, said, re.M)) > said.count(ONLY_A_FINDING)


def places_of(finding):
    """[[file's name, line], ...] of the finding and of a race's other access; [["", 0]] for one without a line."""
    both = [finding] + ([finding["other"]] if finding.get("other") else [])
    return [[os.path.basename(place["file"]), place["line"]] for place in both]


def needs_second_look(item, findings, failed):
    """A right kernel, or a fault in device code that changes behaviour and that no finding names."""
    _, _, source, fault = item
    if not fault:
        return True
    named = any(is_right(fault, f["kind"], places_of(f), source.name) for f in findings)
    return bool(failed) and fault.in_device_code and not named


def local_findings(findings):
    """Those that a second look takes over: see grader/judge/second_look.h."""
    local = [f for f in findings if f["in_local"]]
    outside = [places_of(f) for f in local if f["kind"] == "out-of-bounds"]
    kept = [f for f in local if f["kind"] == "out-of-bounds"]
    if all(f["kind"] != "misaligned" for f in local):
        kept += [f for f in local if f["kind"] == "uninitialised-read" and places_of(f) not in outside]
    return kept


def brief(findings):
    return ", ".join(f"{kind} in line " + " with ".join(str(line) for _, line in places) for kind, places in findings)


def is_right(fault, kind, places, file_name):
    """The finding names this fault: by its kind and by a line of the kernel that has the fault."""
    if kind not in fault.expected:
        return False
    if fault.kind != "wait removed":
        return any(file == file_name and first <= line <= last for file, line in places for first, last in fault.places)
    return any(file in ("", file_name) for file, _ in places)


def work_list(options):
    """(lab, stem, source, fault or None) of each program to build and run."""
    work, number = [], 0
    for lab, stem, source in originals(options.lab):
        if not options.no_originals and options.every == 1:
            work.append((lab, stem, source, None))
        for fault in faults.faults_of(source.read_text()):
            if options.kind and fault.kind not in options.kind:
                continue
            if number % options.every == 0:
                work.append((lab, stem, source, fault))
            number += 1
    index, count = (int(x) for x in options.shard.split("/"))
    return work[index - 1::count]


def row_of(item, seen):
    """What the script remembers of one program."""
    _, _, source, fault = item
    findings, second = kinds_and_places(seen["findings"]), kinds_and_places(seen["second"])
    return {"source": str(source.relative_to(ROOT)), "line": fault.line if fault else 0,
            "kind": fault.kind if fault else "none", "key": key_of(item), "built": seen["built"],
            "failed_under": seen["failed_under"], "findings": findings, "second": second, "why": seen.get("why", "")}


def kinds_and_places(findings):
    """[[kind, places], ...], each once."""
    kept = []
    for finding in findings:
        if [finding["kind"], places_of(finding)] not in kept:
            kept.append([finding["kind"], places_of(finding)])
    return kept


def judged(row, fault):
    """The row with what the tables count."""
    file_name = os.path.basename(row["source"])
    first, second = [bool(fault) and any(is_right(fault, kind, places, file_name) for kind, places in row[when])
                     for when in ("findings", "second")]
    found = first or second
    unseen = bool(fault) and not found and (row["source"], fault.faulty_line) in UNSEEN
    return {**row, "changes": bool(row["failed_under"]), "found": found, "unseen": unseen,
            "by_second_look": second and not first}


def key_of(item):
    source, fault = item[2], item[3]
    text = fault.source if fault else source.read_text()
    return hashlib.sha256(f"{source.relative_to(ROOT)}\0{text}".encode()).hexdigest()[:24]


def blames(row):
    """A right kernel gets a finding, or a test fails with it."""
    return row["kind"] == "none" and (not row["built"] or bool(row["findings"] + row["second"]) or row["changes"])


def remark(row):
    """A line about a program that needs a look; empty if it does not."""
    where = f"{row['source']}:{row['line']}: {row['kind']}"
    if blames(row):
        seen = brief(row["findings"] + row["second"])
        return f"{row['source']}: right, but {seen}, {row['failed_under']} {row['why']}"
    if row["changes"] and not row["found"] and not row["unseen"] and row["kind"] != "none":
        return (f"{where}: fails under {row['failed_under']}, findings: "
                f"{brief(row['findings'] + row['second']) or 'none'}")
    return ""


def print_table(rows):
    """Prints the figures; returns the recall."""
    faulty = [r for r in rows if r["kind"] != "none" and r["built"]]
    print(f"{'fault':22}{'built':>7}{'change behaviour':>18}{'cannot be seen':>16}{'found':>7}"
          f"{'second look':>13}{'others found':>14}")
    for kind in [*sorted({r["kind"] for r in faulty}), "all"]:
        of_kind = [r for r in faulty if kind in (r["kind"], "all")]
        changing = [r for r in of_kind if r["changes"]]
        print(f"{kind:22}{len(of_kind):7}{len(changing):18}{sum(r['unseen'] for r in changing):16}"
              f"{sum(r['found'] for r in changing):7}"
              f"{sum(r['by_second_look'] for r in changing):13}"
              f"{sum(r['found'] for r in of_kind if not r['changes']):14}")
    changing = [r for r in faulty if r["changes"]]
    found, unseen = sum(r["found"] for r in changing), sum(r["unseen"] for r in changing)
    recall = found / (len(changing) - unseen) if len(changing) > unseen else 1.0
    right = [r for r in rows if r["kind"] == "none"]
    print(f"found: {found} of {len(changing)} faults that change behaviour, {found / max(1, len(changing)):.1%}; "
          f"of those that can be seen {recall:.1%}; {len(right)} right kernels, {sum(map(blames, right))} blamed; "
          f"{sum(not r['built'] for r in rows)} programs do not compile")
    return recall


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take each Nth fault (default: all)")
    parser.add_argument("--shard", default="1/1", metavar="I/N", help="take the Ith of N equal parts")
    parser.add_argument("--lab", action="append", help="only this lab; repeat for several")
    parser.add_argument("--kind", action="append", help="only faults of this kind; repeat for several")
    parser.add_argument("--seeds", type=int, default=4, help="how many orders to try (default: 4)")
    parser.add_argument("--least", type=float, default=0.98, help="the recall that is enough (default: 0.98)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--no-originals", action="store_true", help="leave the right kernels out")
    parser.add_argument("--rows", type=pathlib.Path, metavar="FILE", help="write what happened with each")
    parser.add_argument("--resume", action="store_true", help="take from the file of --rows what it has already")
    parser.add_argument("--objects", type=pathlib.Path, metavar="DIR", help="keep the compiled faults there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as objects:
        if options.objects:
            objects = options.objects.resolve()
            objects.mkdir(parents=True, exist_ok=True)
        return measure(Workshop(options.build.resolve(), options.seeds, pathlib.Path(objects)), options)


def measure(shop, options):
    """Builds and runs the programs and prints the table; returns the script's exit code."""
    work, known = work_list(options), {}
    if options.resume and options.rows and options.rows.exists():
        known = {r["key"]: r for r in map(json.loads, options.rows.read_text().splitlines())}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, \
            open(options.rows or os.devnull, "a" if options.resume else "w") as file:
        running = {pool.submit(shop.observe, item): item for item in work if key_of(item) not in known}
        for number, done in enumerate(concurrent.futures.as_completed(running), 1):
            row = row_of(running[done], done.result())
            known[row["key"]] = row
            print(json.dumps(row), file=file, flush=True)
            print(f"\r{number} of {len(running)}", end="", file=sys.stderr)
    print(file=sys.stderr)
    rows = [judged(known[key_of(item)], item[3]) for item in work]
    for row in rows:
        if remark(row):
            print(remark(row))
    recall = print_table(rows)
    return 1 if any(map(blames, rows)) or recall < options.least else 0


if __name__ == "__main__":
    sys.exit(main())
