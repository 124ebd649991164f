// What `warpgrade ui` adds to the page of a submission: a line that says what is going on, and a new page when there is
// a new verdict. The server answers a question for its state when the state has changed.
"use strict";
{
  const line = withAttributes(make("p", "status"), [["role", "status"]]);
  line.id = "ui";
  byId("main").before(line);
  const kRetryMs = 1000;
  let serial = data.ui.serial;

  function show(status, busy) {
    line.textContent = status;
    line.classList.toggle("busy", busy);
  }

  // Links in the page change what follows "#" in its address, so the address is made from the rest.
  const address = new URL("state", location.href.split("#")[0]);

  async function watch() {
    for (;;) {
      try {
        const answer = await fetch(`${address.href}?after=${serial}`, {cache: "no-store", credentials: "omit"});
        if (!answer.ok) throw new Error(String(answer.status));
        const state = await answer.json();
        serial = state.serial;
        show(state.status, state.busy);
        if (state.page !== data.ui.page) return location.reload();
      } catch {
        show("warpgrade ui has ended, or does not answer; this is its last page.", false);
        await new Promise((done) => setTimeout(done, kRetryMs));
      }
    }
  }

  // The colours that the reader has chosen, for the next page.
  const chosen = sessionStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  byId("theme").addEventListener("click", () => {
    sessionStorage.setItem("theme", document.documentElement.dataset.theme || "");
  });

  if (data.ui.page === 0) {
    setTitle(data.ui.title, "");
    startTheme();
  } else {
    showTheme();
  }
  show(data.ui.status, data.ui.busy);
  watch();
}
