"""Everything in backticks in the book is there: files and folders, options of the kit's commands, and names of the code.

    names_test.py BUILD_DIR              all documents
    names_test.py BUILD_DIR FILE...      these documents

What a name is follows from its form:

    --csv, -j                  an option: some command's --help has it, or outside_names.txt
    labs/labN/quiz.yaml        a path, in the tree or beside the document; capital letters (LAB, labN) stand for anything
    warpgrade quiz LAB         a command of the kit, and the options in it
    `shared_bank_conflicts`    anything else: each of its words occurs in the source

A name that a code block of the same document uses is known too: it is made there (marks.csv) or shown there. What comes
from elsewhere, such as CUDA's and other tools' names, stands in outside_names.txt.
"""

import fnmatch
import os
import pathlib
import re
import subprocess
import sys

import book

# Where a name may come from. Documents are not among them, or they would prove themselves.
NAMED_IN = ["grader", "hip", "labs", "starter", "solutions", "cmake", "tests", ".ci"]
NAMED_IN_FILES = ["CMakeLists.txt", "CMakePresets.json", "course.yaml", "Makefile", "warpgrade", ".clang-tidy"]
EXTENSIONS = ("cc|cmake|csv|cu|cuh|def|h|html|json|md|py|sh|txt|xml|yaml|zip|gz|so|a|cubin|ptx|svg").split("|")
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")


def help_text(build):
    """The commands, also those below others ("plot shmoo"), and what all of them say when they are asked for help."""
    program = str(build / "bin/warpgrade")

    def ask(*command):
        return subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True).stdout

    def commands_in(text):
        listed = text.split("SUBCOMMANDS", 1)[-1].split("Subcommands:", 1)[-1]
        return re.findall(r"^  ([a-z][a-z-]*)  ", listed, re.MULTILINE)

    overview = ask()
    commands = commands_in(overview)
    if not commands:
        raise ValueError(f"no commands in this help, so nothing can be compared with it:\n{overview}")
    texts, lower = [overview], []
    for command in commands:
        texts.append(ask(command))
        if "Subcommands:" in texts[-1]:
            below = commands_in(texts[-1])
            texts += [ask(command, name) for name in below]
            lower += [f"{command} {name}" for name in below]
    return commands + lower, "".join(texts)


class Known:
    """All names that there are."""

    def __init__(self, build):
        self.commands, text = help_text(build)
        self.options = set(OPTION.findall(text))
        launcher = (book.ROOT / "warpgrade").read_text(encoding="utf-8")
        self.options |= {option for option in OPTION.findall(launcher) if option.startswith("--no-install")}
        self.commands.append("test")  # the launcher's
        self.paths = {str(path.relative_to(book.ROOT)) for path in book.source_files()}
        self.paths |= {str(parent) for path in self.paths for parent in pathlib.PurePath(path).parents}
        self.words = set()
        for path in self.paths:
            if self.names_things(path):
                self.words |= set(WORD.findall((book.ROOT / path).read_text(encoding="utf-8", errors="ignore")))
            self.words |= set(WORD.findall(path))
        outside = pathlib.Path(__file__).with_name("outside_names.txt").read_text(encoding="utf-8")
        self.outside = {line for line in outside.split("\n") if line and not line.startswith("#")}

    def names_things(self, path):
        if path.endswith(".md") or path.startswith("tests/docs/") or not (book.ROOT / path).is_file():
            return False
        return path in NAMED_IN_FILES or path.split("/")[0] in NAMED_IN

    def has_path(self, name, beside):
        pattern = re.sub(r"<[^>]*>|\b[A-Z]{2,}\b|(?<=[a-z])[NK](?![A-Za-z])", "*", name.removeprefix("./").rstrip("/"))
        candidates = [pattern, os.path.normpath(os.path.join(os.path.relpath(beside, book.ROOT), pattern))]
        # A file may be named without its folder where it is meant wherever it lies: answers.yaml.
        if "/" not in pattern:
            candidates.append(f"*/{pattern}")
        return any(fnmatch.fnmatch(path, candidate) for candidate in candidates for path in self.paths)


def looks_like_path(name):
    if re.search(r"[\s=(){}\[\]|]|::|//", name) or name.startswith(("-", "<")):
        return False
    return "/" in name.rstrip("/")[1:] or name.endswith("/") or name.rsplit(".", 1)[-1] in EXTENSIONS and "." in name


def unknown_part(name, document, known, in_blocks):
    """The part of `name` that is not there, or None."""
    if name in known.outside or name in in_blocks:
        return None
    for option in OPTION.findall(name):
        if option not in known.options and option not in known.outside and option not in in_blocks:
            return option
    command = re.match(r"^(?:\./)?warpgrade ([a-z][a-z-]*)", name)
    if command:
        return None if command[1] in known.commands else command[1]
    if looks_like_path(name):
        return None if known.has_path(name, document.path.parent) else name
    for word in WORD.findall(OPTION.sub(" ", name)):
        is_placeholder = OPTION.match(name) and word.isupper()  # --csv FILE
        if not is_placeholder and word not in known.words and word not in known.outside and not re.search(rf"\b{word}\b", in_blocks):
            return word
    return None


def unknown_names(path, known):
    document = book.parse(path)
    in_blocks = "\n".join(block.text for block in document.blocks)
    for line, name in book.names(document):
        part = unknown_part(name, document, known, in_blocks)
        if part:
            yield f"{path}:{line}: `{name}`: there is no {part}"


def main(arguments):
    known = Known(pathlib.Path(arguments[0]).resolve())
    paths = [pathlib.Path(argument).resolve() for argument in arguments[1:]] or book.chapters()
    unknown = [message for path in paths for message in unknown_names(path, known)]
    print("\n".join(unknown))
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
