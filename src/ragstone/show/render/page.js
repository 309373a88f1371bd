// The keyboard is enough: j and k go from case to case, enter opens, / searches, esc goes back. Without this script the
// page shows the same and opens by a click.
"use strict";
(() => {
  const cases = [...document.querySelectorAll(".ragstone .case")];
  const heads = document.querySelector(".ragstone .heads");
  if (!heads) return;

  const tools = document.createElement("div");
  tools.className = "tools";
  const search = Object.assign(document.createElement("input"), { type: "search", placeholder: "search" });
  search.setAttribute("aria-label", "search in the cases");
  const said = document.createElement("span");
  said.setAttribute("aria-live", "polite");
  const kinds = { "all": "", "missed": "missed", "undecided": "undecided", "not measured": "not_measured", "passed": "passed" };
  let kind = "";
  const buttons = Object.entries(kinds).map(([label, value]) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: label });
    button.addEventListener("click", () => { kind = value; filter(); });
    button.dataset.kind = value;
    return button;
  });
  const hint = document.createElement("span");
  for (const [key, meaning] of [["j", ""], ["k", "go"], ["enter", "opens"], ["/", "searches"], ["esc", "back"]]) {
    const sign = Object.assign(document.createElement("kbd"), { textContent: key });
    hint.append(sign, ` ${meaning} `);
  }
  tools.append(...buttons, search, said, hint);
  heads.before(tools);

  const texts = cases.map((item) => item.textContent.toLowerCase());
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    cases.forEach((item, index) => {
      const kept = (!kind || item.dataset.status.split(" ").includes(kind)) && words.every((word) => texts[index].includes(word));
      item.hidden = !kept;
      shown += kept;
    });
    said.textContent = `${shown} of ${cases.length}`;
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.kind === kind));
  };
  search.addEventListener("input", filter);
  filter();

  const visible = () => cases.filter((item) => !item.hidden);
  const go = (step) => {
    const items = visible();
    const at = items.findIndex((item) => item.contains(document.activeElement));
    const next = items[Math.min(items.length - 1, Math.max(0, at < 0 ? 0 : at + step))];
    next?.querySelector("summary").focus();
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = document.activeElement === search;
    if (event.key === "Escape") {
      if (typing) { search.value = ""; filter(); search.blur(); return; }
      const open = document.activeElement.closest?.("details[open]");
      if (open) { open.open = false; open.querySelector("summary").focus(); }
      return;
    }
    if (typing) return;
    if (event.key === "j") go(1);
    else if (event.key === "k") go(-1);
    else if (event.key === "/") { event.preventDefault(); search.focus(); }
  });
})();
