// The page of a class: figures, what a person should look at, the table, and how the points of each rung are spread.

// What a letter of a cell means: a sign, and words for a screen reader and the legend.
const kStates = new Map([
  ["a", ["", "all points that can be measured here"]],
  ["p", ["◐", "right, but points are missing"]],
  ["w", ["✗", "wrong, faulty or does not compile"]],
  ["n", ["–", "not handed in or not written"]],
  ["f", ["⚑", "a flagged speed, which gives no points before it is accepted"]],
  ["u", ["?", "no result"]],
]);

// ---- figures ------------------------------------------------------------------------------------------------------

const kTenths = ["0–", "10–", "20–", "30–", "40–", "50–", "60–", "70–", "80–", "90–", "100"];

function showFigures(main) {
  const facts = data.statistics;
  const items = [figureItem(data.students.length, data.students.length === 1 ? "submission" : "submissions")];
  if (facts) {
    items.push(figureItem(number(facts.mean), `mean of ${number(data.max)} points`),
               figureItem(number(facts.median), "median"),
               figureItem(`${number(facts.low)} to ${number(facts.high)}`, "lowest and highest"));
  }
  main.append(make("ul", "figures", ...items));
  if (data.students.length === 0) return;
  const counts = data.bins.map((count, i) => `${kTenths[i]} percent: ${count}`).join(", ");
  main.append(barChart({
    caption: "Points of the class, in percent of what can be measured here",
    label: `How many submissions have which share of the points: ${counts}`,
    labels: kTenths,
    series: [{label: "submissions", tone: "got", values: data.bins}],
    height: 220,
    title: "submissions",
    axisTitle: "percent",
  }));
}

const kMostOpen = 12;  // rows of a list that is not folded

// ---- what to look at ----------------------------------------------------------------------------------------------

const wordColumn = (head, at) => ({head, key: (row) => row[at], cell: (row) => make("td", "", row[at])});
const rowHeadColumn = (head, at) => ({head, key: (row) => row[at], cell: (row) => rowHead(row[at])});

function showList(section, title, explanation, list) {
  showFolded(section, title, explanation, list,
             [rowHeadColumn("submission", 0), wordColumn("about", 1), wordColumn("what", 2)]);
}

const alikeColumn = {head: "alike", number: true, key: (row) => row[2],
                     cell: (row) => make("td", "number", `${number(row[2])} %`)};

function showAlike(section) {
  const {alike} = data;
  const labs = alike.labs.join(", ");
  const explanation = labs ? `Compared: ${labs}. Alike code is no proof of anything: it may come from a lecture, a ` +
      "book or a tutor. Look at both, and talk to the students. warpgrade similar --html shows the lines side by side."
    : "Nobody has compared the submissions. warpgrade similar does: --similar brings its file into this page, and " +
      "similar --html shows the lines side by side.";
  showFolded(section, "Submissions that are alike", explanation, alike,
             [rowHeadColumn("submissions", 1), wordColumn("lab", 0), alikeColumn,
              wordColumn("where", 3)]);
}

// A long list is folded.
function showFolded(section, title, explanation, list, columns) {
  section.append(make("h3", "", `${title} (${list.count})`), make("p", "quiet", explanation));
  if (list.count === 0) return;
  const table = makeTable(title, columns, true, "list");
  table.element.caption.className = "hidden";
  table.show(list.rows);
  const shown = scrolling(title, table.element);
  // A long list would push everything else off the page.
  const summary = make("summary", "", `Show ${words(list.rows.length, "row")}`);
  section.append(list.rows.length <= kMostOpen ? shown : make("details", "", summary, shown));
  if (list.rows.length < list.count) section.append(make("p", "quiet", `and ${list.count - list.rows.length} more`));
}

function showLists(main) {
  const section = make("section", "", make("h2", "", "What to look at"));
  showList(section, "Outliers", "Points, and measured speeds of a rung, that are far from the quartiles of the " +
      "class: by more than 1.5 times the distance between the quartiles. Fewer than eight values have no outliers.",
           data.outliers);
  showList(section, "Flagged speeds", "A speed that the judge does not believe gives no points. Look at the rung, " +
      "then accept the speed with warpgrade accept, or leave it.", data.flagged);
  showAlike(section);
  showList(section, "The machine", "Rungs without a result, because the machine failed or grading was interrupted, " +
      "and GPUs that slowed down. Grade these again.", data.machine);
  showList(section, "Whole submissions", "What could not be read, who handed nothing in, and what belongs to no " +
      "student.", data.whole);
  main.append(section);
}

// ---- the table ----------------------------------------------------------------------------------------------------

function pointsCell(points, state) {
  const [sign, meaning] = kStates.get(state) || ["", ""];
  const text = points === null ? sign : sign ? `${number(points)} ${sign}` : number(points);
  const cell = make("td", `number state-${state}`, text);
  if (sign) cell.append(hiddenText(` (${meaning})`));
  return cell;
}

const numberColumn = (head, key) => ({head, number: true, key, cell: (row) => make("td", "number", number(key(row)))});

// `lab`: the index of the lab whose rungs are shown, or -1 for the sums of all labs.
function columnsOf(lab) {
  const columns = [
    {head: "submission", key: (student) => student.id, cell: (student) => rowHead(student.id)},
    ...["name", "section"].filter((key) => data.students.some((student) => student[key])).map((key) => (
      {head: key, key: (student) => student[key] ?? null, cell: (student) => make("td", "", student[key] ?? "")})),
    numberColumn("points", (student) => student.total),
  ];
  if (lab < 0) {
    data.labs.forEach((entry, index) => columns.push(numberColumn(entry.name, (student) => student.labs[index])));
  } else {
    data.labs[lab].rungs.forEach((rung, index) => columns.push({
      head: rung.name, number: true, key: (student) => student.rungs[lab][0][index],
      cell: (student) => pointsCell(student.rungs[lab][0][index], student.rungs[lab][1][index]),
    }));
  }
  columns.push({head: "notes", key: (student) => student.notes, cell: (student) => make("td", "words", student.notes)});
  return columns;
}

