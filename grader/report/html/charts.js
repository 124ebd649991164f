// Charts of html_plot.cc: the picture of one, and its numbers as a table.

const kTones = 9;  // --series-0 to --series-8 of page.css
const kPower = 10;
const kLineWidth = 1.6;
const kShapes = ["circle", "rect", "triangle", "rectRot"];

// Bounds have the last tones, so that the same bound has the same one in all charts.
function toneOf({series}, index) {
  const before = series.slice(0, index).filter(({bound}) => bound === series[index].bound).length % kTones;
  return `series-${series[index].bound ? kTones - 1 - before : before}`;
}

// At each point of a series: how many earlier ones, which are drawn above it, are at the same place.
function coveredBy({series, y}, index) {
  const height = (value) => (y.scale === "linear" ? value : Math.log(value));
  const all = series.flatMap(({points}) => points.map((point) => height(point[1]))).filter(Number.isFinite);
  const near = (Math.max(...all) - Math.min(...all)) / 200;
  const isAt = (x, value) => (other) => other[0] === x && Math.abs(height(other[1]) - height(value)) <= near;
  const above = series.slice(0, index).filter(({bound}) => !bound);
  return series[index].points.map(([x, value]) => above.filter(({points}) => points.some(isAt(x, value))).length);
}

// A number as NumberOn of grader/plot has it.
function scaled(scale, value) {
  const power = Math.log2(value);
  if (scale === "powers of 2" && value >= 1024 && Number.isInteger(power)) return `2^${power}`;
  if (Math.abs(value) >= 1000 && Number.isInteger(value)) return String(value);
  return String(Number(value.toPrecision(4)));
}

// ---- the picture --------------------------------------------------------------------------------------------------

// The uncertainty of each point, as a line from low to high.
const whiskers = {
  id: "whiskers",
  afterDatasetsDraw(chart) {
    const {ctx, scales: {y}} = chart;
    chart.data.datasets.forEach((series, index) => {
      if (!series.ranges || !chart.isDatasetVisible(index)) return;
      ctx.save();
      ctx.strokeStyle = series.isLine ? series.borderColor : colour("text");
      chart.getDatasetMeta(index).data.forEach((mark, at) => {
        const range = series.ranges[at];
        if (!range || range[0] === range[1]) return;
        const low = Math.min(y.getPixelForValue(range[0]), y.bottom), high = y.getPixelForValue(range[1]);
        if (!(low - high > 6)) return;  // hidden by the mark
        ctx.beginPath();
        for (const [x1, y1, x2, y2] of [[0, low, 0, high], [-3, low, 3, low], [-3, high, 3, high]]) {
          ctx.moveTo(mark.x + x1, y1);
          ctx.lineTo(mark.x + x2, y2);
        }
        ctx.stroke();
      });
      ctx.restore();
    });
  },
};

// The least and the most of `at` (0: x, 1: y) that has to be seen.
function rangeOf(chart, at) {
  const values = chart.series.flatMap((series) => series.points.map((point) => point[at]));
  return [Math.min(...values), Math.max(...values)];
}

function xScale(chart) {
  const {scale} = chart.x;
  const base = {title: {display: true, text: chart.x.title}, grid: {}, ticks: {maxRotation: 0}};
  if (chart.categories.length > 0) {
    return {...base, type: "category", title: {display: false, text: ""}, grid: {display: false},
            ticks: {autoSkip: false, maxRotation: 50}};
  }
  if (scale === "powers of 2") {
    base.ticks = {maxRotation: 0, stepSize: 1, precision: 0, callback: (power) => scaled(scale, 2 ** power)};
    return {...base, type: "linear"};
  }
  if (scale === "powers of 10") return {...base, type: "logarithmic"};
  const [min, max] = rangeOf(chart, 0);
  base.ticks.callback = (value) => scaled(scale, value);
  base.ticks.includeBounds = false;
  const isWhole = ({bound, points}) => bound || points.every(([x]) => Number.isInteger(x));
  if (chart.series.every(isWhole)) base.ticks.precision = 0;
  return {...base, type: "linear", min, max};
}

function yScale(chart) {
  // Within a power of ten, a logarithmic axis would have hardly a mark.
  const [low, high] = rangeOf(chart, 1);
  const logarithmic = chart.y.scale === "powers of 10" && high > kPower * low;
  return {type: logarithmic ? "logarithmic" : "linear", beginAtZero: chart.y.scale === "linear", grace: "3%", grid: {},
          ticks: {callback: (value, index, ticks) => isMark(logarithmic, value, ticks) ? scaled("", value) : null},
          title: {display: true, text: chart.y.title}};
}

// On a logarithmic axis only 1, 2 and 5 of each power of ten, or of many powers only 1.
function isMark(logarithmic, value, ticks) {
  if (!logarithmic) return true;
  const digit = Number(value.toExponential(3).split("e")[0]);
  const decades = Math.log10(ticks[ticks.length - 1].value / ticks[0].value);
  return digit === 1 || (decades <= 3 && (digit === 2 || digit === 5));
}

