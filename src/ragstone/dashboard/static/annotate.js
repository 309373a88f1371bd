// Keys for claims: y, n, ? and u go to the claim that is in focus, or to the first that has no verdict yet. Where it
// stands in the answer is lit. After each verdict the focus is on the next one, and the figures are worked out anew.
"use strict";

(() => {
  const rows = () => [...document.querySelectorAll(".to-judge > li")];
  const now = () => rows().find((row) => row.contains(document.activeElement)) || rows().find((row) => row.matches(".now"));

  function light(row) {
    for (const lit of document.querySelectorAll("a.claim.on")) lit.classList.remove("on");
    for (const other of rows()) other.classList.toggle("now", other === row);
    if (!row) return;
    const key = CSS.escape(row.dataset.claim);
    for (const part of document.querySelectorAll(`a.claim[data-claim~="${key}"]`)) part.classList.add("on");
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
    const button = now()?.querySelector(`[data-say="${CSS.escape(event.key.toLowerCase())}"]`);
    if (!button) return;
    event.preventDefault();
    button.click();
  }, true);

  document.addEventListener("focusin", (event) => {
    const row = event.target.closest?.(".to-judge > li");
    if (row) light(row);
  });
  document.addEventListener("click", (event) => {
    const claim = event.target.closest("a.claim");
    if (!claim) return;
    event.preventDefault();
    rows().find((row) => row.dataset.claim === claim.dataset.claim.split(" ")[0])?.focus();
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id !== "annotation" && !event.target.querySelector?.("#annotation")) return;
    document.getElementById("h-case")?.focus({ preventScroll: true });
    light(now());
    document.body.dispatchEvent(new Event("said"));
  });
  light(now());
})();
