"""The tables of points, limits, counters and speeds in the handouts: made here, and tested to be up to date.

    tables_test.py BUILD_DIR                     fails when a table of a handout is not what this program makes
    tables_test.py BUILD_DIR --rebase            writes the tables into the handouts
    tables_test.py BUILD_DIR --counters LAB...   grades the solutions of these labs on the emulator (half a minute for
                                                 each lab), writes labs/LAB/counters.json, and then the tables

A handout marks the place of a table:

    <!-- table: points -->
    ...
    <!-- end of table -->

    points     for each rung the points and the technique limits, with what the course's solution has
    speeds     for each rung the speed of the course's solution on the GPU and the speed that gives all points
    counters METRIC...   for each rung what the emulator counts for the course's solution

Points and limits come from course.yaml (`warpgrade course`), speeds from the table of BENCHMARKS.md, "The ladders",
and counters from labs/LAB/counters.json, which each lab with technique limits has. This file has a key: a hash of what
the counters depend on. The test fails when the key is not the one of the tree.
"""

import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import book

TABLE = re.compile(r"(<!-- table: ([^\n]*?) -->\n)(.*?)(<!-- end of table -->)", re.DOTALL)
TECHNIQUE_CASE = re.compile(r"^constexpr \w+ kTechnique[^;]*;|^Problem TechniqueCase\(.*?^}", re.MULTILINE | re.DOTALL)
RENEW = "python3 tests/docs/tables_test.py build"


def course(build):
    """What course.yaml says, by lab."""
    text = subprocess.run([build / "bin/warpgrade", "course", "--course", book.ROOT / "course.yaml"],
                          capture_output=True, text=True, check=True).stdout
    return {lab["lab"]: lab for lab in json.loads(text)["labs"]}


# ---- counters


def metrics():
    """(name, unit) of every metric."""
    text = (book.ROOT / "grader/emulator/counters/metrics.def").read_text(encoding="utf-8")
    return dict(re.findall(r'^WARPGRADE_METRIC\((\w+), "([^"]*)"', text, re.MULTILINE))