const kChoices = new Map([
  ["all", ["everyone", () => true]],
  ["unfinished", ["not finished", (student) => !student.finished]],
  ["unmarked", ["without a mark", (student) => student.total === null]],
  ["flagged", ["with a flagged speed", (student) => student.flagged]],
  ["outliers", ["outliers", (student) => student.outlier === true]],
  ["alike", ["alike with another", (student) => student.alike === true]],
  ["lost", ["with wrong rungs", (student) => student.rungs.some(([, states]) => states.includes("w"))]],
]);

function select(label, id, options) {
  const element = make("select", "", ...options.map(([value, text]) => {
    const option = make("option", "", text);
    option.value = value;
    return option;
  }));
  element.id = id;
  return [make("label", "", label, element), element];
}

function showTable(main) {
  const section = make("section", "", make("h2", "", "The submissions"));
  main.append(section);
  const filter = make("input", "");
  filter.type = "search";
  filter.id = "filter";
  const [chooseLabel, choose] = select("show", "choose", [...kChoices].map(([value, [text]]) => [value, text]));
  const rungsOf = data.labs.map((entry, index) => [String(index), `rungs of ${entry.name}`]);
  const [labLabel, lab] = select("columns", "columns", [["-1", "all labs"], ...rungsOf]);
  const controls = make("div", "controls", make("label", "", "filter", filter), chooseLabel);
  if (data.labs.length > 1) controls.append(labLabel);
  else if (data.labs.length === 1) lab.value = "0";
  const count = withAttributes(make("p", "quiet"), [["role", "status"]]);
  count.id = "count";
  const place = make("div", "");
  section.append(controls, count, place, legend());

  let table;
  function showRows() {
    const wanted = filter.value.trim().toLowerCase();
    const [, isChosen] = kChoices.get(choose.value);
    const textOf = ({id, name = "", section: group = "", notes}) => `${id} ${name} ${group} ${notes}`;
    const fits = (student) => textOf(student).toLowerCase().includes(wanted);
    const rows = data.students.filter((student) => isChosen(student) && fits(student));
    table.show(rows);
    count.textContent = `${rows.length} of ${words(data.students.length, "submission")}`;
  }
  function showColumns() {
    const caption = "Points of each submission. Choose the head of a column to sort by it";
    table = makeTable(caption, columnsOf(Number(lab.value)), true, "class-table");
    place.replaceChildren(scrolling("Points of each submission", table.element));
    showRows();
  }
  filter.addEventListener("input", showRows);
  choose.addEventListener("change", showRows);
  lab.addEventListener("change", showColumns);
  showColumns();
}

function legend() {
  const signs = [...kStates.values()].filter(([sign]) => sign).map(([sign, meaning]) => `${sign} ${meaning}`);
  return make("p", "quiet", `Of rungs: ${signs.join("; ")}.`);
}

// ---- the rungs ----------------------------------------------------------------------------------------------------

function showRungs(main) {
  const section = make("section", "", make("h2", "", "The rungs"));
  main.append(section);
  const labs = data.labs.map((entry, index) => [String(index), `${entry.name} ${entry.title}`]);
  const [label, lab] = select("lab", "rungs-of", labs);
  if (data.labs.length > 1) section.append(make("div", "controls", label));
  const place = make("div", "");
  section.append(place);
  function show() {
    forgetCharts(place);
    place.replaceChildren();
    const rungs = data.labs[Number(lab.value)].rungs;
    const grid = make("div", "grid");
    place.append(grid, rungTable(data.labs[Number(lab.value)]));
    for (const rung of rungs) {
      grid.append(barChart({
        caption: rung.name,
        label: `Points of the class for ${rung.name}; the table below has the numbers`,
        labels: kTenths,
        series: [{label: "submissions", tone: "got", values: rung.bins}],
        height: 150,
        axisTitle: "percent of the points",
      }));
    }
    repaintCharts();
  }
  lab.addEventListener("change", show);
  show();
}

function rungTable(lab) {
  const fact = (rung, name) => (rung.statistics ? rung.statistics[name] : null);
  const count = (head, state) => numberColumn(head, (rung) => rung.states[state]);
  const table = makeTable(`How the class did in ${lab.name}`, [
    {head: "rung", key: (rung) => rung.name, cell: (rung) => rowHead(rung.name)},
    numberColumn("of points", (rung) => rung.max),
    numberColumn("mean", (rung) => fact(rung, "mean")),
    numberColumn("median", (rung) => fact(rung, "median")),
    count("all points", "a"),
    count("right, some missing", "p"),
    count("wrong", "w"),
    count("not written", "n"),
    count("flagged", "f"),
    count("no result", "u"),
  ], true);
  table.show(lab.rungs);
  return scrolling(`How the class did in ${lab.name}`, table.element);
}

// ---- the page -----------------------------------------------------------------------------------------------------

const main = byId("main");
setTitle("The class", `Graded on: ${data.device}`);
showFigures(main);
showLists(main);
if (data.labs.length > 0) showRungs(main);
if (data.students.length > 0) showTable(main);
startTheme();
