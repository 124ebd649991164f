// The pictures below lines of the source: the lanes of a warp and the banks of shared memory, the sectors of global
// memory, the steps of a warp at a branch, or the two accesses of a race. What is drawn was computed in C++
// (html_pictures.cc); this only places it.

const kSvg = "http://www.w3.org/2000/svg";
const kLanes = 32, kSectorsOfLine = 4, kBytesOfSector = 32;

// An element of a drawing. A child that is no element is text.
function makeSvg(tag, className, attributes, ...children) {
  const element = document.createElementNS(kSvg, tag);
  element.setAttribute("class", className);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return element;
}

// What the pointer shows.
const tip = (text) => makeSvg("title", "", {}, text);

function drawing(label, width, height, ...children) {
  const svg = makeSvg("svg", "picture", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label},
                      ...children);
  return scrolling(label, svg, "drawing");
}

// 32 boxes in a row, from 0 on.
function boxes(y, className, boxClass, size, left, textOf, tipOf) {
  const row = makeSvg("g", className, {});
  for (let i = 0; i < kLanes; ++i) {
    const x = left + i * size;
    row.append(makeSvg("rect", `box ${boxClass(i)}`, {x, y, width: size - 2, height: size - 2}, tip(tipOf(i))),
               makeSvg("text", "", {x: x + size / 2 - 1, y: y + size / 2 + 3}, textOf(i)));
  }
  return row;
}

// `cells`: [[lane, bank, turn, whether the lane waits for another one], ...].
function drawBanks(picture) {
  const size = 22, left = 56, top = 8, low = 168;
  const middle = (i) => left + i * size + size / 2 - 1;
  const lanes = new Set(picture.cells.map(([lane]) => lane));
  const turnsOf = (bank) => new Set(picture.cells.filter((cell) => cell[1] === bank).map((cell) => cell[2]));
  const turns = Array.from({length: kLanes}, (_, bank) => turnsOf(bank).size);
  const crowded = new Set(picture.cells.filter((cell) => cell[3]).map((cell) => cell[1]));
  const wires = picture.cells.map(([lane, bank, turn, waits]) => makeSvg(
      "line", waits ? "wire later" : "wire",
      {x1: middle(lane), y1: top + size, x2: middle(bank), y2: low - 2, "data-turn": turn},
      tip(`lane ${lane}, bank ${bank}: turn ${turn}`)));
  return drawing(
      picture.words, left + kLanes * size, low + size + 24, ...wires,
      makeSvg("text", "label", {x: 0, y: top + 14}, "lane"),
      boxes(top, "lanes", (lane) => (lanes.has(lane) ? "" : "idle"), size, left, String,
            (lane) => (lanes.has(lane) ? `lane ${lane}` : `lane ${lane} is not active`)),
      makeSvg("text", "label", {x: 0, y: low + 14}, "bank"),
      boxes(low, "banks", (bank) => (crowded.has(bank) ? "later" : turns[bank] > 0 ? "used" : "idle"), size,
            left, String, (bank) => `bank ${bank}: ${words(turns[bank], "turn")}`),
      makeSvg("text", "label", {x: 0, y: low + size + 16}, "turns"),
      ...turns.map((count, bank) => makeSvg("text", "turns", {x: middle(bank), y: low + size + 16},
                                            count > 0 ? count : "")));
}

// `rows`: [[name of the line of 128 bytes, sector in it, wanted bytes as 0 and 1, lanes], ...].
function drawSectors(picture) {
  const height = 18, left = 150, byte = 4, sector = kBytesOfSector * byte + 8;
  const lines = new Map();
  for (const row of picture.rows) lines.set(row[0], [...(lines.get(row[0]) || []), row]);
  const parts = [];
  let y = 4;
  for (const [name, rows] of lines) {
    parts.push(makeSvg("text", "label", {x: 0, y: y + 12}, name));
    for (let inLine = 0; inLine < kSectorsOfLine; ++inLine) {
      const x = left + inLine * sector, row = rows.find((one) => one[1] === inLine);
      const frame = {x, y, width: kBytesOfSector * byte, height: height - 4};
      if (!row) {
        parts.push(makeSvg("rect", "sector", frame, tip(`sector ${inLine}: not moved`)));
        continue;
      }
      const wanted = row[2].split("1").length - 1;
      const said = `sector ${inLine}: ${wanted} of 32 bytes are wanted, by ${row[3]}`;
      parts.push(makeSvg("rect", "sector moved", frame, tip(said)));
      for (const run of row[2].matchAll(/1+/g)) {
        parts.push(makeSvg("rect", "wanted", {x: x + run.index * byte, y, width: run[0].length * byte,
                                              height: height - 4}, tip(said)));
      }
    }
    y += height;
  }
  return drawing(picture.words, left + kSectorsOfLine * sector, y, ...parts);
}

