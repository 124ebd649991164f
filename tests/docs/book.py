"""Reads the book: README.md, docs/*.md and the other Markdown files of the tree.

Used by links_test.py, names_test.py and commands_test.py. A document is split into code blocks and prose; the prose has
links, headings and names in backticks. Only the part of Markdown that the book uses is understood.
"""

import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Folders of the root that hold no source: they are never searched.
NOT_SOURCE = {".git", ".warpgrade", "build", "Testing"}


@dataclasses.dataclass
class Block:
    """A fenced code block. `info` is what stands after the opening fence: "sh", "output", "cpp" ...

    A comment "<!-- test setup: COMMANDS -->" is a block too, with the info "setup". The reader does not see it.
    """

    info: str
    line: int  # of its first line, from 1
    text: str

    @property
    def language(self):
        return self.info.split(" ")[0]


@dataclasses.dataclass
class Document:
    path: pathlib.Path
    blocks: list
    prose: list  # (line number, text) without the blocks


def is_source(path):
    first = path.relative_to(ROOT).parts[0]
    return first not in NOT_SOURCE and not first.startswith("build-") and "__pycache__" not in path.parts


def source_files():
    """Every file of the tree that a person wrote, also those that git does not know yet."""
    pending = [ROOT]
    while pending:
        for path in sorted(pending.pop().iterdir()):
            if path.is_symlink() or not is_source(path):
                continue
            if path.is_dir():
                pending.append(path)
            elif path.is_file():
                yield path


def chapters():
    """The documents whose names are checked."""
    fixed = ["README.md", "BENCHMARKS.md", "grader/emulator/README.md"]
    return [ROOT / name for name in fixed] + sorted((ROOT / "docs").glob("*.md"))


SETUP = "<!-- test setup:"


def parse(path):
    blocks, prose, lines = [], [], []
    first = fence = info = None  # of the block that has begun: where, what ends it, what it is
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        opening = re.match(r"^\s*(```+)(.*)$", line)
        if fence is None and line.startswith(SETUP):
            first, fence, info, lines, line = number, "-->", "setup", [], line[len(SETUP) :]
        elif fence is None and opening:
            first, fence, info, lines = number, opening[1], opening[2].strip(), []
            continue
        if fence is None:
            prose.append((number, line))
        elif line.strip() == fence or info == "setup" and line.endswith(fence):
            if info == "setup":
                lines.append(line.removesuffix(fence))
            blocks.append(Block(info, first, "".join(text + "\n" for text in lines)))
            fence = None
        else:
            lines.append(line)
    if fence is not None:
        raise ValueError(f"{path}:{first}: this block has no end")
    return Document(path, blocks, prose)


def without_code(text):
    return re.sub(r"(`+)(?:(?!\1).)+\1", "", text)


def anchors(document):
    """The anchors of its headings, made as GitHub makes them."""
    found = set()
    for _, line in document.prose:
        heading = re.match(r"^#{1,6}\s+(.*?)\s*#*$", line)
        if not heading:
            continue
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).replace("`", "").lower()
        anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        unique, count = anchor, 0
        while unique in found:
            count += 1
            unique = f"{anchor}-{count}"
        found.add(unique)
    return found


def links(document):
    """(line, target) of every [text](target) and [text]: target."""
    for number, line in document.prose:
        text = without_code(line)
        for match in re.finditer(r"\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)", text):
            yield number, match[1]
        reference = re.match(r"^\s*\[[^\]]+\]:\s*(\S+)", text)
        if reference:
            yield number, reference[1]


def paragraphs(document):
    """(first line number, text) of the prose. A row of a table is a paragraph of its own."""
    first, lines = 0, []
    for number, line in document.prose + [(0, "")]:
        ends = not line.strip() or line.startswith(("|", "#")) or (lines and number != first + len(lines))
        if ends and lines:
            yield first, "\n".join(lines)
            lines = []
        if line.strip():
            first, lines = (first, lines + [line]) if lines else (number, [line])


def names(document):
    """(line, name) of everything in backticks outside of code blocks. A name may go over the end of a line."""
    for number, text in paragraphs(document):
        for match in re.finditer(r"(`+)((?:(?!\1).)+)\1", text, re.DOTALL):
            yield number + text.count("\n", 0, match.start()), re.sub(r"\s+", " ", match[2]).strip()
