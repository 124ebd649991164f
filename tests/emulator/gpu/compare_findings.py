#!/usr/bin/env python3
"""Holds the emulator's findings in the test programs against what compute-sanitizer reports for them on a GPU.

  compare_findings.py [--arch 90] [--jobs 8] [--logs DIR] tests/programs/faulty/*.cu tests/programs/tricky/*.cu
  compare_findings.py --read --logs DIR tests/programs/faulty/*.cu    without a GPU, from the reports of an earlier run

Each program is compiled once by nvcc for the GPU and runs under memcheck, initcheck, synccheck and racecheck. What the
emulator must find stands in the program's own `// expect:` lines, which tests/programs/program_test.cc holds the
emulator to. A program's finding is seen by a tool if the tool reports an error of a kind that fits it, with a line that
bears the mark. Prints Markdown tables: each due finding with the tools that see it, then every report that is not due.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

TOOLS = {
    "memcheck": ["--leak-check", "full", "--track-stream-ordered-races", "all"],
    "initcheck": ["--report-api-errors", "no"],
    "synccheck": [],
    "racecheck": ["--racecheck-report", "all"],
}

# The first line of a report -> the kinds of the emulator that say the same.
KINDS = [
    (re.compile(r"Uninitialized .* memory read|Host API memory access error"), {"uninitialised-read"}),
    (re.compile(r"hazard detected .invalid memcpy_async"), {"uninitialised-read", "shared-race"}),
    (re.compile(r"Race reported between|hazard detected"), {"shared-race", "unordered-volatile"}),
    (re.compile(r"Invalid .*(read|write|atomic) of size|is out of bounds|out-of-bounds"),
     {"out-of-bounds", "use-after-free", "misaligned", "stack-overflow"}),
    (re.compile(r"Stack (over|under)flow|[Ss]tack overflow"), {"stack-overflow"}),
    (re.compile(r"Leaked .* bytes"), {"leak"}),
    (re.compile(r"Barrier error|Divergent thread|Missing wait|synccheck", re.I),
     {"barrier-divergence", "wrong-member-mask", "deadlock"}),
    (re.compile(r"[Dd]ouble free"), {"double-free", "use-after-free"}),
    (re.compile(r"Invalid pointer to free|[Mm]alloc/[Ff]ree error|Device [Ff]ree"), {"invalid-free", "double-free"}),
    (re.compile(r"(Use-after-free|before-alloc) on allocation|stream[- ]ordered", re.I),
     {"stream-race", "use-after-free"}),
    (re.compile(r"Program hit cuda\w+ .* on CUDA API call to cudaFree"), {"double-free", "invalid-free"}),
    (re.compile(r"Program hit cuda\w+ .* on CUDA API call to cudaMemcpy"), {"invalid-copy"}),
    (re.compile(r"Program hit cuda\w+ .* on CUDA API call to cudaLaunch"), {"unchecked-error"}),
    (re.compile(r"assert", re.I), {"assert"}),
    (re.compile(r"Trace/breakpoint trap"), {"trap"}),
]
# What follows a first line without being an error of its own.
NOT_ERRORS = re.compile(
    r"^(COMPUTE-SANITIZER|ERROR SUMMARY|RACECHECK SUMMARY|LEAK SUMMARY|Target application|No CUDA|Error: |Warning: )|^\s*$")

Report = collections.namedtuple("Report", "tool text kinds lines")
Due = collections.namedtuple("Due", "kind lines")


def parse(tool, text):
    """The reports in a tool's output: each begins unindented after '========= ' and goes on in indented lines."""
    blocks = []
    for line in text.splitlines():
        if not line.startswith("========="):
            continue
        body = line[9:]
        body = body[1:] if body.startswith(" ") else body
        if body and not body.startswith(" "):
            blocks.append([body])
        elif blocks and body.strip():
            blocks[-1].append(body.strip())
    reports = []
    for block in blocks:
        head = re.sub(r"^(Error|Warning|Fatal UVM.*?|Info): ", "", block[0])
        if NOT_ERRORS.match(head):
            continue
        kinds = set()
        for form, names in KINDS:
            if form.search(head):
                kinds = names
                break
        lines = set()
        for part in block:
            # The device's frames say "in FILE:LINE"; a racecheck record may name two places.
            if re.search(r"Host Frame|Saved host backtrace", part):
                break
            lines.update((os.path.basename(m.group(1)), int(m.group(2)))
                         for m in re.finditer(r"in (\S+?\.(?:cuh?|h|hpp)):(\d+)", part))
        reports.append(Report(tool, head, kinds, lines))
    return reports


def due_of(source):
    """The findings that a program's comments announce: a kind and the lines that bear one of its marks."""
    with open(source) as f:
        lines = f.read().splitlines()
    due = []
    for line in lines:  # the marks end the lines that they mark
        m = re.match(r"^// expect: ([a-z-]+)(?: at ([A-Z]+))?(?: with ([A-Z]+))?$", line)
        if m:
            marks = [mark for mark in m.group(2, 3) if mark]
            due.append(Due(m.group(1), {n + 1 for n, text in enumerate(lines)
                                        if any(re.search(rf"// {mark}$", text) for mark in marks)}))
    return due


