// The instructor's page: where the class loses points, and each threshold of course.yaml with the values that it was
// compared with. A changed threshold changes the points in the page, by the rules of grader/score: limitPoints and
// speedPoints are ScoreLimit and ThroughputPoints there, and tests compare them. Points are whole hundredths.

const kHundredths = 100;
const points = (hundredths) => number(hundredths / kHundredths);
const change = (hundredths) => (hundredths > 0 ? `+${points(hundredths)}` : points(hundredths));
const pointsWords = (hundredths) => `${points(hundredths)} point${hundredths === kHundredths ? "" : "s"}`;
const plain = (value) => String(Number(value.toPrecision(10)));

// ---- the rules ----------------------------------------------------------------------------------------------------

// `bounds`: [least, most]; null is no bound.
function holds([min, max], value) {
  return value !== null && (min === null || value >= min) && (max === null || value <= max);
}

// Of a sample [submission, value, value of the answer or null, whether `provided` holds].
function limitPoints(bounds, most, [, value, ofAnswer, others]) {
  return others && holds(bounds, value) && (ofAnswer === null || holds(bounds, ofAnswer)) ? most : 0;
}

// `scale`: {zero, full}, or {steps: [[at, points], ...]}.
function speedPoints(scale, most, value) {
  if (scale.steps) {
    const reached = scale.steps.filter(([at]) => value >= at).map(([, got]) => got);
    return Math.min(most, Math.max(0, ...reached));
  }
  const share = (value - scale.zero) / (scale.full - scale.zero);
  if (!(share > 0)) return 0;
  return share >= 1 ? most : Math.floor(most * share + 0.5);
}

// ---- the thresholds -----------------------------------------------------------------------------------------------

const copyOf = (value) => JSON.parse(JSON.stringify(value));

// All that can be changed: {lab, rung, what, most, samples, pointsOf(values, sample), now, then, fields, check}. `now`
// are the values of course.yaml, `then` those of the reader: [name, value] in the order of the fields.
const thresholds = [];

function addLimit(lab, rung, limit) {
  const fields = ["min", "max"].filter((_, index) => limit.bounds[index] !== null);
  const boundsOf = (values) => limit.bounds.map((bound, index) => (bound === null ? null : values[fields.indexOf(["min", "max"][index])]));
  thresholds.push({
    lab, rung, what: limit.words, unit: limit.unit, path: `technique, ${limit.metric}`, most: limit.points, fields,
    samples: limit.samples, now: limit.bounds.filter((bound) => bound !== null), valueOf: (sample) => sample[1],
    pointsOf: (values, sample) => limitPoints(boundsOf(values), limit.points, sample),
    isWrong: (values) => fields.length === 2 && values[0] > values[1] ? "min must not be above max" : "",
  });
}

function addSpeed(lab, rung, speed) {
  const {scale} = speed;
  const fields = scale.steps ? scale.steps.map(([, got]) => `${pointsWords(got)} from`) : ["zero", "full"];
  const scaleOf = (values) => (scale.steps ? {steps: scale.steps.map(([, got], index) => [values[index], got])}
    : {zero: values[0], full: values[1]});
  thresholds.push({
    lab, rung, what: "throughput", unit: speed.unit, path: `throughput, ${speed.target}`, most: speed.points, fields,
    samples: speed.samples, now: scale.steps ? scale.steps.map(([at]) => at) : [scale.zero, scale.full],
    valueOf: (sample) => sample[1], pointsOf: (values, sample) => speedPoints(scaleOf(values), speed.points, sample[1]),
    isWrong: (values) => !scale.steps && values[0] >= values[1] ? "zero must be below full" : "",
    notes: [[speed.flagged, "flagged"], [speed.notMeasured, "not measured"]],
  });
}

const isChanged = (threshold) => threshold.then.some((value, index) => value !== threshold.now[index]);

// ---- a histogram --------------------------------------------------------------------------------------------------

const kBins = 16;

// The edges of bins over the values; of many sizes, in powers.
function edgesOf(values) {
  const low = Math.min(...values), high = Math.max(...values);
  if (low === high) return [low, high];
  const inPowers = low > 0 && high / low > 50;
  const edge = (part) => (inPowers ? low * (high / low) ** part : low + (high - low) * part);
  return Array.from({length: kBins + 1}, (_, bin) => edge(bin / kBins));
}

