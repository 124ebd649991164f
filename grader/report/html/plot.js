// The page of `warpgrade plot`: the facts of the measurement, then for each chart its picture, what one sees in it, and
// its numbers. data is that of html_plot.cc.

const main = byId("main");
setTitle(data.title, "");
const facts = make("tbody", "", ...data.facts.map(([name, value]) => make("tr", "", rowHead(name), make("td", "", value))));
main.append(make("table", "facts", withAttributes(make("caption", "hidden", "How it was measured"), []), facts));
for (const chart of data.charts) {
  main.append(make("section", "", make("h2", "", chart.title), picture(chart),
                   ...chart.sentences.map((sentence) => make("p", "", sentence)), numbers(chart)));
}
startTheme();
