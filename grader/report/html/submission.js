// The page of one submission: its points, then for each lab the ladder, and for each rung what is wrong and the source.

// What the numbers beside the source are.
const kMargin = "Beside each line of the source: what the emulator counted in the case for technique. instr. %: the " +
    "line's share of all warp instructions. load, store: how many sectors of 32 bytes a request of one warp to " +
    "global memory touches. turns: of shared memory, for each request. diverg. %: how many of its branches diverged.";
const kContext = 3;  // lines shown around a marked line

const colHead = ([text, className]) => withAttributes(make("th", className, text), [["scope", "col"]]);
const pointsText = ([got, most]) => `${number(got)} / ${number(most)}`;
const toneOf = (rung) => (rung.state !== "good" ? rung.state : rung.points[0] < rung.points[2] ? "part" : "good");

function showPoints(main) {
  const [got, most, here] = data.points;
  const items = [];
  if (data.finished) {
    items.push(figureItem(`${number(got)} / ${number(most)}`, "points"));
    if (here < most) items.push(figureItem(`${number(got)} / ${number(here)}`, "of what can be measured here"));
  } else {
    items.push(figureItem("–", "not finished, so there is no sum of points"));
  }
  main.append(make("ul", "figures", ...items));
  for (const note of data.notes) main.append(make("div", "note bad", note));
}

function showLabs(main) {
  const table = makeTable("Points of each lab", [
    {head: "lab", cell: (lab) => {
      const link = make("a", "", `${lab.name} ${lab.title}`);
      link.href = `#lab-${data.labs.indexOf(lab)}`;
      return rowHead(link);
    }},
    {head: "points", number: true, cell: (lab) => make("td", "number", pointsText(lab.points))},
  ], false);
  table.show(data.labs);
  main.append(scrolling("Points of each lab", table.element));
}

// ---- a lab --------------------------------------------------------------------------------------------------------

function ladderChart(lab) {
  const lost = ([got, , here]) => Math.max(0, here - got);
  const notHere = ([, most, here]) => Math.max(0, most - here);
  const series = [
    {label: "points", tone: "got", values: lab.rungs.map((rung) => rung.points[0])},
    {label: "lost", tone: "lost", values: lab.rungs.map((rung) => lost(rung.points))},
    {label: "not measured here", tone: "unmeasured", values: lab.rungs.map((rung) => notHere(rung.points))},
  ].filter(({values}, index) => index === 0 || values.some((value) => value > 0));
  return barChart({
    label: `Points of each rung of ${lab.name}; the table below has the numbers`,
    labels: lab.rungs.map((rung) => rung.name),
    series,
    horizontal: true,
    height: 80 + 30 * lab.rungs.length,
    title: "points",
  });
}

function limitsCell(rung) {
  const cell = make("td", "");
  for (const limit of rung.limits) {
    const [tone, sign] = limit.passed ? ["good", "ok "] : ["part", "MISS "];
    cell.append(make("div", "", make("span", tone, sign), limit.text));
  }
  return cell;
}

function showLab(main, lab, labIndex) {
  const section = make("section", "");
  main.append(section);
  const head = make("h2", "", `${lab.name} ${lab.title} `, make("span", "quiet", pointsText(lab.points)));
  head.id = `lab-${labIndex}`;
  section.append(head);
  if (lab.rungs.length === 0) return;
  section.append(ladderChart(lab));
  const table = makeTable(`The ladder of ${lab.name}`, [
    {head: "rung", cell: (rung) => {
      const link = make("a", "", rung.name);
      link.href = `#rung-${labIndex}-${lab.rungs.indexOf(rung)}`;
      return rowHead(link);
    }},
    {head: "correct", cell: (rung) => make("td", rung.state, rung.correct)},
    {head: "technique", cell: limitsCell},
    {head: "throughput", cell: (rung) => make("td", "", rung.speed)},
    {head: "points", number: true, cell: (rung) => make("td", "number", pointsText(rung.points))},
  ], false, "ladder");
  table.show(lab.rungs);
  section.append(scrolling(`The ladder of ${lab.name}`, table.element));
  if (lab.rungs.some((rung) => rung.counters)) section.append(make("p", "quiet", kMargin));
  lab.rungs.forEach((rung, index) => showRung(section, rung, `${labIndex}-${index}`));
}

// ---- a rung -------------------------------------------------------------------------------------------------------

function showRung(section, rung, id) {
  const head = make("h3", "", `${rung.name} `, make("span", toneOf(rung), pointsText(rung.points)));
  head.id = `rung-${id}`;
  section.append(head);
  if (rung.notes.length === 0 && rung.state === "good" && toneOf(rung) === "good") {
    section.append(make("p", "quiet", "Everything that can be measured here is right."));
  }
  if (rung.notes.length === 0 && rung.state === "quiet") section.append(make("p", "quiet", rung.correct));
  for (const note of rung.notes) section.append(noteOf(note, rung, id));
  if (!rung.source || rung.source.length === 0) return;
  if (rung.marks.length > 0) {
    section.append(sourceOf(rung, id));
    return;
  }
  const details = make("details", "", make("summary", "", `Source of ${rung.name}`));
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) details.append(sourceOf(rung, id));
  });
  section.append(details);
}

// A note as on the terminal. A place at its beginning is a link to the source.
function noteOf(text, rung, id) {
  const note = make("div", rung.state === "bad" ? "note bad" : "note");
  const place = /^([^\s:()]+)(?::(\d+)|\((\d+)\))/.exec(text);
  const line = place && place[1] === rung.file ? Number(place[2] || place[3]) : 0;
  if (line > 0 && line <= rung.source.length && rung.marks.length > 0) {
    const link = make("a", "", place[0]);
    link.href = `#line-${id}-${line}`;
    link.addEventListener("click", () => unfold(id, line));
    note.append(link, text.slice(place[0].length));
  } else {
    note.append(text);
  }
  return note;
}

// For each source on the page, what shows a line that is folded away: by the rung's id.
const unfolders = new Map();

function unfold(id, line) {
  unfolders.get(id)?.(line);
}

// The lines to show: [[first, last], ...], around every mark and picture. Without marks all lines.
function shownRanges(rung) {
  if (rung.marks.length === 0) return [[1, rung.source.length]];
  const ranges = [];
  for (const line of [...rung.marks, ...rung.pictures].map(({line}) => line).sort((a, b) => a - b)) {
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

// ---- the page -----------------------------------------------------------------------------------------------------

const main = byId("main");
setTitle(data.id, `Graded on: ${data.device}`);
showPoints(main);
if (data.labs.length > 1) showLabs(main);
data.labs.forEach((lab, index) => showLab(main, lab, index));
startTheme();