def key(lab):
    """A hash of what decides what the emulator counts for the solutions of `lab`: their text, and the case's size."""
    files = sorted((book.ROOT / "solutions" / lab).glob("*.cu"))
    texts = [path.read_text(encoding="utf-8") for path in files]
    included = {name for text in texts for name in re.findall(r'#include "(labs/[^"]+)"', text)}
    files += [book.ROOT / name for name in sorted(included)]
    sizes = TECHNIQUE_CASE.findall((book.ROOT / "labs" / lab / "lab.cc").read_text(encoding="utf-8"))
    if not sizes:
        raise ValueError(f"labs/{lab}/lab.cc has no kTechniqueCase; TECHNIQUE_CASE in tables_test.py must find it")
    digest = hashlib.sha256("\0".join(sizes).encode())
    for path in files:
        digest.update(f"\0{path.name}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def counting_course(lab):
    """A course.yaml with every metric as a limit that every rung meets, so that the report has the value of each."""
    limits = "".join(f"\n          - {{metric: {name}, min: 0, points: 1}}" for name in metrics())
    rungs = "".join(
        f"\n      {path.stem}:\n        title: {path.stem}\n"
        f"        points: {{correctness: 1, technique: {len(metrics())}}}\n        technique:{limits}"
        for path in sorted((book.ROOT / "solutions" / lab).glob("*.cu")))
    return f"course: {{name: Counters, term: now}}\nlabs:\n  {lab}:\n    title: {lab}\n    rungs:{rungs}\n"


def count(build, lab):
    """Grades the solutions of `lab`, and writes its counters."""
    with tempfile.TemporaryDirectory() as folder:
        course_yaml, results = pathlib.Path(folder, "course.yaml"), pathlib.Path(folder, "results.json")
        course_yaml.write_text(counting_course(lab))
        subprocess.run([build / "bin/warpgrade", "grade", book.ROOT / "solutions", "--lab", lab, "--device", "emulator",
                        "--course", course_yaml, "--json", results], stdout=subprocess.DEVNULL, check=True)
        graded = json.loads(results.read_text())["submissions"][0]["labs"][0]
    rungs = {}
    for rung in graded["rungs"]:
        if rung["status"] != "passed":
            raise ValueError(f"{lab} {rung['rung']}: the solution is {rung['status']}, so nothing is counted")
        values = {limit["metric"]: limit["value"] for limit in rung["technique"]}
        rungs[rung["rung"]] = {name: value for name, value in values.items() if value is not None}
    measured = {"generated": f"by `{RENEW} --counters {lab}`; do not edit", "key": key(lab), "rungs": rungs}
    (book.ROOT / "labs" / lab / "counters.json").write_text(json.dumps(measured, indent=1) + "\n")


def counters(lab):
    path = book.ROOT / "labs" / lab / "counters.json"
    if not path.exists():
        raise ValueError(f"{path} is missing; run `{RENEW} --counters {lab}`")
    measured = json.loads(path.read_text())
    if measured["key"] != key(lab):
        raise ValueError(f"{path} is older than the solutions or the inputs of {lab}; run `{RENEW} --counters {lab}`")
    return measured["rungs"]


# ---- tables


def number(value):
    """Four digits of a fraction; whole numbers with commas."""
    if value >= 1000 or value == int(value):
        return f"{round(value):,}"
    return f"{value:.4g}"


def points(value):
    return f"{value:g}" if value else ""


def words(metric):
    return metric.replace("_", " ")


def limit_text(limit, value):
    """ "at most 4.5 global load sectors per request (2; solution 4)" """
    low, high = limit["min"], limit["max"]
    if low is None and high == 0:
        bound = "no"
    elif low is not None and low == high:
        bound = f"exactly {number(low)}"
    elif low is not None and high is not None:
        bound = f"{number(low)} to {number(high)}"
    elif low is not None:
        bound = f"at least {number(low)}"
    else:
        bound = f"at most {number(high)}"
    return f"{bound} {words(limit['metric'])} ({points(limit['points'])}; solution {number(value)})"


def points_table(lab, measured):
    yield ("| rung | correctness | technique | throughput | sum "
           "| technique limits (points; what the course's solution has) |")
    yield "|---|---|---|---|---|---|"
    for rung in lab["rungs"]:
        part = rung["points"]
        texts = [limit_text(limit, measured[rung["rung"]][limit["metric"]]) for limit in rung["technique"]]
        name = f"`{rung['rung']}`, a bonus" if rung["bonus"] else f"`{rung['rung']}`"
        yield (f"| {name} | {points(part['correctness'])} | {points(part['technique'])} "
               f"| {points(part['throughput'])} | {sum(part.values()):g} | {'; '.join(texts)} |")
    if lab["quiz"]:
        yield f"| quiz | | | | {lab['quiz']:g} | |"
    yield f"| all | | | | {lab['points']:g} | |"


def speeds():
    """(lab, number of the rung) -> (speed, unit), from the table of BENCHMARKS.md, "The ladders"."""
    text = (book.ROOT / "BENCHMARKS.md").read_text(encoding="utf-8")
    section = text.split("\n## The ladders\n", 1)[1].split("\n## ", 1)[0]
    found = {}
    for lab, unit, cells in re.findall(r"^\| (lab\d+), (\S+) \|(.*)\|$", section, re.MULTILINE):
        for place, cell in enumerate(cells.split("|"), 1):
            speed = re.match(r"^\s*([\d.]+)", cell)
            if speed:
                found[lab, place] = float(speed[1]), unit
    if not found:
        raise ValueError("BENCHMARKS.md has no rows such as '| lab1, GB/s | 417 |' in \"The ladders\"")
    return found


def full_points(rung):
    """The speed on an H200 that gives all points for throughput."""
    scales = rung["throughput"]
    scale = scales.get("h200") or scales.get("any")
    if scale is None:
        return ""
    full = scale["full"] if scale["full"] is not None else scale["steps"][-1]["at"]
    unit = {"share_of_copy": "of a copy's speed", "share_of_solution": "of the solution's speed"}.get(scale["unit"])
    return f"{full:g} {unit}" if unit else f"{number(full)} {scale['unit']}"


def speeds_table(lab):
    measured = speeds()
    yield "| rung | the course's solution | all throughput points from |"
    yield "|---|---|---|"
    for place, rung in enumerate(lab["rungs"], 1):
        speed = measured.get((lab["lab"], place))
        text = f"{number(speed[0])} {speed[1]}" if speed else "not timed"
        yield f"| `{rung['rung']}` | {text} | {full_points(rung)} |"


def counters_table(lab, measured, wanted):
    yield f"| rung | {' | '.join(words(metric) for metric in wanted)} |"
    yield "|---" * (len(wanted) + 1) + "|"
    for rung in lab["rungs"]:
        values = [number(measured[rung["rung"]][metric]) for metric in wanted]
        yield f"| `{rung['rung']}` | {' | '.join(values)} |"


def table(lab, kind):
    name, *arguments = kind.split()
    if name == "points":
        has_limits = any(rung["technique"] for rung in lab["rungs"])
        return "\n".join(points_table(lab, counters(lab["lab"]) if has_limits else {})) + "\n"
    if name == "speeds":
        return "\n".join(speeds_table(lab)) + "\n"
    if name == "counters" and arguments and all(metric in metrics() for metric in arguments):
        return "\n".join(counters_table(lab, counters(lab["lab"]), arguments)) + "\n"
    raise ValueError(f"there is no table '{kind}'; write points, speeds, or counters and names of metrics.def")


def renewed(text, lab):
    """The text of a handout with its tables made anew."""
    return TABLE.sub(lambda found: found[1] + table(lab, found[2]) + found[4], text)


def main(arguments):
    build = pathlib.Path(arguments[0]).resolve()
    labs = course(build)
    if "--counters" in arguments:
        for lab in arguments[arguments.index("--counters") + 1 :]:
            count(build, lab)
    failed = 0
    for name, lab in labs.items():
        handout = book.ROOT / "labs" / name / "README.md"
        old = handout.read_text(encoding="utf-8")
        try:
            new = renewed(old, lab)
            wanted = ["points", "speeds"] if any(rung["throughput"] for rung in lab["rungs"]) else ["points"]
            if not all(re.search(rf"<!-- table: {kind} -->", old) for kind in wanted):
                raise ValueError("the table of points or of speeds is missing; the comment of tables_test.py shows how")
        except ValueError as error:
            print(f"{handout}: {error}")
            failed = 1
            continue
        if new != old and len(arguments) > 1:
            handout.write_text(new, encoding="utf-8")
            print(f"{handout}: wrote its tables")
        elif new != old:
            print(f"{handout}: a table is not up to date; run `{RENEW} --rebase`")
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