function binOf(edges, value) {
  const bin = edges.findIndex((edge, index) => index > 0 && value < edge);
  return bin < 0 ? edges.length - 2 : bin - 1;
}

// Three rows of counts: all points, some, none.
function countsOf(threshold, edges) {
  const rows = [0, 1, 2].map(() => new Array(edges.length - 1).fill(0));
  for (const sample of threshold.samples) {
    const value = threshold.valueOf(sample);
    if (value === null) continue;
    const got = threshold.pointsOf(threshold.then, sample);
    const row = got === threshold.most ? 0 : got > 0 ? 1 : 2;
    rows[row][binOf(edges, value)] += 1;
  }
  return rows;
}

const kGets = [["all points", "got"], ["some", "unmeasured"], ["none", "lost"]];
const short = (value) => String(Number(value.toPrecision(3)));

function histogram(threshold, title) {
  const values = threshold.samples.map(threshold.valueOf).filter((value) => value !== null);
  if (values.length === 0) return null;
  const edges = edgesOf(values);
  const labels = edges.slice(0, -1).map((edge, bin) => (edge === edges[bin + 1] ? short(edge) : `${short(edge)}–`));
  const rows = countsOf(threshold, edges);
  const figure = barChart({
    label: `How many submissions have which value of ${title}; the table below has the numbers`,
    labels, height: 170, axisTitle: threshold.unit,
    series: kGets.map(([label, tone], row) => ({label, tone, values: rows[row]})),
    made: (chart) => { threshold.chart = chart; },
  });
  threshold.redraw = () => {
    countsOf(threshold, edges).forEach((counts, row) => {
      if (threshold.chart) threshold.chart.data.datasets[row].data = counts;
    });
    threshold.chart?.update();
  };
  return figure;
}

// ---- what a change does -------------------------------------------------------------------------------------------

// What each submission would have more for one rung.
function changesOf(lab, rung) {
  const more = data.totals.map(() => 0);
  for (const threshold of thresholds.filter((one) => one.lab === lab && one.rung === rung && isChanged(one))) {
    for (const sample of threshold.samples) {
      more[sample[0]] += threshold.pointsOf(threshold.then, sample) - threshold.pointsOf(threshold.now, sample);
    }
  }
  return more;
}

// The sum of the `best` highest numbers.
const bestSum = (best, all) => [...all].sort((a, b) => b - a).slice(0, best).reduce((sum, one) => sum + one, 0);

// What each submission would have more: of a group only the best rungs count, before and after.
function changes() {
  const more = data.totals.map(() => 0);
  for (const lab of data.labs) {
    for (const rung of lab.rungs.filter(({inGroup}) => inGroup.length === 0)) {
      changesOf(lab.name, rung.name).forEach((one, index) => { more[index] += one; });
    }
    for (const {best, of} of lab.bestOf) {
      const now = data.totals.map(() => []), then = data.totals.map(() => []);
      for (const rung of lab.rungs.filter(({name}) => of.includes(name))) {
        const gains = changesOf(lab.name, rung.name);
        for (const [index, got] of rung.inGroup) {
          now[index].push(got);
          then[index].push(got + gains[index]);
        }
      }
      more.forEach((_, index) => { more[index] += bestSum(best, then[index]) - bestSum(best, now[index]); });
    }
  }
  return more;
}

function statistics(totals) {
  const sorted = [...totals].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return {mean: sorted.reduce((all, one) => all + one, 0) / sorted.length, median};
}

