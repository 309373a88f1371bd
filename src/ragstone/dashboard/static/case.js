// A claim under the pointer, in focus or clicked: it, what is said of it, and the words it rests on are lit together.
// Without this script its link leads to what is said of it, and that to the passage.
"use strict";

(() => {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const all = (key) => document.querySelectorAll(`[data-claim~="${CSS.escape(key)}"]`);
  let kept = "";

  function light(key) {
    for (const lit of document.querySelectorAll("[data-claim].on")) lit.classList.remove("on");
    if (key) for (const part of all(key)) part.classList.add("on");
  }

  function show(part) {
    const box = part.getBoundingClientRect();
    if (box.top >= 0 && box.bottom <= innerHeight) return;
    part.scrollIntoView({ block: "center", behavior: still.matches ? "auto" : "smooth" });
  }

  function keep(key, follow) {
    kept = key;
    light(key);
    const passage = [...all(key)].find((part) => part.matches("mark"));
    if (follow && passage) show(passage);
    return passage;
  }

  const keyOf = (target) => target.closest?.("[data-claim]")?.dataset.claim.split(" ")[0] || "";

  document.addEventListener("pointerover", (event) => { if (event.pointerType === "mouse") light(keyOf(event.target) || kept); });
  document.addEventListener("focusin", (event) => { const key = keyOf(event.target); if (key) keep(key, false); });
  document.addEventListener("click", (event) => {
    const go = event.target.closest("[data-go]");
    const claim = event.target.closest("[data-claim]");
    if (go ? keep(go.dataset.go, true) : claim?.matches("a.claim, mark") && keep(keyOf(claim), claim.matches("a"))) {
      event.preventDefault();
    } else if (claim) keep(keyOf(claim), false);
  });
  // A long passage is shown around the words that decide; all of it on demand.
  for (const box of document.querySelectorAll(".folded")) {
    const mark = box.querySelector("mark.contradicted") || box.querySelector("mark");
    if (mark) box.scrollTop = Math.max(0, mark.offsetTop - box.clientHeight / 3);
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-unfold]");
    if (!button) return;
    const open = button.closest(".words").querySelector(".folded").classList.toggle("whole");
    button.setAttribute("aria-expanded", open);
    button.textContent = open ? "show less" : "show all";
  });
  if (location.hash.length > 1 && all(location.hash.slice(1)).length) keep(location.hash.slice(1), false);
})();
