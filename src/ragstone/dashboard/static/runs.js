// The list of runs: trends are drawn, chosen runs are counted, and the list is read anew when a run has moved on.
"use strict";

(() => {
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function draw(place) {
    const { at, mean, low, high, run } = JSON.parse(place.dataset.points);
    const [ink, line, wash, quiet] = ["--ink", "--line", "--wash", "--quiet"].map(colour);
    const font = `11px ${getComputedStyle(document.body).fontFamily}`;
    const ordinal = at.map((_, index) => index);
    const ends = [...mean, ...low, ...high].filter((value) => value !== null);
    const bottom = Math.max(0, Math.floor(Math.min(...ends) * 10 - 0.5) / 10), top = Math.min(1, Math.ceil(Math.max(...ends) * 10 + 0.5) / 10);
    place.replaceChildren();
    const tip = document.createElement("div");
    tip.className = "tip quiet";
    const chart = new uPlot({
      width: place.clientWidth, height: 96, padding: [6, 8, 8, 0], legend: { show: false },
      cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
      scales: { x: { time: false, range: [-0.3, at.length - 0.7] }, y: { range: [bottom, top] } },
      axes: [
        { show: false },
        { stroke: quiet, font, size: 30, gap: 4, splits: [bottom, (bottom + top) / 2, top], values: (_, all) => all.map((value) => value.toFixed(2).replace(/0$/, "")),
          grid: { stroke: line, width: 1 }, ticks: { show: false } },
      ],
      series: [{}, { stroke: "transparent", points: { show: false } }, { stroke: "transparent", points: { show: false } },
        { stroke: ink, width: 1.5, points: { show: true, size: 5, fill: ink, stroke: ink } }],
      bands: [{ series: [2, 1], fill: wash }],
      hooks: { setCursor: [({ cursor: { idx } }) => {
        tip.textContent = idx == null ? "" : `${run[idx]} ${mean[idx].toFixed(2)}`;
      }] },
    }, [ordinal, low, high, mean], place);
    place.append(tip);
    return chart;
  }

  function drawAll() {
    document.querySelectorAll(".trend").forEach(draw);
  }

  function count() {
    const list = document.getElementById("list");
    if (!list) return;
    const chosen = list.querySelectorAll('input[name="runs"]:checked').length;
    const [compare, discard, told] = ["compare", "discard", "chosen"].map((id) => document.getElementById(id));
    if (!compare) return;
    compare.disabled = chosen < 2 || chosen > 5;
    if (discard) discard.disabled = !chosen;
    told.textContent = chosen ? `${chosen} chosen` : "choose two to five runs to compare";
  }

  document.addEventListener("change", count);
  document.addEventListener("keydown", (event) => {
    if (event.key !== " " || !event.target.matches("tr[data-row]")) return;
    event.preventDefault();
    event.target.querySelector('input[name="runs"]').click();
  });
  addEventListener("load", () => (drawAll(), count()));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  let width = innerWidth;
  addEventListener("resize", () => innerWidth !== width && ((width = innerWidth), drawAll()));

  // Read the list anew when something has happened; what is chosen stays chosen, what has focus keeps it.
  let due = null, kept = [], at = null;
  function read() {
    due = document.querySelector("dialog[open]") ? setTimeout(read, 1000) : null;
    if (due) return;
    if (document.getElementById("list")) ragstone.reread("list");
    else location.reload();
  }
  document.body.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.target.id !== "list") return;
    kept = [...document.querySelectorAll('input[name="runs"]:checked')].map((box) => box.value);
    at = document.activeElement?.closest?.("tr[data-row]")?.id;
  });
  document.body.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id !== "list") return;
    for (const value of kept) {
      const box = document.querySelector(`input[name="runs"][value="${CSS.escape(value)}"]`);
      if (box) box.checked = true;
    }
    const row = at && document.getElementById(at);
    if (row) (row.tabIndex = -1), row.focus({ preventScroll: true });
    count();
  });
  const address = () => document.querySelector("[data-runs]")?.dataset.runs;
  ragstone.follow(address, () => !document.hidden && address(), { runs: () => (due ??= setTimeout(read, 200)) });
})();