function showEffect(place) {
  const changed = thresholds.filter(isChanged);
  const more = changes();
  const then = data.totals.map((total, index) => total + more[index]);
  const up = more.filter((one) => one > 0).length, down = more.filter((one) => one < 0).length;
  place.replaceChildren();
  if (changed.length === 0) {
    place.append(make("p", "", "No threshold is changed. Change one below to see what it would do."));
    return;
  }
  const before = statistics(data.totals), after = statistics(then);
  place.append(make("ul", "figures",
    figureItem(`${up + down} of ${data.totals.length}`, "submissions change"),
    figureItem(`${up} up, ${down} down`, "of them"),
    figureItem(`${points(before.mean)} → ${points(after.mean)}`, "mean"),
    figureItem(`${points(before.median)} → ${points(after.median)}`, "median")));
  const lines = changed.map((threshold) => threshold.fields
    .map((field, index) => [field, threshold.now[index], threshold.then[index]])
    .filter(([, now, wanted]) => now !== wanted)
    .map(([field, now, wanted]) => `${threshold.lab}, ${threshold.rung}, ${threshold.path}, ${field}: ${plain(now)} → ${plain(wanted)}`).join("\n"));
  place.append(make("div", "note", `To change in course.yaml:\n${lines.join("\n")}`));
  const rows = more.map((one, index) => [data.ids[index], data.totals[index], then[index], one]).filter((row) => row[3] !== 0);
  if (rows.length === 0) return;
  const table = makeTable("Submissions whose points change", [
    rowHeadColumn("submission", 0),
    ...[["now", 1], ["then", 2]].map(([head, at]) => ({head, number: true, key: (row) => row[at],
      cell: (row) => make("td", "number", points(row[at]))})),
    {head: "change", number: true, key: (row) => row[3], cell: (row) => make("td", "number", change(row[3]))},
  ], true, "changed");
  table.element.caption.className = "hidden";
  table.show(rows);
  place.append(make("details", "", make("summary", "", `Whose points change (${rows.length})`),
                    scrolling("Submissions whose points change", table.element)));
}

const rowHeadColumn = (head, at) => ({head, key: (row) => row[at], cell: (row) => rowHead(row[at])});

// ---- the controls -------------------------------------------------------------------------------------------------

let inputs = 0;

function control(threshold, index, show) {
  const input = make("input", "number-input");
  input.type = "number";
  input.step = "any";
  input.id = `threshold-${++inputs}`;
  input.value = plain(threshold.then[index]);
  input.addEventListener("input", () => {
    const value = input.value.trim() === "" ? NaN : Number(input.value);
    if (Number.isFinite(value)) threshold.typed[index] = value;
    const wrong = Number.isFinite(value) ? threshold.isWrong(threshold.typed) : "write a number";
    if (!wrong) threshold.then = [...threshold.typed];
    for (const other of threshold.inputs) other.removeAttribute("aria-invalid");
    if (wrong) input.setAttribute("aria-invalid", "true");
    threshold.say(wrong);
    threshold.redraw?.();
    show();
  });
  threshold.inputs.push(input);
  return make("label", "", threshold.fields[index], input);
}

// How many get what, now and then.
function resultWords(threshold) {
  const all = threshold.samples.length;
  const countFor = (values) => threshold.samples.filter((sample) => threshold.pointsOf(values, sample) === threshold.most).length;
  const sumFor = (values) => threshold.samples.reduce((sum, sample) => sum + threshold.pointsOf(values, sample), 0);
  const [now, then] = [countFor(threshold.now), countFor(threshold.then)];
  if (!isChanged(threshold)) return `${now} of ${words(all, "right rung")} get all of ${pointsWords(threshold.most)}`;
  return `${then} of ${words(all, "right rung")} get all of ${pointsWords(threshold.most)}, instead of ${now}; ` +
      `${change(sumFor(threshold.then) - sumFor(threshold.now))} points for the class`;
}

function showThreshold(place, threshold, show) {
  const title = `${threshold.rung}: ${threshold.what}`;
  const box = make("div", "threshold", make("h4", "", title));
  const figure = histogram(threshold, title);
  const result = withAttributes(make("p", "quiet result"), [["role", "status"]]);
  const wrong = withAttributes(make("p", "bad wrong"), [["role", "alert"]]);
  threshold.inputs = [];
  threshold.typed = [...threshold.then];
  threshold.say = (text) => { wrong.textContent = text; };
  const showAll = () => {
    result.textContent = resultWords(threshold);
    show();
  };
  result.textContent = resultWords(threshold);
  box.append(make("div", "controls", ...threshold.fields.map((_, index) => control(threshold, index, showAll))), wrong, result);
  box.append(figure ?? make("p", "quiet", "Nobody has a value here."));
  for (const [count, what] of threshold.notes ?? []) {
    if (count > 0) box.append(make("p", "quiet", `${words(count, "right rung")}: ${what}`));
  }
  if (figure) box.append(valueTable(threshold, title));
  place.append(box);
}

