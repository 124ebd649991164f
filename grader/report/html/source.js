// A source with its margin: what was counted at each line, and below a line what is to say of it.

// What the numbers beside the source are. `where`: what was counted.
const marginWords = (where) => `Beside each line of the source: what the emulator counted in ${where}. instr. %: the ` +
    "line's share of all warp instructions. load, store: how many sectors of 32 bytes a request of one warp to " +
    "global memory touches. turns: of shared memory, for each request. diverg. %: how many of its branches diverged.";
const kContext = 3;  // lines shown around a marked line

const colHead = ([text, className]) => withAttributes(make("th", className, text), [["scope", "col"]]);

// For each source on the page, what shows a line that is folded away: by the rung's id.
const unfolders = new Map();

function unfold(id, line) {
  unfolders.get(id)?.(line);
}

// The lines to show: [[first, last], ...], around every mark and picture, and around the lines in `shown`, if the rung
// has such a list. Without marks and such lines all lines.
function shownRanges(rung) {
  const shown = rung.shown ?? [];
  if (rung.marks.length === 0 && shown.length === 0) return [[1, rung.source.length]];
  const ranges = [];
  const marked = [...rung.marks, ...rung.pictures].map(({line}) => line);
  for (const line of [...marked, ...shown].sort((a, b) => a - b)) {
    const first = Math.max(1, line - kContext), last = Math.min(rung.source.length, line + kContext);
    const before = ranges[ranges.length - 1];
    // A fold of one or two lines would save nothing.
    if (before && first <= before[1] + 3) before[1] = Math.max(before[1], last);
    else if (first <= last) ranges.push([first, last]);
  }
  return ranges;
}

function sourceOf(rung, id) {
  const columns = rung.counters ? rung.counters.names : [];
  const counts = new Map((rung.counters ? rung.counters.lines : []).map(([line, ...values]) => [line, values]));
  const body = make("tbody", "");
  const folds = [];

  function addLine(line, before) {
    const marks = rung.marks.filter((mark) => mark.line === line);
    const worst = marks.find((mark) => mark.level === "error") || marks[0];
    const values = counts.get(line) || [];
    const row = make("tr", worst ? worst.level : "", rowHead(String(line)),
                     ...columns.map((_, column) => make("td", "count", values[column] ?? "")),
                     make("td", "code", rung.source[line - 1]));
    row.id = `line-${id}-${line}`;
    body.insertBefore(row, before);
    const addBelow = (className, child) => {
      const cell = make("td", "", child);
      cell.colSpan = columns.length + 1;
      body.insertBefore(make("tr", className, make("td", ""), cell), before);
    };
    for (const mark of marks) addBelow(`say ${mark.level}`, make("p", "", mark.text));
    for (const picture of rung.pictures.filter((one) => one.line === line)) addBelow("say", pictureOf(picture));
  }

  function addFold(first, last) {
    const button = make("button", "", first === last ? `line ${first}` : `lines ${first} to ${last}`);
    button.type = "button";
    button.setAttribute("aria-label", `Show ${first === last ? "line" : "lines"} ${first} to ${last}`);
    const cell = make("td", "", button);
    cell.colSpan = columns.length + 2;
    const row = make("tr", "fold", cell);
    const open = () => {
      for (let line = first; line <= last; ++line) addLine(line, row);
      row.remove();
    };
    button.addEventListener("click", open);
    folds.push({first, last, row, open});
    body.append(row);
  }

  let next = 1;
  for (const [first, last] of shownRanges(rung)) {
    if (first > next) addFold(next, first - 1);
    for (let line = first; line <= last; ++line) addLine(line, null);
    next = last + 1;
  }
  if (next <= rung.source.length) addFold(next, rung.source.length);
  const isIn = (fold, line) => fold.row.isConnected && fold.first <= line && line <= fold.last;
  unfolders.set(id, (line) => folds.find((fold) => isIn(fold, line))?.open());

  const heads = [["line", ""], ...columns.map((name) => [name, "count"]), [rung.file, ""]];
  const table = make("table", "source", make("caption", "hidden", `Source of ${rung.name}`),
                     make("thead", "", make("tr", "", ...heads.map(colHead))), body);
  return scrolling(`Source of ${rung.name}`, table, "source-frame");
}
