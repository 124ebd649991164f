// The page of one submission: its points, then for each lab the ladder, and for each rung what is wrong and the source.

// What stands beside the rungs has no maximum of its own.
const pointsText = ([got, most]) => (most > 0 ? `${number(got)} / ${number(most)}` : number(got));
const rungTone = (rung) => (rung.state !== "good" ? rung.state : rung.points[0] < rung.points[2] ? "part" : "good");

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
  if (lab.rungs.some((rung) => rung.counters)) section.append(make("p", "quiet", marginWords("the case for technique")));
  lab.rungs.forEach((rung, index) => showRung(section, rung, `${labIndex}-${index}`));
  if (lab.roofline) {
    section.append(make("h3", "", lab.roofline.title), picture(lab.roofline),
                   ...lab.roofline.sentences.map((sentence) => make("p", "", sentence)), numbers(lab.roofline));
  }
}

// ---- a rung -------------------------------------------------------------------------------------------------------

function showRung(section, rung, id) {
  const head = make("h3", "", `${rung.name} `, make("span", rungTone(rung), pointsText(rung.points)));
  head.id = `rung-${id}`;
  section.append(head);
  if (rung.notes.length === 0 && rung.state === "good" && rungTone(rung) === "good") {
    section.append(make("p", "quiet", "Everything that can be measured here is right."));
  }
  if (rung.notes.length === 0 && rung.state === "quiet") section.append(make("p", "quiet", rung.correct));
  for (const note of rung.notes) section.append(noteOf(note, rung, id));
  if (!rung.source || rung.source.length === 0) return;
  section.append(sourceFolded(rung, id), ...[blockStepsOf(rung)].filter(Boolean));
}

// The source; folded if there is nothing to say at any line.
function sourceFolded(rung, id) {
  if (rung.marks.length > 0) return sourceOf(rung, id);
  const details = make("details", "", make("summary", "", `Source of ${rung.name}`));
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) details.append(sourceOf(rung, id));
  });
  return details;
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

// ---- the page -----------------------------------------------------------------------------------------------------

const main = byId("main");
setTitle(data.id, `Graded on: ${data.device}`);
showPoints(main);
if (data.labs.length > 1) showLabs(main);
data.labs.forEach((lab, index) => showLab(main, lab, index));
startTheme();
