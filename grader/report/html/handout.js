// The page of `warpgrade handout`. Its text is in the page already; this adds what is drawn: the points of each rung and
// the ladder, above the first heading. data is that of html_handout.cc.

setTitle(data.title, data.subtitle);
document.querySelector(".skip").textContent = "Skip to the handout";

// A part of the points without any is left out, such as the throughput of lab8.
const kParts = [["correctness", "series-0"], ["technique", "series-1"], ["throughput", "series-2"], ["quiz", "series-3"]]
  .filter(([part]) => data.rungs.some((rung) => rung[part] > 0) || (part === "quiz" && data.quiz > 0));

function pointsSection() {
  const quiz = {name: "quiz", title: "Questions with numbers of your own", correctness: 0, technique: 0, throughput: 0,
                quiz: data.quiz, bonus: false};
  const rungs = [...data.rungs.map((rung) => ({...rung, quiz: 0})), ...(data.quiz > 0 ? [quiz] : [])];
  const names = rungs.map((rung) => rung.name);
  const figure = barChart({
    caption: "", label: "Chart of the points of each rung; the table below has the numbers", labels: names,
    series: kParts.map(([part, tone]) => ({label: part, values: rungs.map((rung) => rung[part]), tone})),
    height: 70 + 28 * names.length, horizontal: true,
  });
  const points = (value) => make("td", "number", value === 0 ? "" : number(value));
  const table = makeTable("Points of each rung", [
    {head: "rung", cell: (rung) => rowHead(rung.bonus ? `${rung.name}, a bonus` : rung.name)},
    {head: "task", cell: (rung) => make("td", "", rung.title)},
    ...kParts.map(([part]) => ({head: part, number: true, cell: (rung) => points(rung[part])})),
    {head: "sum", number: true, cell: (rung) => points(kParts.reduce((sum, [part]) => sum + rung[part], 0))},
  ], false);
  table.show(rungs);
  return make("section", "", make("h3", "", "Points"), figure,
              make("details", "", make("summary", "", "Numbers: Points"),
                   scrolling("Numbers: Points", table.element)));
}

const glance = byId("glance");
if (data.rungs.length > 0) glance.append(pointsSection());
for (const chart of data.charts) {
  glance.append(make("section", "", make("h3", "", chart.title), picture(chart),
                     ...chart.sentences.map((sentence) => make("p", "quiet", sentence)), numbers(chart)));
}
startTheme();
