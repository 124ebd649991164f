"""The lessons are what the documents say that they are.

    lessons_test.py BUILD_DIR

- The table of docs/instructors.md, "Where the labs teach what", has each subject S1 to S22 and each exercise E1 to E19
  once, and every rung, question, study, command and file in it exists.
- Each study of `warpgrade study` is in that table, and in a table of docs/students.md.
- Each word of the glossary has a picture and a command that is run, and each handout links to the glossary.
- Each handout has all parts of the plan, in order, and at most 2,000 words of prose.
"""

import pathlib
import re
import sys

import book
import names_test

ITEMS = [f"S{i}" for i in range(1, 23)] + [f"E{i}" for i in range(1, 20)]
WORDS = ["Thread", "Block", "Grid", "Warp", "Lane", "Barrier", "Request", "Sector", "Line", "Bank", "Wavefront",
         "Occupancy", "Memory order"]
PLAN = ["What you will learn", "Run this now", "The idea", "The rungs", "Common failures", "Hints", "Hand in", "Points"]
MOST_WORDS = 2000


def exists(name, commands):
    """Whether the rung, question, study, command or file `name` of the table is there."""
    rung = re.fullmatch(r"(lab\d+) (v\d+)", name)
    if rung:
        return any((book.ROOT / "solutions" / rung[1]).glob(f"{rung[2]}_*.cu"))
    question = re.fullmatch(r"(lab\d+) (quiz|poll) (\w+)", name)
    if question:
        text = (book.ROOT / "labs" / question[1] / f"{question[2]}.yaml").read_text(encoding="utf-8")
        return re.search(rf"^  {question[3]}:$", text, re.MULTILINE) is not None
    target = re.fullmatch(r"make ((lab\d+)_(\w+))", name)
    if target and target[3] == "bench":
        return (book.ROOT / "labs" / target[2] / "bench.cc").exists()
    if target:
        return any((book.ROOT / "labs" / target[2] / "studies").glob(f"{target[3]}.cu"))
    command = re.fullmatch(r"warpgrade ([a-z-]+(?: [a-z]+)?)( lab\d+)?", name)
    if command:
        return command[1] in commands and (not command[2] or (book.ROOT / "labs" / command[2].strip()).is_dir())
    return "/" in name and (book.ROOT / name).exists()


def map_mistakes(text, commands):
    found = []
    section = text.split("\n## Where the labs teach what\n", 1)[-1].split("\n## ", 1)[0]
    rows = re.findall(r"^\| ([SE]\d+) \| ([^|]*) \| ([^|]*) \|$", section, re.MULTILINE)
    if [row[0] for row in rows] != ITEMS:
        missing = sorted(set(ITEMS) - {row[0] for row in rows})
        found.append(f"the rows must be S1 to S22 and E1 to E19, each once and in order; missing: {missing}")
    for item, _, where in rows:
        names = re.findall(r"`([^`]*)`", where)
        found += [f"{item}: there is no `{name}`" for name in names if not exists(name, commands)]
        if not names and "not yet" not in where:
            found.append(f"{item}: say where it is taught, or 'not yet'")
    return found


def study_mistakes(text, form, commands):
    """The studies that `text` does not name in `form`, such as "`warpgrade {}`"."""
    return [f"`warpgrade {name}` is in no table" for name in commands
            if name.startswith("study ") and form.format(name) not in text]


def glossary_mistakes(path):
    text = path.read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    for word in WORDS:
        section = sections.get(word)
        if section is None:
            yield f"there is no section '{word}'"
            continue
        if not re.search(r"^```\n", section, re.MULTILINE):
            yield f"{word} has no picture: a block without a language"
        if not re.search(r"^```sh( exit=\d+)?\n./warpgrade (run|occupancy) ", section, re.MULTILINE):
            yield f"{word} has no command that is run: a block ```sh with ./warpgrade run"
        if "```output" not in section:
            yield f"{word} does not show what its command prints"


def words_of_prose(path):
    """Without code blocks, and without the tables that tables_test.py makes."""
    lines = []
    for _, line in book.parse(path).prose:
        lines.append(line)
    text = re.sub(r"<!-- table:.*?<!-- end of table -->", "", "\n".join(lines), flags=re.DOTALL)
    return len(re.sub(r"\]\([^)]*\)", "]", text).replace("|", " ").split())


def plan_mistakes(path):
    headings = [line[3:] for _, line in book.parse(path).prose if line.startswith("## ")]
    parts = [part for heading in headings for part in PLAN if heading.startswith(part)]
    if parts != PLAN:
        yield f"its parts are {headings}; the plan is {PLAN}"
    count = words_of_prose(path)
    if count > MOST_WORDS:
        yield f"it has {count} words of prose; at most {MOST_WORDS} are allowed"


def main(arguments):
    commands, _ = names_test.help_text(pathlib.Path(arguments[0]).resolve())
    instructors = book.ROOT / "docs/instructors.md"
    glossary = book.ROOT / "labs/glossary/README.md"
    found = [f"{instructors}: {message}" for message in map_mistakes(instructors.read_text(encoding="utf-8"), commands)]
    students = book.ROOT / "docs/students.md"
    for page, form in [(instructors, "`warpgrade {}`"), (students, "| `./warpgrade {}` |")]:
        found += [f"{page}: {m}" for m in study_mistakes(page.read_text(encoding="utf-8"), form, commands)]
    found += [f"{glossary}: {message}" for message in glossary_mistakes(glossary)]
    for handout in sorted((book.ROOT / "labs").glob("lab*/README.md")):
        if not any(target.startswith("../glossary/README.md") for _, target in book.links(book.parse(handout))):
            found.append(f"{handout}: it has no link to the glossary")
        found += [f"{handout}: {message}" for message in plan_mistakes(handout)]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
