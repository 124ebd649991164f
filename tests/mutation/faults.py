"""Makes faulty kernels from right ones: one barrier, mask, bound, wait, fence or atomic removed, moved or weakened.

faults_of(text) lists the faults that a source has room for. A Fault knows its line, what findings would name it, and
the source with the fault in it. The line numbers of the source stay as they are.
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
    places: tuple  # (first, last) lines: the finding's line, or that of a race's other access, must be in one of them
    in_device_code: bool  # the host's code is as it was

    @property
    def faulty_line(self):
        """The line with the fault, without its comment."""
        return self.source.split("\n")[self.line - 1].split("//")[0].strip()


def _blank_comments(text):
    """The text with comments and string literals replaced by blanks of the same length."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def _device_functions(code):
    """{(start, end) of the body: name} of __global__ and __device__ functions."""
    bodies = {}
    for match in re.finditer(r"\b__(?:global|device)__\b", code):
        open_brace, semicolon = code.find("{", match.end()), code.find(";", match.end())
        if open_brace < 0 or 0 <= semicolon < open_brace:
            continue
        depth = 0
        for at in range(open_brace, len(code)):
            depth += {"{": 1, "}": -1}.get(code[at], 0)
            if depth == 0:
                names = re.findall(r"\b(?!__)(\w+)\s*\(", code[match.end():open_brace])
                bodies[open_brace, at] = names[0] if names else "none"
                break
    return bodies


class _Source:
    def __init__(self, text):
        self.text, self.code = text, _blank_comments(text)
        self.names = _device_functions(self.code)
        self.bodies = sorted(self.names)

    def line(self, at):
        return self.text.count("\n", 0, at) + 1

    def body_of(self, at):
        return next(((a, b) for a, b in self.bodies if a < at < b), None)

    def fault(self, kind, start, end, replacement, expected, places=None):
        return Fault(kind, self.line(start), self.text[:start] + replacement + self.text[end:], expected,
                     places or ((1, self.text.count("\n") + 1),), self.is_device_code(start))

    def is_device_code(self, at):
        """The place is in a device function that is not a host function, too."""
        body = self.body_of(at)
        if not body:
            return False
        declared_from = max(self.code.rfind(end, 0, body[0]) for end in ";}")
        return "__host__" not in self.code[declared_from + 1:body[0]]

    def kernel_lines(self, at):
        """(first, last) lines of the device function at this place, its callers, and the functions that these call.

        A fault may show there: the other side of a barrier, or the use of a wrong index that was handed on. Empty: the
        place is in no device function.
        """
        bodies = {self.body_of(at)} - {None}
        bodies = self._closure(bodies, lambda body, known: self._calls(body, known))
        bodies = self._closure(bodies, lambda body, known: self._calls(known, body))
        return tuple((self.line(a), self.line(b)) for a, b in sorted(bodies))

    def _closure(self, bodies, belongs):
        while more := {b for b in self.bodies if b not in bodies and any(belongs(b, k) for k in bodies)}:
            bodies = bodies | more
        return bodies

    def _calls(self, caller, callee):
        call = rf"\b{self.names[callee]}\b(?:<[^;()]*>)?(?:\s+\w+)?[({{]"
        return re.search(call, self.code[caller[0]:caller[1]]) is not None


BARRIER = re.compile(r"__syncthreads\(\);|\b\w*block\w*\.sync\(\);|cg::sync\(\w+\);")
WARP_BARRIER = re.compile(r"__syncwarp\([^;]*\);|\b(?:warp|tile)\w*\.sync\(\);")
MASK = re.compile(r"\b(?:0xffffffffu?|0xFFFFFFFFu?|kAllLanes|kFullMask|kAll)\b(?=\s*,)")
COMPARISON = re.compile(r"(?<=[\w\])]) < (?=[\w(])")
GUARD = re.compile(r"\bif \((?=[^\n]*<)")
WAITS = r"cuda(?:StreamWaitEvent|EventSynchronize|StreamSynchronize|DeviceSynchronize)\([^;]*"
WAIT = re.compile(rf"(?:\w+\()?{WAITS}\)\)?;|\bCheck\({WAITS};")
FENCE = re.compile(r"__threadfence(?:_block)?\(\);")
COPY_WAIT = re.compile(r'asm volatile\("cp\.async\.wait_[^\n]*\);|__pipeline_wait_prior\([^;]*\);')
ATOMIC = re.compile(r"\batomicAdd\(&([\w\[\].\->+* ]+), ([^;]+)\);")
SIMPLE_LINE = re.compile(r"^\s*[\w*&\[\].\->]+[^;{}()]*(?:\([^;{}]*\))?[^;{}]*;\s*$")

NOT_SWAPPED = re.compile(r"\s*(?:return|break|continue|const|auto|int|float|unsigned|__shared__)\b")


def _removed(source, pattern, kind, expected, text=None):
    for match in pattern.finditer(text or source.code):
        places = source.kernel_lines(match.start())
        if places:
            yield source.fault(kind, match.start(), match.end(), ";", expected, places)


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
            if not 0 <= other < len(code) or not SIMPLE_LINE.match(code[other]):
                continue
            if pattern.fullmatch(code[other].strip()) or NOT_SWAPPED.match(code[other]):
                continue
            swapped = list(lines)
            swapped[number], swapped[other] = lines[other], lines[number]
            places = source.kernel_lines(starts[number])
            yield Fault(kind, number + 1, "\n".join(swapped), expected, places,
                        source.is_device_code(starts[number]))


def faults_of(text):
    """All faults that this source has room for, in the order of their kinds and lines."""
    source = _Source(text)
    found = list(_removed(source, BARRIER, "barrier removed", ORDER))
    found += _moved(source, BARRIER, "barrier moved", ORDER)
    found += _removed(source, WARP_BARRIER, "warp barrier removed", ORDER)
    found += _removed(source, COPY_WAIT, "copy wait removed", ORDER, source.text)  # PTX stands in a string
    found += _removed(source, FENCE, "fence removed", RACES)
    for match in MASK.finditer(source.code):
        places = source.kernel_lines(match.start())
        if places:
            found.append(source.fault("half a mask", match.start(), match.end(), "0xffffu", MASKS, places))
    for match in COMPARISON.finditer(source.code):
        places = source.kernel_lines(match.start())
        if places:
            found.append(source.fault("bound one too far", match.start(), match.end(), " <= ", BOUNDS, places))
    for match in GUARD.finditer(source.code):
        places = source.kernel_lines(match.start())
        if places:
            found.append(source.fault("guard removed", match.start(), match.end(), "if (true || ", BOUNDS, places))
    for match in ATOMIC.finditer(source.code):
        line = source.line(match.start())
        if source.body_of(match.start()):
            target, value = source.text[match.start(1):match.end(1)], source.text[match.start(2):match.end(2)]
            found.append(source.fault("atomic made plain", match.start(), match.end(), f"{target} += {value};", RACES,
                                      ((line, line),)))
    for match in WAIT.finditer(source.code):
        if not source.body_of(match.start()):
            is_a_call = match.group(0).startswith("cuda")  # `error = cudaDeviceSynchronize();` needs a value
            found.append(source.fault("wait removed", match.start(), match.end(), "cudaSuccess;" if is_a_call else ";",
                                      STREAMS))
    return found