function barsOf(chart, series, index) {
  const at = (x) => series.points.find((point) => point[0] === x);
  const points = chart.categories.map((_, x) => at(x));
  return {label: series.name, tone: toneOf(chart, index), data: points.map((point) => (point ? point[1] : null)),
          ranges: points.map((point) => (point ? [point[2], point[3]] : null)), maxBarThickness: 56};
}

function lineOf(chart, series, index) {
  const place = (x) => (chart.x.scale === "powers of 2" ? Math.log2(x) : x);
  const few = series.points.length <= 60, tone = toneOf(chart, index);
  // A series that is covered by others is drawn wider, so that it is seen around them.
  const covered = series.bound ? series.points.map(() => 0) : coveredBy(chart, index);
  const radius = series.bound ? 0 : series.joined && !few ? 0 : series.joined ? 3.5 : 6;
  const width = (from, to) => kLineWidth * (1 + 2 * Math.min(covered[from], covered[to]));
  return {
    label: series.name, tone, isLine: true, borderWidth: kLineWidth,
    segment: {borderWidth: ({p0DataIndex, p1DataIndex}) => width(p0DataIndex, p1DataIndex)},
    data: series.points.map(([x, y]) => ({x: place(x), y})),
    ranges: series.bound ? null : series.points.map((point) => [point[2], point[3]]),
    showLine: series.joined, borderDash: series.bound ? [6, 4] : [],
    pointStyle: series.bound ? "line" : kShapes[index % kShapes.length],
    // A point that is doubtful is hollow.
    pointBackgroundColor: ({dataIndex}) => colour(series.points[dataIndex]?.[4] ? "page" : tone),
    pointRadius: covered.map((count) => (radius === 0 ? 0 : radius + 2.5 * count)), pointHitRadius: 6,
  };
}

function picture(chart) {
  const label = `Chart of ${chart.title}: ${chart.y.title} against ${chart.x.title}; the table below has the numbers`;
  const canvas = withAttributes(make("canvas", ""), [["role", "img"], ["aria-label", label]]);
  const frame = make("div", "plot", canvas);
  const figure = make("figure", "", frame);
  if (typeof Chart === "undefined") {
    frame.className = "";
    frame.replaceChildren(make("p", "quiet", "No chart: this kit was built without Chart.js."));
    return figure;
  }
  const bars = chart.categories.length > 0;
  pending.push(() => charts.push(new Chart(canvas, {
    type: bars ? "bar" : "line",
    data: {labels: chart.categories,
           datasets: chart.series.map((series, index) => (bars ? barsOf : lineOf)(chart, series, index))},
    plugins: [whiskers],
    options: {
      animation: false, responsive: true, maintainAspectRatio: false, parsing: bars ? undefined : false,
      scales: {x: xScale(chart), y: yScale(chart)},
      plugins: {
        legend: {display: chart.series.length > 1, position: "bottom",
                 labels: bars ? {boxWidth: 14} : {usePointStyle: true, boxWidth: 14, boxHeight: 8}},
        tooltip: {callbacks: {title: (items) => titleOf(chart, items[0]), label: (item) => labelOf(chart, item)}},
      },
    },
  })));
  return figure;
}

const titleOf = (chart, item) => (chart.categories.length > 0 ? item.label
  : `${scaled(chart.x.scale, chart.x.scale === "powers of 2" ? 2 ** item.parsed.x : item.parsed.x)} ${chart.x.title}`);
const labelOf = (chart, item) => `${item.dataset.label}: ${scaled("", item.parsed.y)} ${chart.y.title}`;

// ---- the numbers --------------------------------------------------------------------------------------------------

function numbers(chart) {
  const places = [...new Set(chart.series.flatMap((series) => series.points.map((point) => point[0])))];
  const rows = places.sort((a, b) => a - b).map((x) => ({
    x, y: chart.series.map((series) => (series.points.find((point) => point[0] === x) || [x, null])[1])}));
  const head = (x) => (chart.categories.length > 0 ? chart.categories[x] : scaled(chart.x.scale, x));
  const table = makeTable(`${chart.y.title} of ${chart.title}`, [
    {head: chart.categories.length > 0 ? "rung" : chart.x.title, number: true, key: (row) => row.x,
     cell: (row) => rowHead(head(row.x))},
    ...chart.series.map((series, index) => ({
      head: series.name, number: true, key: (row) => row.y[index],
      cell: (row) => make("td", "number", row.y[index] === null ? "–" : scaled("", row.y[index])),
    })),
  ], true);
  table.show(rows);
  return make("details", "", make("summary", "", `Numbers: ${chart.title}`),
              scrolling(`Numbers: ${chart.title}`, table.element));
}
