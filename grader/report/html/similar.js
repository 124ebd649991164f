// The page of submissions that are alike: the groups, the pairs, and for each pair the lines of both side by side. data
// is that of html_similar.cc.

const kTints = 7;             // as in page.css
const kLongestGap = 6;        // lines outside of matches that are not folded away
const kMostToAlign = 250000;  // products of two numbers of lines
const kMostLinks = 12;        // from a group to its pairs

const nameOf = (place) => make("bdi", "", data.names[place]);

// `nodes` with ", " between them, and how many of `count` are not among them.
function listed(nodes, count) {
  const list = nodes.flatMap((node, index) => (index === 0 ? [node] : [", ", node]));
  return count > nodes.length ? [...list, ` and ${count - nodes.length} more`] : list;
}

// ---- two sources side by side -------------------------------------------------------------------------------------

// What a line is without its names, numbers, strings, comment and spaces: alike lines have one shape.
const shapeOf = (line) => line.replace(/\/\/.*/, "").replace(/"[^"]*"/g, '"').replace(/[A-Za-z_]\w*/g, "n")
  .replace(/\d[\w.]*/g, "0").replace(/\s+/g, "");
const weightOf = (shape) => (shape.length > 3 ? 4 : 1);  // a line that is blank or a brace says little

// Two lists of lines as rows [place, other place], where null is no line. Lines of one shape share a row where the
// order allows it (longest common subsequence); what stands between such rows is paired as it comes.
function aligned(lines, others) {
  const rows = [], count = lines.length, otherCount = others.length;
  const pairUp = (i, end, j, otherEnd) => {
    while (i < end || j < otherEnd) rows.push([i < end ? i++ : null, j < otherEnd ? j++ : null]);
  };
  if (count * otherCount > kMostToAlign) {
    pairUp(0, count, 0, otherCount);
    return rows;
  }
  const shapes = lines.map(shapeOf), otherShapes = others.map(shapeOf);
  // best[i][j]: the weight of the rows that the lines from i and the others from j can share.
  const best = Array.from({length: count + 1}, () => new Uint32Array(otherCount + 1));
  for (let i = count - 1; i >= 0; --i) {
    for (let j = otherCount - 1; j >= 0; --j) {
      const both = shapes[i] === otherShapes[j] ? best[i + 1][j + 1] + weightOf(shapes[i]) : 0;
      best[i][j] = Math.max(best[i + 1][j], best[i][j + 1], both);
    }
  }
  let i = 0, j = 0, from = 0, otherFrom = 0;
  while (i < count && j < otherCount) {
    if (shapes[i] === otherShapes[j] && best[i][j] === best[i + 1][j + 1] + weightOf(shapes[i])) {
      pairUp(from, i, otherFrom, j);
      rows.push([i++, j++]);
      [from, otherFrom] = [i, j];
    } else if (best[i + 1][j] >= best[i][j + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
  pairUp(from, count, otherFrom, otherCount);
  return rows;
}

// For the lines of one side outside of all matches, [first, last] by the match that ends before them; -1: none does.
function gapsOf(count, ranges) {
  const isIn = new Uint8Array(count + 2);
  for (const [first, last] of ranges) isIn.fill(1, first, last + 1);
  const gaps = new Map();
  for (let line = 1; line <= count; ++line) {
    if (isIn[line] || (line > 1 && !isIn[line - 1])) continue;
    let last = line;
    while (last < count && !isIn[last + 1]) ++last;
    gaps.set(ranges.findIndex((range) => range[1] === line - 1), [line, last]);
  }
  return gaps;
}

const kNone = [1, 0];  // a range of no lines

// The rows of the table, below `before`, for lines of both sides.
function addRows(body, before, className, sides, ranges) {
  const textsOf = (side) => {
    const [first, last] = ranges[side];
    return sides[side].lines.slice(first - 1, last).map((line) => data.lines[line]);
  };
  const texts = [textsOf(0), textsOf(1)];
  for (const row of aligned(...texts)) {
    const cells = row.flatMap((at, side) => (at === null ? [make("td", "count"), make("td", "code")]
      : [make("td", "count", ranges[side][0] + at), make("td", "code", texts[side][at])]));
    body.insertBefore(make("tr", className, ...cells), before);
  }
}

function addWords(body, className, child) {
  const cell = make("td", "", child);
  cell.colSpan = 4;
  const row = make("tr", className, cell);
  body.append(row);
  return row;
}

const rangeWords = ([first, last]) => (first === last ? `line ${first}` : `lines ${first} to ${last}`);

function addGap(body, sides, ranges) {
  const length = Math.max(...ranges.map(([first, last]) => last - first + 1));
  if (length <= 0) return;
  if (length <= kLongestGap) {
    addRows(body, null, "apart", sides, ranges);
    return;
  }
  const shown = ranges.flatMap((range, side) => (
    range === kNone ? [] : [`${rangeWords(range)} on the ${side === 0 ? "left" : "right"}`]));
  const button = make("button", "", `Show ${shown.join(" and ")}, outside of matches`);
  button.type = "button";
  const row = addWords(body, "fold", button);
  button.addEventListener("click", () => {
    addRows(body, row, "apart", sides, ranges);
    row.remove();
  });
}

// One file of a pair: each match with the lines of both, in the order of the left file, and what stands between.
function fileView(names, [file, first, second, matches, more]) {
  const sides = [data.sources[first], data.sources[second]];
  const sorted = [...matches].sort((a, b) => a[0] - b[0] || a[2] - b[2]);
  const ranges = [sorted.map((match) => match.slice(0, 2)), sorted.map((match) => match.slice(2, 4))];
  const gaps = sides.map((side, index) => gapsOf(side.lines.length, ranges[index]));
  const body = make("tbody", "");
  const gapAfter = (match) => addGap(body, sides, gaps.map((gap) => gap.get(match) ?? kNone));
  gapAfter(-1);
  sorted.forEach((match, index) => {
    const tint = `tint-${index % kTints}`, [range, otherRange] = ranges.map((all) => all[index]);
    addWords(body, `match-head ${tint}`,
             `Match ${index + 1}: ${words(match[4], "token")}, ${rangeWords(range)} and ${rangeWords(otherRange)}`);
    addRows(body, null, `match ${tint}`, sides, [range, otherRange]);
    gapAfter(index);
  });
  sides.forEach((side, index) => {
    if (side.more === 0) return;
    addWords(body, "fold", make("span", "quiet", nameOf(names[index]),
                                `: ${words(side.more, "more line")} not in this page`));
  });
  const heads = names.flatMap((name) => [make("th", "count", "line"), make("th", "", nameOf(name))]);
  for (const head of heads) head.scope = "col";
  const table = make("table", "source side-by-side",
                     make("caption", "hidden", `${file} of ${data.names[names[0]]} and ${data.names[names[1]]}`),
                     make("thead", "", make("tr", "", ...heads)), body);
  const section = make("section", "", make("h3", "", file), table);
  const matchWord = more === 1 ? "match" : "matches";
  if (more > 0) section.append(make("p", "quiet", `${more} more ${matchWord} not in this page.`));
  return section;
}

// ---- the page -----------------------------------------------------------------------------------------------------

const {groups, pairs, equal} = data;

function showFigures(main) {
  const items = [figureItem(data.submissions, data.submissions === 1 ? "submission" : "submissions")];
  if (data.older > 0) items.push(figureItem(data.older, "older"));
  items.push(figureItem(groups.count, groups.count === 1 ? "group" : "groups"),
             figureItem(pairs.count, pairs.count === 1 ? "pair" : "pairs"));
  main.append(make("ul", "figures", ...items), make("p", "reminder", data.reminder));
  for (const note of data.notes) main.append(make("div", "note", note));
}

function linkTo(pair) {
  const link = make("a", "", String(pair + 1));
  link.href = `#pair-${pair + 1}`;
  link.addEventListener("click", () => { byId(`pair-${pair + 1}`).open = true; });
  return link;
}

function showGroups(main) {
  if (groups.count === 0) return;
  const items = groups.rows.map(({count, names}) => {
    const members = new Set(names);
    const isWithin = ([first, second]) => members.has(first) && members.has(second);
    const within = pairs.rows.flatMap((row, index) => (isWithin(row) ? [index] : []));
    const links = listed(within.slice(0, kMostLinks).map(linkTo), within.length);
    return make("li", "", ...listed(names.map(nameOf), count),
                make("span", "quiet", within.length === 1 ? " · pair " : " · pairs ", ...links));
  });
  main.append(make("section", "", make("h2", "", "Groups to look at"),
                   make("p", "quiet", "A group holds all submissions that pairs link, directly or through others."),
                   make("ol", "groups", ...items), ...moreOf(groups, "group")));
}

const moreOf = ({count, rows}, noun) => (
  count > rows.length ? [make("p", "quiet", `${words(count - rows.length, `more ${noun}`)} not in this page.`)] : []);

function pairElement([first, second, percent, alike, shorter, files], index) {
  const title = [`${index + 1}  `, nameOf(first), " and ", nameOf(second)];
  const share = make("span", "quiet", ` ${percent} % of the shorter one, ${alike} of ${words(shorter, "token")}`);
  if (files === null || files.length === 0) {
    const element = make("p", "pair", ...title, share, make("span", "quiet", " · its lines are not in this page"));
    element.id = `pair-${index + 1}`;
    return element;
  }
  const details = make("details", "pair", make("summary", "", ...title, share));
  details.id = `pair-${index + 1}`;
  details.addEventListener("toggle", () => {
    if (!details.open || details.children.length > 1) return;
    details.append(...files.map((file) => fileView([first, second], file)));
  });
  return details;
}

function showPairs(main) {
  const section = make("section", "", make("h2", "", "Pairs to look at"));
  main.append(section);
  if (pairs.count === 0) {
    section.append(make("p", "", `No two submissions are alike in ${data.least} % of the shorter one or more, ` +
        "without what the course has given."));
    return;
  }
  section.append(make("p", "quiet", "The most alike first. Open a pair to see its files side by side: the lines of a " +
      "match have one colour and a number, and the lines outside of matches are grey. Names, numbers, strings and " +
      "comments do not count. Matches stand in the order of the left file."));
  const without = pairs.rows.filter((row) => row[5] === null).length;
  if (without > 0) {
    section.append(make("p", "quiet", `The lines of ${words(without, "pair")} do not fit into this page. To see ` +
        "them, compare the two by themselves: give warpgrade similar their two folders."));
  }
  section.append(...pairs.rows.map(pairElement), ...moreOf(pairs, "pair"));
  const firstOpen = section.querySelector("details");
  if (firstOpen) firstOpen.open = true;
}

function showEqual(main) {
  if (equal.count === 0) return;
  const table = makeTable("Equal files", [
    {head: "file", cell: (row) => rowHead(row.file)},
    {head: "submissions", cell: (row) => make("td", "", ...listed(row.names.map(nameOf), row.count))},
    {head: "the course's solution", cell: (row) => make("td", "", row.given ? "is the same file, too" : "")},
  ], false);
  table.element.caption.className = "hidden";
  table.show(equal.rows);
  main.append(make("section", "", make("h2", "", "Equal files"), make("p", "quiet", "Apart from comments and layout."),
                   scrolling("Equal files", table.element), ...moreOf(equal, "file")));
}

function showLeftOut(main) {
  if (data.leftOut.length === 0) return;
  main.append(make("section", "", make("h2", "", "Left out"), ...data.leftOut.map(({why, names, count}) => (
    make("p", "", `${why}: `, ...listed(names.map(nameOf), count))))));
}

const main = byId("main");
document.body.classList.add("wide");
setTitle(`${data.title}: submissions that are alike`, "");
showFigures(main);
showGroups(main);
showPairs(main);
showEqual(main);
showLeftOut(main);
startTheme();
