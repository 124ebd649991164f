"""Every relative link of every Markdown file leads to a file that is there, and to a heading that is there.

links_test.py              all Markdown files of the tree
links_test.py FILE...      these files
"""

import pathlib
import sys
import urllib.parse

import book


def broken_links(path):
    document = book.parse(path)
    for line, target in book.links(document):
        if "://" in target or target.startswith("mailto:"):
            continue
        name, _, anchor = target.partition("#")
        aim = (path.parent / urllib.parse.unquote(name)).resolve() if name else path
        if not aim.exists():
            yield f"{document.path}:{line}: the link {target} leads nowhere: there is no {aim}"
        elif anchor and aim.suffix == ".md" and anchor not in book.anchors(book.parse(aim)):
            yield f"{document.path}:{line}: the link {target} leads nowhere: {aim.name} has no heading #{anchor}"


def main(arguments):
    given = [pathlib.Path(argument).resolve() for argument in arguments]
    paths = given or [path for path in book.source_files() if path.suffix == ".md"]
    broken = [message for path in paths for message in broken_links(path)]
    print("\n".join(broken))
    return 1 if broken or not paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
