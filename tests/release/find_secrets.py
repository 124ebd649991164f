#!/usr/bin/env python3
"""Searches a folder that `warpgrade release` wrote for students for what they must not see.

    find_secrets.py FOLDER SOURCE_FOLDER

Prints a line for each secret that it finds, and exits with 1 if there is one. What is a secret comes from the source tree:
lines of solutions, of other right programs, of wrong programs and of hidden cases; their names; comments for the staff;
explanations of quiz answers. A line is no secret if a starter file or a document for students has it, too. Lines are
compared without blanks and without what may stand before them in a comment. So are the strings in programs.
"""
import re
import sys
from pathlib import Path

SHORTEST = 16  # shorter lines, without blanks, say too little: "__syncthreads();"


def key(line):
    """The line without blanks, and without the marks of a comment, a list or a diff before it."""
    return line.translate(None, b' \t\r\f\v').lstrip(b'/*#+-"\'')


def lines_of(paths):
    return {key(line) for path in paths for line in path.read_bytes().split(b'\n')}


def headers(source, name, found):
    """Adds the header, and those that it includes, to `found`."""
    if source / name not in found:
        found.add(source / name)
        for other in re.findall(r'^#include "(labs/[^"]+)"', (source / name).read_text(), re.M):
            headers(source, other, found)
    return found


def public_lines(source):
    """Lines that students may see because somebody wrote them for students."""
    documents = [source / 'docs' / name for name in ('students.md', 'pictures.md', 'emulator.md', 'timing.md')]
    return lines_of([*source.glob('starter/*/*'), *source.glob('labs/*/README.md'), *source.glob('labs/glossary/*'),
                     *source.glob('labs/*/quiz.yaml'), *source.glob('labs/*/poll.yaml'), *source.glob('labs/*/cases.yaml'),
                     *documents,
                     *(path for lab in source.glob('labs/lab[0-9]*')
                       for path in headers(source, f'labs/{lab.name}/{lab.name}.h', set()))])


def secret_lines(source):
    """From each secret line to the file that it is of."""
    public = public_lines(source)
    secrets = {}
    for pattern in ('solutions/*/*', 'labs/*/alternatives/*', 'labs/*/mutants/*', 'labs/*/studies/*.cu', 'labs/*/hidden.*',
                    'labs/*/tune.cu'):
        for path in sorted(source.glob(pattern)):
            if not path.is_file():
                continue
            for line in path.read_bytes().split(b'\n'):
                text = key(line)
                if len(text) >= SHORTEST and text not in public and not text.startswith(b'include'):
                    secrets.setdefault(text, f'{path.relative_to(source)}: {line.decode().strip()}')
    for line in (source / 'course.yaml').read_bytes().split(b'\n'):
        text = key(line)
        if line.lstrip().startswith(b'#') and len(text) >= 2 * SHORTEST:
            secrets.setdefault(text, f'course.yaml: {line.decode().strip()}')
    return secrets


def secret_words(source):
    """Names and strings, which may stand anywhere in a file."""
    words = {path.stem: f'a wrong program: {path.stem}' for path in source.glob('labs/*/mutants/*')
             if path.suffix in ('.cu', '.diff')}
    words.update({path.stem: f'another right program: {path.stem}' for path in source.glob('labs/*/alternatives/*.cu')})
    others = '\n'.join(path.read_text() for pattern in ('grader/**/*.cc', 'grader/**/*.h', 'labs/**/*.cc', 'labs/**/*.h')
                       for path in source.glob(pattern)
                       if not path.name.startswith(('explain_', 'hidden.', 'staff_edition')))
    names = set(re.findall(r'\w+', others)) - {'HiddenCases'}
    for path in source.glob('labs/*/hidden.cc'):
        for name in re.findall(r'^[\w:<>&* ]+ (\w+)\([^;]*\) \{', path.read_text(), re.M):
            if len(name) >= 8 and name not in names:
                words[name] = f'a function of {path.relative_to(source)}: {name}'
    for path in source.glob('grader/quiz/explain_*.cc'):
        for text in re.findall(r'"((?:[^"\\\n]|\\.)*)"', path.read_text()):
            if len(text) >= SHORTEST and text not in others and not text.startswith('grader/'):
                words[text] = f'an explanation in {path.relative_to(source)}: {text}'
    return {word.encode(): what for word, what in words.items()}


def search(folder, source):
    secrets, words = secret_lines(source), secret_words(source)
    if len(secrets) < 500 or len(words) < 50:
        return [f'{source}: only {len(secrets)} lines and {len(words)} words are secret; has this script gone blind?']
    found = []
    names = [str(path.relative_to(folder)) for path in folder.rglob('*')]
    for name in names:
        if re.search(r'(^|/)(solutions|mutants?|alternatives|studies|hidden)\b', name):
            found.append(f'{name}: no file or folder of this name may be here')
    for path in sorted(folder.rglob('*')):
        if not path.is_file() or path.is_relative_to(folder / '.git'):
            continue
        content, name = path.read_bytes(), path.relative_to(folder)
        for line in content.replace(b'\0', b'\n').split(b'\n'):
            if len(line) >= SHORTEST and key(line) in secrets:
                found.append(f'{name}: {secrets[key(line)]}')
        found += [f'{name}: {what}' for word, what in words.items() if word in content]
    return found


def main():
    found = search(Path(sys.argv[1]), Path(sys.argv[2]))
    for line in found:
        print(line)
    sys.exit(1 if found else 0)


main()
