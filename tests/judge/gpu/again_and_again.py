#!/usr/bin/env python3
"""Grades the course's solutions again and again on this machine's GPU, and tells how far the throughputs lie apart.

  again_and_again.py lab0/v2 lab1/v8                    ten gradings of each, into ./gradings
  again_and_again.py --times 3 --seconds 500 lab4/v8    starts no grading that 500 s may not hold
  again_and_again.py --times 0                          only the table of what is there

A grading that is in the folder counts, so what was stopped goes on where it was. Gradings of one rung come one after
the other; those of an older build or another machine belong in another folder. Prints a Markdown table: slowest to
fastest, and half of what lies between the quartiles, both as a share of the median. Where the ceiling is the solution's
own speed, its share is compared. Exits with 1 when a rung is more than 1% apart, lost points between gradings or has no
time; with 3 when a grading could not be done.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

MOST_APART = 0.01  # between the slowest grading and the fastest


def rung_name(text):
    if not re.fullmatch(r"lab[0-9]+/v[0-9]+", text):
        raise argparse.ArgumentTypeError(f"{text} is no rung; write it as lab1/v8")
    return text


def parse():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("rungs", nargs="*", type=rung_name, metavar="LAB/RUNG")
    words.add_argument("--times", type=int, default=10, help="gradings of each rung in all (10)")
    words.add_argument("--seconds", type=float, default=float("inf"), help="how long all of it may take")
    words.add_argument("--results", type=pathlib.Path, default=pathlib.Path("gradings"), help="the folder (gradings)")
    words.add_argument("--warpgrade", default="build/bin/warpgrade")
    return words.parse_args()


def gradings_of(folder, rung):
    return sorted(folder.glob(rung.replace("/", ".") + ".[0-9]*.json"))


def grade(warpgrade, folder, rung):
    """One grading more. It gets its name when it is whole, so one that is stopped leaves nothing that counts."""
    lab, number = rung.split("/")
    unfinished = folder / "unfinished.json"
    command = [warpgrade, "grade", "solutions", "--device", "gpu", "--lab", lab, "--rung", number, "--json", unfinished]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0 or not unfinished.exists():
        sys.stderr.write(done.stdout)
        print(f"{rung}: a grading could not be done (exit status {done.returncode})", file=sys.stderr)
        sys.exit(3)
    os.replace(unfinished, folder / f"{lab}.{number}.{time.time_ns()}.json")


def grade_all(options):
    """In turn, as often as is still wanted, while there is time."""
    begin, longest = time.monotonic(), 0.0
    for rung in options.rungs:
        for _ in range(options.times - len(gradings_of(options.results, rung))):
            left = options.seconds - (time.monotonic() - begin)
            if left < longest:
                print(f"{rung}: no time is left for another grading", file=sys.stderr)
                return
            started = time.monotonic()
            grade(options.warpgrade, options.results, rung)
            longest = max(longest, time.monotonic() - started)
            print(f"{rung}: {time.monotonic() - started:.1f} s", file=sys.stderr)


def rung_of(path):
    """The only rung of a grading that has points to earn."""
    submission = json.loads(path.read_text())["submissions"][0]
    return submission["labs"][0]["rungs"][0]


def speed_of(rung):
    """(its value, its unit); None when there is no time that counts."""
    throughput = rung["throughput"]
    if throughput["status"] != "measured" or throughput["reason"]:
        return None
    if throughput["ceiling_of"] == "solution":
        return throughput["share"], "of the solution's speed"
    return throughput["value"], throughput["unit"]


def row(name, paths):
    """(its line of the table, whether it holds)."""
    rungs = [rung_of(path) for path in paths]
    speeds = [speed_of(rung) for rung in rungs]
    points = sorted({rung["points"] for rung in rungs})
    if None in speeds:
        return f"| {name} | {len(rungs)} | not every grading has a time that counts | | | {points} |", False
    values = [value for value, _ in speeds]
    median = statistics.median(values)
    apart = (max(values) - min(values)) / median
    quartiles = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [median] * 3
    half = (quartiles[2] - quartiles[0]) / 2 / median
    line = (f"| {name} | {len(rungs)} | {median:.4g} {speeds[0][1]} | {100 * apart:.2f}% | {100 * half:.2f}% | "
            f"{', '.join(f'{p:g}' for p in points)} |")
    return line, apart <= MOST_APART and len(points) == 1


def main():
    options = parse()
    options.results.mkdir(parents=True, exist_ok=True)
    try:
        grade_all(options)
    except KeyboardInterrupt:
        print("stopped; what is whole counts", file=sys.stderr)
    names = options.rungs or sorted({"/".join(path.name.split(".")[:2]) for path in options.results.glob("lab*.json")})
    print("| rung | gradings | median | slowest to fastest | half between the quartiles | points |\n|---|---|---|---|---|---|")
    holds = True
    for name in names:
        paths = gradings_of(options.results, name)
        if not paths:
            print(f"| {name} | 0 | | | | |")
            holds = False
            continue
        line, row_holds = row(name, paths)
        print(line)
        holds = holds and row_holds
    return 0 if holds else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as error:
        print(f"{error.filename or 'again_and_again'}: {error.strerror}; see --warpgrade and --results", file=sys.stderr)
        sys.exit(3)
