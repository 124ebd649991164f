#!/usr/bin/env python3
"""Measures the checks: faulty kernels that are found (recall), and right kernels that are blamed (precision).

    tests/mutation/corpus.py BUILD_DIR [--every N] [--lab lab1] [--kind "barrier removed"] [--seeds 4] [--json FILE]

Each solution and alternative of the labs is built once as it is, which must give no finding, and once with each fault of
faults.py. Every program runs on the emulator with all checks. Then it runs without the slower checks under some seeds,
each of which orders blocks and warps in another way: a fault counts as one that changes behaviour when a test of the lab
fails, or the program hangs, in one of these runs. Of those faults the script counts how many got a finding of the right
kind at the right place. --every 20 takes each 20th fault, as ctest does. Needs a BUILD_DIR with the labs' test programs
(make lab0 ... lab7). Exits with 1 when a right kernel is blamed or recall is under --least.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import faults  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 300  # for one run of a program; a fault that takes longer hangs


def build_commands(build, lab, stem):
    """The commands that `make LAB` compiles and links this rung with: nvcc's without its source, the linker's."""
    rules = (build / f"CMakeFiles/{lab}_rung_tests.dir/build.make").read_text()
    compile_line = re.search(rf"build_rung\.sh compile {stem}\.cu \S+ \S+ {lab} \d+ (.*)", rules)
    link_line = re.search(rf"build_rung\.sh link \S+/{stem}_test \S+ (.*)", rules)
    if not compile_line or not link_line:
        raise SystemExit(f"{build}: has no test program of {lab} {stem}; configure it and run make {lab}")
    return shlex.split(compile_line.group(1))[:-1], shlex.split(link_line.group(1))


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
    def __init__(self, build, seeds):
        self.build, self.seeds = build, seeds
        self.warpgrade = build / "bin" / "warpgrade"

    def _run(self, program, work, arguments):
        """(findings, the program's status; None: it hangs)"""
        out = pathlib.Path(work) / "findings.json"
        out.unlink(missing_ok=True)
        command = [self.warpgrade, "run", "--device", "emulator", "--threads", "1", "--error-exitcode", "0", "--json", out,
                   *arguments, "--", program]
        try:
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=SECONDS,
                                  cwd=work)
        except subprocess.TimeoutExpired:
            return [], None
        findings = json.loads(out.read_text())["findings"] if out.exists() else []
        return findings, done.returncode

    def observe(self, lab, stem, name, text):
        """What happens with this source as the rung: {"built", "findings", "failed_under": [...]}."""
        compile_with, link_with = build_commands(self.build, lab, stem)
        with tempfile.TemporaryDirectory() as work:
            source, program = pathlib.Path(work) / f"{name}.cu", pathlib.Path(work) / "program"
            source.write_text(text)
            built = subprocess.run([*compile_with, "-c", source, "-o", f"{work}/rung.o"], capture_output=True, text=True)
            if built.returncode == 0:
                built = subprocess.run([link_with[0], "-o", program, f"{work}/rung.o", *link_with[1:]],
                                       capture_output=True, text=True)
            if built.returncode != 0:
                return {"built": False, "findings": [], "failed_under": [], "why": built.stderr[-500:]}
            findings, status = self._run(program, work, [])
            failed = [] if status == 0 else ["checks"]
            for seed in range(self.seeds):
                if failed:
                    break  # one schedule is enough
                order = [] if seed == 0 else ["--seed", str(seed)]
                if self._run(program, work, ["--check", "none", *order])[1] != 0:
                    failed.append(f"seed {seed}")
            return {"built": True, "findings": findings, "failed_under": failed}


def brief(findings):
    return [f"{f['kind']} in line {f['line']}" + (f" with {f['other']['line']}" if f.get("other") else "")
            for f in findings]


def is_right(fault, finding, file_name):
    """The finding names this fault: by its kind, and a line of the function that has the fault."""
    if finding["kind"] not in fault.expected:
        return False
    places = [finding] + ([finding["other"]] if finding.get("other") else [])
    return any(fault.first <= p["line"] <= fault.last for p in places if p["file"].endswith(file_name)) or \
        (fault.first == 1 and not finding["file"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take each Nth fault (default: all)")
    parser.add_argument("--lab", action="append", help="only this lab; repeat for several")
    parser.add_argument("--kind", action="append", help="only faults of this kind; repeat for several")
    parser.add_argument("--seeds", type=int, default=4, help="how many orders to try (default: 4)")
    parser.add_argument("--least", type=float, default=0.98, help="the recall that is enough (default: 0.98)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--no-originals", action="store_true", help="leave the right kernels out")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write what happened with each")
    options = parser.parse_args()
    shop = Workshop(options.build.resolve(), options.seeds)

    work = []  # (lab, stem, source, fault or None)
    number = 0
    for lab, stem, source in originals(options.lab):
        text = source.read_text()
        if not options.no_originals and options.every == 1:
            work.append((lab, stem, source, None))
        for fault in faults.faults_of(text):
            if options.kind and fault.kind not in options.kind:
                continue
            if number % options.every == 0:
                work.append((lab, stem, source, fault))
            number += 1

    def observe(item):
        lab, stem, source, fault = item
        return shop.observe(lab, stem, source.stem, fault.source if fault else source.read_text())

    rows, blamed, broken = [], [], 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done, (item, seen) in enumerate(zip(work, pool.map(observe, work)), 1):
            lab, stem, source, fault = item
            where = f"{source.relative_to(ROOT)}" + (f":{fault.line}: {fault.kind}" if fault else "")
            print(f"\r{done} of {len(work)}", end="", file=sys.stderr)
            if fault is None:
                if not seen["built"] or seen["findings"] or seen["failed_under"]:
                    blamed.append(where)
                    print(f"\n{where}: a right kernel: {brief(seen['findings'])} {seen.get('why', '')}")
                continue
            if not seen["built"]:
                broken += 1
                continue
            right = any(is_right(fault, f, f"{source.stem}.cu") for f in seen["findings"])
            rows.append({"where": where, "kind": fault.kind, "changes": bool(seen["failed_under"]),
                         "found": right, "any": bool(seen["findings"]), "findings": brief(seen["findings"])})
            if seen["failed_under"] and not right:
                print(f"\n{where}: fails under {seen['failed_under'][0]}, findings: {brief(seen['findings']) or 'none'}")
    print(file=sys.stderr)

    print(f"{'fault':24}{'built':>7}{'change behaviour':>18}{'found':>7}{'others found':>14}")
    for kind in sorted({r["kind"] for r in rows}):
        of_kind = [r for r in rows if r["kind"] == kind]
        changing = [r for r in of_kind if r["changes"]]
        print(f"{kind:24}{len(of_kind):7}{len(changing):18}{sum(r['found'] for r in changing):7}"
              f"{sum(r['found'] for r in of_kind if not r['changes']):14}")
    changing = [r for r in rows if r["changes"]]
    recall = sum(r["found"] for r in changing) / len(changing) if changing else 1.0
    right_kernels = sum(1 for w in work if w[3] is None)
    print(f"{len(rows)} faulty kernels, {len(changing)} change behaviour, found {recall:.1%}; "
          f"{right_kernels} right kernels, {len(blamed)} blamed; {broken} faults do not compile")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))
    return 1 if blamed or recall < options.least else 0


if __name__ == "__main__":
    sys.exit(main())