// The values as a table, made when it is opened.
function valueTable(threshold, title) {
  const details = make("details", "", make("summary", "", `Values of ${title}`));
  details.addEventListener("toggle", () => {
    if (!details.open) return;
    const table = makeTable(`Values of ${title}`, [
      {head: "submission", key: (sample) => data.ids[sample[0]], cell: (sample) => rowHead(data.ids[sample[0]])},
      {head: `value${threshold.unit ? `, ${threshold.unit}` : ""}`, number: true, key: (sample) => threshold.valueOf(sample),
       cell: (sample) => make("td", "number", sample[1] === null ? "–" : short(sample[1]))},
      {head: "points", number: true, key: (sample) => threshold.pointsOf(threshold.then, sample),
       cell: (sample) => make("td", "number", points(threshold.pointsOf(threshold.then, sample)))},
    ], true);
    table.show(threshold.samples);
    details.replaceChildren(details.firstChild, scrolling(`Values of ${title}`, table.element));
  });
  return details;
}

// ---- what is lost -------------------------------------------------------------------------------------------------

const kParts = [["correctness", "series-0"], ["technique", "series-1"], ["throughput", "series-2"]];

function showLosses(place, lab) {
  const mean = (rung, part) => (rung.graded > 0 ? rung.lost[part] / rung.graded : 0);
  const series = kParts.map(([label, tone], part) => (
    {label, tone, values: lab.rungs.map((rung) => Math.round(mean(rung, part)) / kHundredths)}));
  place.append(barChart({
    caption: "Points that a submission loses on average",
    label: `Points lost for each rung of ${lab.name}; the table below has the numbers`,
    labels: lab.rungs.map((rung) => rung.name), series, horizontal: true, height: 90 + 30 * lab.rungs.length,
    title: "points lost",
  }));
  const lost = (rung) => rung.lost.reduce((all, one) => all + one, 0);
  const column = (head, key, cell = key) => ({head, number: true, key, cell: (row) => make("td", "number", cell(row))});
  const table = makeTable(`What is lost in ${lab.name}, per submission`, [
    {head: "rung", key: (rung) => rung.name, cell: (rung) => rowHead(rung.name)},
    column("of points", (rung) => rung.most, (rung) => points(rung.most)),
    column("graded", (rung) => rung.graded),
    column("right", (rung) => rung.right),
    ...kParts.map(([head], part) => column(head, (rung) => mean(rung, part), (rung) => points(mean(rung, part)))),
    column("class in all", lost, (rung) => points(lost(rung))),
  ], true, "losses");
  table.show(lab.rungs);
  place.append(scrolling(`What is lost in ${lab.name}`, table.element));
}

// Each limit and each scale, the one that costs the class most first.
function showCriteria(place, own) {
  const others = (threshold) => (threshold.notes ?? []).reduce((all, [count]) => all + count, 0);
  const lost = ({samples, most, now, pointsOf}) => samples.reduce((all, sample) => all + most - pointsOf(now, sample), 0);
  const rows = own.map((threshold) => ({
    threshold, right: threshold.samples.length + others(threshold), lost: lost(threshold) + others(threshold) * threshold.most,
    all: threshold.samples.filter((sample) => threshold.pointsOf(threshold.now, sample) === threshold.most).length,
  })).sort((a, b) => b.lost - a.lost);
  const column = (head, key, cell = key) => ({head, number: true, key, cell: (row) => make("td", "number", cell(row))});
  const table = makeTable("What right rungs lose by each criterion", [
    {head: "rung", key: (row) => row.threshold.rung, cell: (row) => rowHead(row.threshold.rung)},
    {head: "criterion", key: (row) => row.threshold.what, cell: (row) => make("td", "", row.threshold.what)},
    column("of points", (row) => row.threshold.most, (row) => points(row.threshold.most)),
    column("right", (row) => row.right),
    column("get all", (row) => row.all),
    column("class in all", (row) => row.lost, (row) => points(row.lost)),
  ], true, "criteria");
  table.show(rows);
  place.append(scrolling("What right rungs lose by each criterion", table.element));
}

