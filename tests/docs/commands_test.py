"""Runs the command blocks of a document, and compares what they print with what the document says they print.

    commands_test.py BUILD_DIR DOCUMENT...            fails when a command fails or prints something else
    commands_test.py BUILD_DIR DOCUMENT... --rebase   writes what was printed into the documents, without the lines
                                                      that "..." stands for

In a document

    ```sh                     is run by bash in a copy of the tree, with the kit of BUILD_DIR in its build/; it must
                              exit with 0
    ```sh exit=86             must exit with 86
    ```sh no-test: REASON     is not run
    ```output                 lines that the block before it must print, in this order and without others between them.
                              A line "..." stands for any number of lines, and "..." in a line for any text

and <!-- test setup: COMMANDS --> is run at its place: it makes what the reader is said to have. The copy is made anew
for each document and is kept for its whole length, so that a block may use what one before it made.
"""

import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys

import book

# What a block can use. The tests are left out, but for the files that the documents' setups take.
COPIED = ["BENCHMARKS.md", "CHANGELOG.md", "cmake", "course.yaml", "CMakeLists.txt", "grader", "hip", "labs", "Makefile",
          "README.md", "solutions", "starter", "tests/docs", "warpgrade"]


WRONG_OUTPUT = "this is not what the commands print, which is:"


def copy_tree(build, tree):
    """A source tree at `tree` whose launcher finds the kit built, with the course, labs and files of the copy."""
    shutil.rmtree(tree, ignore_errors=True)
    for name in COPIED:
        source, target = book.ROOT / name, tree / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, target)
    for folder in ["bin", "share/warpgrade"]:
        (tree / "build" / folder).mkdir(parents=True)
    shutil.copy2(build / "bin/warpgrade", tree / "build/bin/warpgrade")
    kit = (build / "share/warpgrade/kit.yaml").read_text()
    for name in ["labs", "course.yaml", "solutions", "starter"]:
        kit = kit.replace(f'"{book.ROOT / name}"', f'"{tree / name}"')
    kit = kit.replace(f'include: ["{book.ROOT}"]', f'include: ["{tree}"]')
    (tree / "build/share/warpgrade/kit.yaml").write_text(kit)
    (tree / "build/.warpgrade-built").touch()  # last: the launcher takes what is newer for a change


def environment(tree):
    """Without a GPU and without colours, and in UTF-8, so that the same is printed on every machine."""
    variables = dict(os.environ, CUDA_VISIBLE_DEVICES="", NO_COLOR="1", WARPGRADE_INSTALL="no", USER="ada",
                     LC_ALL="C.UTF-8")
    variables["WARPGRADE_AUTOGRADER_FOR_THIS_MACHINE"] = "1"  # an autograder for others would compile the kit anew
    for name in ["WARPGRADE_BUILD_DIR", "WARPGRADE_KIT", "WARPGRADE_DEVICE_AS"]:
        variables.pop(name, None)
    return variables


