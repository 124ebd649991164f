// What both pages share: making elements, tables that sort, charts, the theme. Text of the report goes into the page
// only as text nodes. Tags, classes and attributes are constants of these scripts.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);

// An element with a class and children; a child that is no element is text.
function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return element;
}

function withAttributes(element, attributes) {
  for (const [name, value] of attributes) element.setAttribute(name, value);
  return element;
}

const byId = (id) => document.getElementById(id);
const words = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const number = (value) => (value === null ? "–" : String(Math.round(value * 100) / 100));
const hiddenText = (text) => make("span", "hidden", text);

// `count` with what it counts, for the row of figures at the top.
const figureItem = (value, what) => make("li", "", make("b", "", value), what);

// A wide child scrolls inside this, by keys as well. `label`: what it is.
function scrolling(label, child, className = "") {
  const attributes = [["tabindex", "0"], ["role", "region"], ["aria-label", label]];
  return withAttributes(make("div", `scroll ${className}`, child), attributes);
}

function setTitle(title, subtitle) {
  document.title = `${title} · warpgrade`;
  byId("course").textContent = data.course;
  byId("title").textContent = title;
  byId("subtitle").textContent = subtitle;
  byId("footer").textContent = `warpgrade ${data.kit}`;
}

// ---- tables -------------------------------------------------------------------------------------------------------

// `columns`: [{head, number, key(row), cell(row)}]. With `sorts`, a click on a head sorts by key; null stands last.
// Returns {element, show(rows)}.
function makeTable(caption, columns, sorts, className = "") {
  const body = make("tbody", "");
  const head = make("tr", "");
  const table = make("table", className, make("caption", "", caption), make("thead", "", head), body);
  let rows = [], sortedBy = -1, direction = 1;

  function draw() {
    const shown = [...rows];
    if (sortedBy >= 0) {
      const key = columns[sortedBy].key;
      shown.sort((left, right) => {
        const a = key(left), b = key(right);
        if (a === null || b === null) return (a === null) - (b === null);
        return direction * (typeof a === "string" ? a.localeCompare(b, "en", {numeric: true}) : a - b);
      });
    }
    body.replaceChildren(...shown.map((row) => make("tr", "", ...columns.map((column) => column.cell(row)))));
  }

  columns.forEach((column, index) => {
    const cell = withAttributes(make("th", column.number ? "number" : ""), [["scope", "col"]]);
    if (sorts) {
      const button = make("button", "", column.head);
      button.type = "button";
      button.addEventListener("click", () => {
        // Numbers first from the highest, words from A.
        direction = sortedBy === index ? -direction : column.number ? -1 : 1;
        sortedBy = index;
        for (const other of head.children) other.removeAttribute("aria-sort");
        cell.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
        draw();
      });
      cell.append(button);
    } else {
      cell.append(column.head);
    }
    head.append(cell);
  });
  return {element: table, show(newRows) { rows = newRows; draw(); }};
}

const rowHead = (text) => withAttributes(make("th", "", text), [["scope", "row"]]);

// ---- charts -------------------------------------------------------------------------------------------------------

const charts = [];
const pending = [];  // make the charts whose figures may not be on the page yet: a chart takes its size from there

// The colour that a variable of page.css has in the theme of now.
function colour(name) {
  const probe = document.createElement("span");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

function paint(chart) {
  const {options} = chart;
  for (const scale of Object.values(options.scales)) {
    scale.ticks.color = colour("quiet");
    scale.grid.color = colour("line");
    scale.title.color = colour("quiet");
  }
  options.plugins.legend.labels.color = colour("text");
  for (const series of chart.data.datasets) {
    series.backgroundColor = colour(series.tone);
    if (series.isLine) series.borderColor = series.backgroundColor;
  }
  chart.update();
}

function repaintCharts() {
  for (const draw of pending.splice(0)) draw();
  charts.forEach(paint);
}

// A figure with bars. `series`: [{label, values, tone}], where a tone is a colour of page.css. `label` says to a screen
// reader what the chart shows; a table beside it has the numbers. repaintCharts() draws it, and `made` gets the chart.
function barChart({caption, label, labels, series, height, horizontal = false, title = "", axisTitle = "", made}) {
  const canvas = withAttributes(make("canvas", ""), [["role", "img"], ["aria-label", label]]);
  const frame = make("div", "", canvas);
  frame.style.height = `${height}px`;
  const figure = make("figure", "", ...(caption ? [make("figcaption", "", caption)] : []), frame);
  if (typeof Chart === "undefined") {
    frame.style.height = "auto";
    frame.replaceChildren(make("p", "quiet", "No chart: this kit was built without Chart.js."));
    return figure;
  }
  const scale = (text, more) => ({
    stacked: true, beginAtZero: true, title: {display: text !== "", text}, ticks: {precision: 0}, grid: {}, ...more,
  });
  const bars = {maxBarThickness: horizontal ? 24 : 64};
  const draw = () => new Chart(canvas, {
    type: "bar",
    data: {labels, datasets: series.map(({label: name, values, tone}) => ({label: name, data: values, tone, ...bars}))},
    options: {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      indexAxis: horizontal ? "y" : "x",
      scales: horizontal ? {x: scale(title), y: scale("", {ticks: {autoSkip: false}, grid: {display: false}})}
                         : {x: scale(axisTitle, {grid: {display: false}, ticks: {maxRotation: 0}}), y: scale(title)},
      plugins: {legend: {display: series.length > 1, position: "bottom", labels: {boxWidth: 14}}},
    },
  });
  pending.push(() => {
    charts.push(draw());
    made?.(charts[charts.length - 1]);
  });
  return figure;
}

// Before what is inside an element leaves the page.
function forgetCharts(inside) {
  for (let i = charts.length - 1; i >= 0; --i) {
    if (!inside.contains(charts[i].canvas)) continue;
    charts[i].destroy();
    charts.splice(i, 1);
  }
}

// ---- the theme ----------------------------------------------------------------------------------------------------

const darkBySystem = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : darkBySystem.matches;
}

function showTheme() {
  byId("theme").textContent = isDark() ? "Light colours" : "Dark colours";
  repaintCharts();
}

function startTheme() {
  const button = byId("theme");
  button.hidden = false;
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    showTheme();
  });
  darkBySystem.addEventListener("change", showTheme);
  // Paper is white.
  let before;
  addEventListener("beforeprint", () => {
    before = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
    repaintCharts();
    for (const chart of charts) chart.resize();
  });
  addEventListener("afterprint", () => {
    if (before) document.documentElement.dataset.theme = before;
    else delete document.documentElement.dataset.theme;
    repaintCharts();
  });
  showTheme();
}