function showChecks(main) {
  const section = make("section", "", make("h2", "", "Why rungs got no points"));
  main.append(section);
  if (data.checks.length === 0) {
    section.append(make("p", "quiet", "All rungs are right."));
    return;
  }
  section.append(make("p", "quiet", "What the checks found in rungs that are not right. A rung with several kinds of " +
      "faults is counted for each."));
  const table = makeTable("Why rungs got no points", [
    rowHeadColumn("check", 0),
    ...[["submissions", 1], ["rungs", 2]].map(([head, at]) => numberAt(head, at)),
    {head: "points lost", number: true, key: (row) => row[3], cell: (row) => make("td", "number", points(row[3]))},
  ], true, "checks");
  table.element.caption.className = "hidden";
  table.show(data.checks);
  section.append(scrolling("Why rungs got no points", table.element));
}

const numberAt = (head, at) => ({head, number: true, key: (row) => row[at], cell: (row) => make("td", "number", number(row[at]))});

// ---- the page -----------------------------------------------------------------------------------------------------

function showLab(place, index, show) {
  forgetCharts(place);
  const lab = data.labs[index];
  place.replaceChildren(make("h3", "", "Where points are lost"));
  showLosses(place, lab);
  const own = thresholds.filter((threshold) => threshold.index === index);
  if (own.length > 0) showCriteria(place, own);
  place.append(make("h3", "", "Thresholds against what was measured"));
  place.append(make("p", "quiet", own.length === 0 ? "This lab has no thresholds on this device."
    : "Colours say what each right rung gets. A value on the right side of a limit gives nothing where a bound of " +
        "provided does not hold, or where the work that made the answer alone has another value."));
  const grid = make("div", "thresholds");
  place.append(grid);
  for (const threshold of own) {
    threshold.chart = threshold.redraw = undefined;
    showThreshold(grid, threshold, show);
  }
  repaintCharts();
}

function showPage(main) {
  data.labs.forEach((lab, index) => lab.rungs.forEach((rung) => {
    for (const limit of rung.limits) addLimit(lab.name, rung.name, limit);
    if (rung.speed) addSpeed(lab.name, rung.name, rung.speed);
    for (const threshold of thresholds) threshold.index ??= index;
  }));
  for (const threshold of thresholds) threshold.then = [...threshold.now];
  main.append(make("ul", "figures", figureItem(data.ids.length, data.ids.length === 1 ? "submission" : "submissions")));
  for (const note of data.notes) main.append(make("div", "note", note));
  if (data.labs.length === 0) {
    main.append(make("p", "", "Nothing of this class has been graded yet."));
    return;
  }
  showChecks(main);
  const effect = make("div", "effect");
  const show = () => showEffect(effect);
  const place = make("div", "");
  const choice = make("select", "", ...data.labs.map((lab, index) => {
    const option = make("option", "", `${lab.name} ${lab.title}`);
    option.value = String(index);
    return option;
  }));
  choice.id = "lab";
  choice.addEventListener("change", () => showLab(place, Number(choice.value), show));
  const reset = make("button", "", "Back to course.yaml");
  reset.type = "button";
  reset.id = "reset";
  reset.addEventListener("click", () => {
    for (const threshold of thresholds) threshold.then = [...threshold.now];
    showLab(place, Number(choice.value), show);
    show();
  });
  const section = make("section", "", make("h2", "", "What another threshold would do"),
    make("p", "quiet", "By the points of rungs alone, without late days, overrides and quizzes. " +
        "warpgrade what-if says what a changed course.yaml does to the marks."),
    effect, make("div", "controls", make("label", "", "lab", choice), reset), place);
  main.append(section);
  showLab(place, 0, show);
  show();
}

const main = byId("main");
setTitle("The thresholds", `Graded on: ${data.device}`);
showPage(main);
startTheme();
