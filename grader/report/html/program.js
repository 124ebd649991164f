// The page of one CUDA program: figures, the findings, its kernels under the roofline, and its sources with what was
// counted at each line. data is that of html_program.cc.

const kMicro = 1e3, kMilli = 1e6, kSecond = 1e9;  // in nanoseconds

function time(ns) {
  if (ns < kMilli) return `${number(ns / kMicro)} µs`;
  return ns < kSecond ? `${number(ns / kMilli)} ms` : `${number(ns / kSecond)} s`;
}

const grouped = (value) => value.toLocaleString("en-US", {maximumFractionDigits: 2});
const sum = (values) => values.reduce((all, value) => all + value, 0);

function showFigures(main) {
  const kernels = data.kernels;
  const items = [figureItem(data.found, data.found === 1 ? "finding" : "findings")];
  if (kernels.length > 0) {
    items.push(figureItem(kernels.length, kernels.length === 1 ? "kernel" : "kernels"),
               figureItem(sum(kernels.map((kernel) => kernel.launches)), "launches"),
               figureItem(time(sum(kernels.map((kernel) => kernel.ns))), "by the time model, not measured"));
  }
  main.append(make("ul", "figures", ...items));
  for (const note of data.notes) main.append(make("div", "note", note));
}

function showFindings(main) {
  const section = make("section", "", make("h2", "", "Findings"));
  main.append(section);
  if (data.findings.length === 0) section.append(make("p", "quiet", "None."));
  for (const finding of data.findings) {
    const note = make("div", "note bad");
    if (finding.link) {
      const [source, line] = finding.link;
      const link = make("a", "", finding.place);
      link.href = `#line-${source}-${line}`;
      link.addEventListener("click", () => unfold(String(source), line));
      note.append(link);
    } else {
      note.append(finding.place);
    }
    note.append(`${finding.place ? "  " : ""}${finding.title}\n${finding.text}`);
    section.append(note);
  }
}

// ---- kernels ------------------------------------------------------------------------------------------------------

function showKernels(main) {
  if (data.kernels.length === 0) return;
  const section = make("section", "", make("h2", "", "Kernels"));
  main.append(section);
  if (data.roofline) {
    section.append(make("h3", "", data.roofline.title), picture(data.roofline),
                   ...data.roofline.sentences.map((sentence) => make("p", "", sentence)), numbers(data.roofline));
  }
  const all = sum(data.kernels.map((kernel) => kernel.ns));
  const column = (head, key, unit = "") => ({head, number: true, key,
    cell: (kernel) => make("td", "number", key(kernel) === null ? "–" : `${grouped(key(kernel))}${unit}`)});
  const table = makeTable("What each kernel did. Choose the head of a column to sort by it", [
    {head: "kernel", key: (kernel) => kernel.name, cell: (kernel) => rowHead(kernel.name)},
    {head: "model time", number: true, key: (kernel) => kernel.ns, cell: (kernel) => make("td", "number", time(kernel.ns))},
    column("share", (kernel) => (all > 0 ? 100 * kernel.ns / all : null), " %"),
    column("launches", (kernel) => kernel.launches),
    column("instructions", (kernel) => kernel.instructions),
    column("active lanes", (kernel) => kernel.lanes),
    column("loads used", (kernel) => kernel.loads, " %"),
    column("stores used", (kernel) => kernel.stores, " %"),
    column("bank conflicts", (kernel) => kernel.conflicts),
    column("flop", (kernel) => kernel.flop),
  ], true, "kernels");
  table.show(data.kernels);
  section.append(scrolling("What each kernel did", table.element));
  section.append(make("p", "quiet", "The counts are exact. The time is not measured: a model without caches and " +
      "waiting times computes it. Loads and stores used: the share of the moved bytes that the kernel asked for."));
  for (const kernel of data.kernels) {
    const rows = kernel.facts.map(([name, words]) => make("tr", "", rowHead(name), make("td", "", words)));
    const facts = make("table", "facts", make("caption", "hidden", `Counts of ${kernel.name}`), make("tbody", "", ...rows));
    section.append(make("details", "", make("summary", "", `Counts of ${kernel.name}`), facts));
  }
}

// ---- sources ------------------------------------------------------------------------------------------------------

const kMostOpen = 3;  // sources without anything to look at that are not folded away

function showSources(main) {
  if (data.sources.length === 0) return;
  const section = make("section", "", make("h2", "", "Sources"));
  main.append(section);
  if (data.sources.some((source) => source.counters)) section.append(make("p", "quiet", marginWords("all launches")));
  data.sources.forEach((entry, index) => {
    const source = {...entry, shown: entry.counters ? entry.counters.lines.map(([line]) => line) : []};
    section.append(make("h3", "", source.name));
    if (source.marks.length > 0 || (source.shown.length > 0 && index < kMostOpen)) {
      section.append(sourceOf(source, String(index)));
      return;
    }
    const details = make("details", "", make("summary", "", `Source of ${source.name}`));
    details.addEventListener("toggle", () => {
      if (details.open && details.children.length === 1) details.append(sourceOf(source, String(index)));
    });
    section.append(details);
  });
}

// ---- the page -----------------------------------------------------------------------------------------------------

const main = byId("main");
setTitle(data.program, `Checked and counted on the emulator, as ${data.device}`);
showFigures(main);
showFindings(main);
showKernels(main);
showSources(main);
startTheme();