// `steps`: [[first, last, lanes that are active, lanes that wait], ...], where lanes are text of 0 and 1.
function drawSteps(picture) {
  const size = 14, left = 84, top = 18;
  const parts = [];
  for (let lane = 0; lane < kLanes; lane += 8) {
    parts.push(makeSvg("text", "label", {x: left + lane * size, y: 12}, lane));
  }
  picture.steps.forEach(([first, last, active, waits], index) => {
    const y = top + index * size;
    parts.push(makeSvg("text", "label", {x: 0, y: y + 10}, first === last ? `step ${first}` : `${first} to ${last}`));
    for (let lane = 0; lane < kLanes; ++lane) {
      const [state, said] = active[lane] === "1" ? ["active", "is active"]
          : waits[lane] === "1" ? ["waits", "waits"] : ["ended", "has ended"];
      parts.push(makeSvg("rect", `lane ${state}`, {x: left + lane * size, y, width: size - 2, height: size - 2},
                         tip(`lane ${lane} ${said}`)));
    }
  });
  return drawing(picture.words, left + kLanes * size + 160, top + picture.steps.length * size + 4, ...parts);
}

// `accesses`: the two of a race, [{thread, where, lane, deed, code}, ...]; `missing`: what would order them. Time goes
// down, and each thread has a line of its own.
function drawRace(picture) {
  const left = 76, column = 396, lane = 10, top = 62, below = 238, firstAt = 94, barrier = 142, secondAt = 178;
  const {accesses: [first, second], missing} = picture;
  const parts = [
    makeSvg("desc", "", {}, `First ${first.thread}, ${first.where}: ${first.deed}. Then ${missing}. Then ` +
        `${second.thread}, ${second.where}: ${second.deed}.`),
    makeSvg("text", "label", {x: 0, y: 14}, "time"),
    makeSvg("line", "time", {x1: 14, y1: 24, x2: 14, y2: below - 8}),
    makeSvg("path", "tip", {d: `M 9 ${below - 10} L 19 ${below - 10} L 14 ${below} Z`}),
  ];
  [[first, firstAt], [second, secondAt]].forEach(([access, at], index) => {
    const x = left + index * column;
    parts.push(makeSvg("text", "thread", {x, y: 14}, access.thread),
               makeSvg("text", "label", {x, y: 32}, access.where));
    for (let i = 0; i < kLanes; ++i) {
      parts.push(makeSvg("rect", i === access.lane ? "lane active" : "lane ended",
                         {x: x + i * lane, y: 40, width: lane - 2, height: lane - 2}, tip(`lane ${i}`)));
    }
    parts.push(makeSvg("line", "life", {x1: x + 4, y1: top, x2: x + 4, y2: below}),
               makeSvg("circle", "access", {cx: x + 4, cy: at, r: 5}, tip(`${access.thread} ${access.deed}`)),
               makeSvg("text", "deed", {x: x + 18, y: at + 4}, access.deed),
               makeSvg("text", "code", {x: x + 18, y: at + 22}, access.code));
  });
  const right = left + 2 * column - 20, middle = left + column / 2, half = 4 * missing.length + 12;
  for (const [x1, x2] of [[left - 8, middle - half], [middle + half, right]]) {
    parts.push(makeSvg("line", "missing", {x1, y1: barrier, x2, y2: barrier}));
  }
  parts.push(makeSvg("text", "missing", {x: middle, y: barrier + 4}, missing));
  return drawing(picture.words, right, below + 4, ...parts);
}

function draw(picture) {
  if (picture.accesses) return drawRace(picture);
  if (picture.cells) return drawBanks(picture);
  return picture.rows ? drawSectors(picture) : drawSteps(picture);
}

// Folded, because a page may have many.
function pictureOf(picture) {
  const details = make("details", "", make("summary", "", `Picture: ${picture.words}`));
  details.addEventListener("toggle", () => {
    if (!details.open || details.children.length > 1) return;
    details.append(draw(picture), ...picture.notes.map((note) => make("p", "", note)));
  });
  return details;
}