def fits(report, due, name):
    if due.kind not in report.kinds:
        return False
    own = {line for file, line in report.lines if file == name}
    # What the host did, and an assertion, bear no line of the kernel.
    return not due.lines or not report.lines or bool(own & due.lines)


def run(command, seconds):
    """Output and status of a command; the whole process group is killed when its time is over (status None)."""
    with tempfile.TemporaryFile("w+", errors="replace") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                   start_new_session=True)
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        out.seek(0)
        return out.read(4 << 20), status


def flags_of(source):
    with open(source) as f:
        head = "".join(next(f, "") for _ in range(4))
    m = re.search(r"^// flags: (.*)$", head, re.M)
    return m.group(1).split() if m else []


def examine(source, folder, arguments):
    """Compiles and runs one program under each tool; with --read, reads what an earlier run left in --logs."""
    name = os.path.basename(source)
    stem = os.path.basename(os.path.dirname(source)) + "_" + os.path.splitext(name)[0]
    program = os.path.join(folder, stem)
    result = {"source": source, "due": due_of(source), "reports": [], "late": []}
    if arguments.read:
        for tool in TOOLS:
            path = os.path.join(arguments.logs, f"{stem}.{tool}")
            if not os.path.exists(path):
                return {"source": source, "broken": f"there is no report {path}; run this on a GPU without --read"}
            with open(path, errors="replace") as f:
                text = f.read()
            result["reports"] += parse(tool, text)
            if "SUMMARY" not in text:
                result["late"].append(tool)
        return result
    command = ["nvcc", "-std=c++17", "-lineinfo", "-I", os.path.dirname(source),
               "-I", os.path.dirname(os.path.dirname(source)),
               "-gencode", f"arch=compute_{arguments.arch},code=sm_{arguments.arch}", *flags_of(source),
               source, "-o", program]
    text, status = run(command, 300)
    if status != 0:
        return {"source": source, "broken": text[-400:] or "nvcc took more than 300 s"}
    for tool, options in TOOLS.items():
        text, status = run(["compute-sanitizer", "--tool", tool, *options, "--print-limit", "40", program],
                           arguments.seconds)
        result["reports"] += parse(tool, text)
        if status is None:
            result["late"].append(tool)
        if arguments.logs:
            with open(os.path.join(arguments.logs, f"{stem}.{tool}"), "w") as f:
                f.write(text)
    return result


def print_tables(results):
    print("| program | finding that is due | tools that see it |\n|---|---|---|")
    both = ours = 0
    for r in results:
        if "broken" in r:
            print(f"| {os.path.basename(r['source'])} | not compared: {' '.join(r['broken'].split())} | |")
            continue
        name = os.path.basename(r["source"])
        for due in r["due"]:
            tools = sorted({report.tool for report in r["reports"] if fits(report, due, name)})
            note = f" ({len(r['late'])} of {len(TOOLS)} tools did not end)" if r["late"] else ""
            both, ours = both + bool(tools), ours + (not tools)
            print(f"| {name} | {due.kind} | {', '.join(tools) or 'none'}{note} |")
    print(f"\n{both} findings are seen by a tool as well, {ours} by the emulator alone.\n")
    print("| program | a report that is not due | lines |\n|---|---|---|")
    for r in results:
        name = os.path.basename(r["source"])
        counts = collections.Counter()
        for report in r.get("reports", []):
            # A kernel that stopped leaves its memory behind, and makes the calls after it fail.
            follows = any(d.kind not in ("leak", "invalid-copy") for d in r["due"]) and \
                re.search(r"^Leaked |^Program hit ", report.text)
            if not follows and not any(fits(report, due, name) for due in r["due"]):
                lines = ", ".join(f"{file}:{line}" for file, line in sorted(report.lines)) or "-"
                text = re.sub(r" (at|to) (__\w+__ )?0x[0-9a-f]+( in block \([\d,]+\))?( :)?", "", report.text)
                counts[f"| {name} | {report.tool}: {text} | {lines} |"] += 1
        for row, count in counts.items():
            print(row if count == 1 else row.replace(": ", f": {count} times: ", 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", default="90")
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=60, help="for each run of a program")
    parser.add_argument("--json", help="also write all reports here")
    parser.add_argument("--logs", metavar="DIR", help="a folder for the tools' own output")
    parser.add_argument("--read", action="store_true", help="run nothing: read the reports that are in --logs")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    if arguments.read and not arguments.logs:
        parser.error("--read needs --logs DIR, the folder of an earlier run's reports")
    if arguments.logs:
        os.makedirs(arguments.logs, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = []
        for result in pool.map(lambda s: examine(s, folder, arguments), arguments.files):
            results.append(result)
            if sys.stderr.isatty():
                print(f"\r{len(results)} of {len(arguments.files)} programs", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    print_tables(results)
    if arguments.json:
        with open(arguments.json, "w") as f:
            json.dump(results, f, default=lambda o: sorted(o) if isinstance(o, set) else str(o), indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
