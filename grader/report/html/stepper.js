// One step of a block at a time: on the page of `warpgrade explain --steps`, and below a rung of a submission. The
// cells, the wires and the words were chosen in C++ (html_steps.cc); this only places them, and goes from step to step.

const kCell = 58, kCellHeight = 24, kLeft = 76, kTrack = 12, kWireTones = 4;
const kWireShift = 7;  // a wire leaves left of the middle of a cell, and arrives right of it

const kGap = 8;  // between two cells
const kWidth = kLeft + 16 * kCell;  // of all drawings, so that their text is equally large

const middleOf = (cell) => kLeft + cell * kCell + (kCell - kGap) / 2;

// `cells`: [[label, value, whether it is used, whether elements are left out before it], ...].
function cellRow(y, name, cells, labelY) {
  const parts = [makeSvg("text", "label", {x: 0, y: y + 16}, name)];
  cells.forEach(([label, value, used, afterGap], index) => {
    const x = kLeft + index * kCell;
    const said = `${label}: ${value === "" ? "not known" : value}`;
    if (labelY) parts.push(makeSvg("text", "", {x: middleOf(index), y: labelY}, label));
    if (afterGap) parts.push(makeSvg("line", "gap", {x1: x - 4, y1: y - 14, x2: x - 4, y2: y + kCellHeight}));
    parts.push(makeSvg("rect", used ? "cell used" : "cell",
                       {x, y, width: kCell - kGap, height: kCellHeight, rx: 3}, tip(said)),
               makeSvg("text", used ? "value" : "value unused", {x: middleOf(index), y: y + 16},
                       value === "" ? "·" : value));
  });
  return parts;
}

// `wires`: [[cells above, cell below, track, thread], ...].
function drawPanel(panel) {
  const above = panel.top.length > 0, top = above ? 20 : 0;
  const from = above ? top + kCellHeight : top;
  const below = from + (panel.tracks + 2) * kTrack;
  const parts = [];
  const said = [];
  for (const [sources, target, track, thread] of panel.wires) {
    const y = from + (track + 1) * kTrack, end = middleOf(target) + kWireShift, tone = `tone-${track % kWireTones}`;
    const lines = sources.map((cell) => `M ${middleOf(cell) - kWireShift} ${from} V ${y} H ${end}`);
    const names = sources.map((cell) => panel.top[cell][0]).join(" and ");
    const words = `thread ${thread} writes ${panel.bottom[target][0]}${names ? ` from ${names}` : ""}`;
    said.push(words);
    parts.push(makeSvg("path", `flow ${tone}`, {d: `${lines.join(" ")} M ${end} ${y} V ${below - 5}`}, tip(words)),
               makeSvg("path", `end ${tone}`, {d: `M ${end - 4} ${below - 8} H ${end + 4} L ${end} ${below - 1} Z`}));
  }
  const labelsBelow = !panel.aligned || !above;
  const threadY = below + kCellHeight + (labelsBelow ? 28 : 14);
  const threads = panel.wires.map(([, target, , thread]) =>
      makeSvg("text", "", {x: middleOf(target), y: threadY}, thread));
  return drawing(`Values of ${panel.title}`, kWidth, threadY + 6, makeSvg("desc", "", {}, `${said.join(". ")}.`),
                 ...(above ? cellRow(top, panel.above, panel.top, 14) : []), ...parts,
                 ...cellRow(below, panel.below, panel.bottom, labelsBelow ? below + kCellHeight + 13 : 0),
                 makeSvg("text", "label", {x: 0, y: threadY}, "thread"), ...threads);
}

// `warps`: [[name, lanes as text of 0 and 1, words], ...].
function drawLanes(warps) {
  const size = 14, left = 120;
  const parts = [];
  warps.forEach(([name, lanes, words], index) => {
    const y = 2 + index * (size + 4);
    parts.push(makeSvg("text", "label", {x: 0, y: y + 11}, name));
    for (let lane = 0; lane < kLanes; ++lane) {
      const active = lanes[lane] === "1";
      parts.push(makeSvg("rect", active ? "lane active" : "lane ended",
                         {x: left + lane * size, y, width: size - 2, height: size - 2},
                         tip(`lane ${lane} ${active ? "works" : "is idle"}`)));
    }
    parts.push(makeSvg("text", "label", {x: left + kLanes * size + 8, y: y + 11}, words));
  });
  return drawing(`The lanes that work: ${warps.map(([name, , words]) => `${name}: ${words}`).join("; ")}`,
                 kWidth, warps.length * (size + 4) + 4, ...parts);
}

function showStep(place, step, heading) {
  place.replaceChildren(
      ...step.lines.map(([line, code]) => make("p", "code quiet", `line ${line}: ${code}`)),
      ...step.panels.flatMap((panel) => [
        make(heading, "step-part", panel.title), drawPanel(panel),
        ...(panel.note ? [make("p", "quiet", panel.note)] : [])]),
      ...(step.warps.length > 0 ? [make(heading, "step-part", "Lanes"), drawLanes(step.warps)] : []),
      ...step.notes.map((note) => make("p", "quiet", note)));
}

// The steps with buttons, a slider and keys to go from one to another. `at`: the first that is shown. `level`: of its
// heading. `keysOf`: the element in which the keys work.
function stepper(steps, {at, level, keysOf}) {
  const button = (text, keys, go) => {
    const made = withAttributes(make("button", "", text), [["aria-keyshortcuts", keys]]);
    made.type = "button";
    made.addEventListener("click", go);
    return made;
  };
  const head = withAttributes(make(`h${level}`, "step-title"), [["aria-live", "polite"]]);
  const place = make("div", "");
  const slider = withAttributes(make("input", ""), [["type", "range"], ["min", "1"], ["max", String(steps.length)],
                                                    ["aria-label", "step"]]);
  const previous = button("Previous step", "ArrowLeft", () => go(at - 1));
  const next = button("Next step", "ArrowRight", () => go(at + 1));
  function go(to) {
    at = Math.max(0, Math.min(to, steps.length - 1));
    head.textContent = steps[at].title;
    slider.value = String(at + 1);
    slider.setAttribute("aria-valuetext", steps[at].title);
    // A button that cannot be used gets no keys.
    if (document.activeElement === (at === 0 ? previous : at === steps.length - 1 ? next : null)) slider.focus();
    previous.disabled = at === 0;
    next.disabled = at === steps.length - 1;
    showStep(place, steps[at], `h${level + 1}`);
  }
  slider.addEventListener("input", () => go(Number(slider.value) - 1));
  keysOf.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target === slider) return;
    const scrolls = event.target.closest?.(".scroll");
    if (scrolls && scrolls.scrollWidth > scrolls.clientWidth) return;  // its own keys
    const to = {ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: steps.length - 1}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  });
  go(at);
  return make("section", "steps", make("div", "controls", previous, next, slider), head, place);
}

// The steps of a block of a rung, folded; null: there are none.
function blockStepsOf(rung) {
  const block = rung.blockSteps;
  if (!block) return null;
  const details = make("details", "block-steps", make("summary", "", `Steps of a block of ${rung.name}, with values`));
  details.addEventListener("toggle", () => {
    if (!details.open || details.children.length > 1) return;
    details.append(make("p", "", `${block.case}: ${block.words}`),
                   ...block.notes.map((note) => make("p", "quiet", note)));
    if (block.steps.length > 0) details.append(stepper(block.steps, {at: 0, level: 4, keysOf: details}));
  });
  return details;
}