def run(script, tree):
    """(exit status, what it printed, standard error included)."""
    done = subprocess.run(["bash", "-eo", "pipefail", "-c", script], cwd=tree, env=environment(tree),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", errors="replace", check=False)
    return done.returncode, done.stdout


def line_pattern(line):
    return ".*".join(re.escape(part) for part in line.rstrip().split("..."))


def prints(expected, printed):
    """Whether the lines `expected` stand together in `printed`."""
    pattern = "".join("(?:.*\n)*?" if line.strip() == "..." else line_pattern(line) + "[ ]*\n"
                      for line in expected.split("\n")[:-1])
    return re.search("^" + pattern, printed, re.MULTILINE) is not None


def expected_status(info):
    status = re.search(r"\bexit=(\d+)", info)
    return int(status[1]) if status else 0


def mistakes(document, tree):
    """Runs every block. A message for each that is not as the document says, and what the output blocks should be."""
    found, outputs = [], {}
    printed = None
    for block in document.blocks:
        place = f"{document.path}:{block.line}"
        if block.language == "output":
            if printed is None:
                found.append(f"{place}: no command that was run comes before this output")
            elif not prints(block.text, printed):
                found.append(f"{place}: {WRONG_OUTPUT}\n{printed}")
                outputs[block.line] = printed
        elif block.language == "setup":
            status, said = run(block.text, tree)
            if status != 0:
                found.append(f"{place}: the test setup exits with {status}:\n{said}")
        elif block.language != "sh":
            continue
        elif "no-test" in block.info:
            printed = None
            if not re.search(r"no-test: \S", block.info):
                found.append(f"{place}: say why this block is not run: no-test: REASON")
        else:
            status, printed = run(block.text, tree)
            if status != expected_status(block.info):
                found.append(f"{place}: exits with {status}, not {expected_status(block.info)}:\n{printed}")
    return found, outputs


def aligned(expected, printed):
    """For each expected line the index of the printed line that it has become, or None. In order, most alike in all."""
    best = [[0.0] * (len(printed) + 1) for _ in range(len(expected) + 1)]
    alike = [[difflib.SequenceMatcher(None, old, new).ratio() for new in printed] for old in expected]
    for i in range(len(expected) - 1, -1, -1):
        for j in range(len(printed) - 1, -1, -1):
            pair = alike[i][j] + best[i + 1][j + 1] if alike[i][j] > 0.5 else 0
            best[i][j] = max(pair, best[i + 1][j], best[i][j + 1])
    places, j = [], 0
    for i in range(len(expected)):
        while j < len(printed) and best[i][j] == best[i][j + 1]:
            j += 1
        takes = j < len(printed) and best[i][j] != best[i + 1][j]
        places.append(j if takes else None)
        j += 1 if takes else 0
    return places


def rebased(expected, printed):
    """The lines of `printed` that an output block with the lines `expected` shows now; all, where none is like them."""
    shown = [line for line in expected if line.strip() != "..."]
    places = iter(aligned(shown, printed))
    lines, next_line, leaves_out = [], None, False
    for line in expected:
        if line.strip() == "...":
            leaves_out = True
            continue
        place = next(places)
        if place is None:
            continue
        if leaves_out and lines:
            lines += ["..."] if place > next_line else []
        elif next_line is not None:
            lines += printed[next_line:place]
        lines.append(printed[place])
        next_line, leaves_out = place + 1, False
    if not lines:
        return printed
    return lines + (["..."] if expected[-1].strip() == "..." else [])


def rebase(document, outputs):
    """Puts what was printed into the output blocks that were wrong."""
    lines = document.path.read_text(encoding="utf-8").split("\n")
    for block in reversed(document.blocks):
        if block.line in outputs:
            printed = [line.rstrip() for line in outputs[block.line].rstrip("\n").split("\n")]
            expected = block.text.split("\n")[:-1]
            lines[block.line : block.line + len(expected)] = rebased(expected or [""], printed)
    document.path.write_text("\n".join(lines), encoding="utf-8")


def check(build, path, wants_rebase):
    """The messages of what is wrong. With wants_rebase, wrong output is written into the document and is none."""
    document = book.parse(path)
    # The same path each time, so that messages with a path are the same. Every handout is called README.md.
    tree = build / "tests/docs/trees" / (path.parent.name if path.parent.parent == book.ROOT / "labs" else path.stem)
    if any(block.language in ("sh", "setup") and "no-test" not in block.info for block in document.blocks):
        copy_tree(build, tree)
    found, outputs = mistakes(document, tree)
    if wants_rebase:
        rebase(document, outputs)
        for line in outputs:
            print(f"{document.path}:{line}: wrote what the commands print; `git diff` shows the change")
        found = [message for message in found if WRONG_OUTPUT not in message]
    shutil.rmtree(tree, ignore_errors=True)
    return found


def main(arguments):
    wants_rebase = "--rebase" in arguments
    build, *paths = [pathlib.Path(argument).resolve() for argument in arguments if argument != "--rebase"]
    found = [message for path in paths for message in check(build, path, wants_rebase)]
    print("\n".join(found))
    return 1 if found or not paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
