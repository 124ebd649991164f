"""Makes faulty kernels from right ones: one barrier, mask, bound, wait, fence or atomic removed, moved or weakened.

faults_of(text) lists the faults that a source has room for. A Fault knows its line, what findings would name it, and the
source with the fault in it. The line numbers of the source stay as they are.
"""
import re
from dataclasses import dataclass

RACES = frozenset({"shared-race", "global-race", "unordered-volatile"})
ORDER = RACES | {"uninitialised-read", "deadlock", "barrier-divergence"}
BOUNDS = RACES | {"out-of-bounds", "uninitialised-read", "use-after-free", "misaligned", "deadlock", "endless-loop",
                  "barrier-divergence", "wrong-member-mask", "stack-overflow", "invalid-copy"}
MASKS = RACES | {"wrong-member-mask", "deadlock", "uninitialised-read"}
STREAMS = frozenset({"stream-race", "host-race", "global-race", "use-after-free", "uninitialised-read"})


@dataclass(frozen=True)
class Fault:
    kind: str  # "barrier removed"
    line: int  # from 1
    source: str
    expected: frozenset  # names of finding kinds; one of them is the right one
    first: int  # the finding's line, or the line of a race's other access, must be in first..last
    last: int


def _blank_comments(text):
    """The text with comments and string literals replaced by blanks of the same length."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def _device_functions(code):
    """(start, end) offsets of the bodies of __global__ and __device__ functions."""
    bodies = []
    for match in re.finditer(r"\b__(?:global|device)__\b", code):
        open_brace, semicolon = code.find("{", match.end()), code.find(";", match.end())
        if open_brace < 0 or 0 <= semicolon < open_brace:
            continue
        depth = 0
        for at in range(open_brace, len(code)):
            depth += {"{": 1, "}": -1}.get(code[at], 0)
            if depth == 0:
                bodies.append((open_brace, at))
                break
    return bodies


class _Source:
    def __init__(self, text):
        self.text, self.code = text, _blank_comments(text)
        self.bodies = _device_functions(self.code)

    def line(self, at):
        return self.text.count("\n", 0, at) + 1

    def body_of(self, at):
        return next(((a, b) for a, b in self.bodies if a < at < b), None)

    def fault(self, kind, start, end, replacement, expected, place=None):
        first, last = place or (1, self.text.count("\n") + 1)
        return Fault(kind, self.line(start), self.text[:start] + replacement + self.text[end:], expected, first, last)

    def function_lines(self, at):
        body = self.body_of(at)
        return (self.line(body[0]), self.line(body[1])) if body else None


BARRIER = re.compile(r"__syncthreads\(\);|\b\w*block\w*\.sync\(\);|cg::sync\(\w+\);")
WARP_BARRIER = re.compile(r"__syncwarp\([^;]*\);|\b(?:warp|tile)\w*\.sync\(\);")
MASK = re.compile(r"\b(?:0xffffffffu?|0xFFFFFFFFu?|kAllLanes|kFullMask|kAll)\b(?=\s*,)")
COMPARISON = re.compile(r"(?<=[\w\])]) < (?=[\w(])")
GUARD = re.compile(r"\bif \((?=[^\n]*<)")
WAIT = re.compile(r"(?:\w+\()?cuda(?:StreamWaitEvent|EventSynchronize|StreamSynchronize|DeviceSynchronize)\([^;]*\)\)?;|"
                  r"\bCheck\(cuda(?:StreamWaitEvent|EventSynchronize|StreamSynchronize|DeviceSynchronize)\([^;]*;")
FENCE = re.compile(r"__threadfence(?:_block)?\(\);")
COPY_WAIT = re.compile(r'asm volatile\("cp\.async\.wait_[^\n]*\);|__pipeline_wait_prior\([^;]*\);')
ATOMIC = re.compile(r"\batomicAdd\(&([\w\[\].\->+* ]+), ([^;]+)\);")
SIMPLE_LINE = re.compile(r"^\s*[\w*&\[\].\->]+[^;{}()]*(?:\([^;{}]*\))?[^;{}]*;\s*$")


def _removed(source, pattern, kind, expected, text=None):
    for match in pattern.finditer(text or source.code):
        place = source.function_lines(match.start())
        if place:
            yield source.fault(kind, match.start(), match.end(), ";", expected, place)


def _moved(source, pattern, kind, expected):
    """The barrier changes places with the simple statement on the line before or after it."""
    lines, code = source.text.split("\n"), source.code.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for number, line in enumerate(code):
        if not pattern.fullmatch(line.strip()) or not source.body_of(starts[number]):
            continue
        for other in (number - 1, number + 1):
            if not 0 <= other < len(code) or not SIMPLE_LINE.match(code[other]) or pattern.fullmatch(code[other].strip()):
                continue
            if re.match(r"\s*(?:return|break|continue|const|auto|int|float|unsigned|__shared__)\b", code[other]):
                continue
            swapped = list(lines)
            swapped[number], swapped[other] = lines[other], lines[number]
            first, last = source.function_lines(starts[number])
            yield Fault(kind, number + 1, "\n".join(swapped), expected, first, last)


def faults_of(text):
    """All faults that this source has room for, in the order of their kinds and lines."""
    source = _Source(text)
    found = list(_removed(source, BARRIER, "barrier removed", ORDER))
    found += _moved(source, BARRIER, "barrier moved", ORDER)
    found += _removed(source, WARP_BARRIER, "warp barrier removed", ORDER)
    found += _removed(source, COPY_WAIT, "copy wait removed", ORDER, source.text)  # PTX stands in a string
    found += _removed(source, FENCE, "fence removed", RACES)
    for match in MASK.finditer(source.code):
        place = source.function_lines(match.start())
        if place:
            found.append(source.fault("half a mask", match.start(), match.end(), "0xffffu", MASKS, place))
    for match in COMPARISON.finditer(source.code):
        place = source.function_lines(match.start())
        if place:
            found.append(source.fault("bound one too far", match.start(), match.end(), " <= ", BOUNDS, place))
    for match in GUARD.finditer(source.code):
        place = source.function_lines(match.start())
        if place:
            found.append(source.fault("guard removed", match.start(), match.end(), "if (true || ", BOUNDS, place))
    for match in ATOMIC.finditer(source.code):
        line = source.line(match.start())
        if source.body_of(match.start()):
            target, value = source.text[match.start(1):match.end(1)], source.text[match.start(2):match.end(2)]
            found.append(source.fault("atomic made plain", match.start(), match.end(), f"{target} += {value};", RACES,
                                      (line, line)))
    for match in WAIT.finditer(source.code):
        if not source.body_of(match.start()):
            found.append(source.fault("wait removed", match.start(), match.end(), ";", STREAMS))
    return found
