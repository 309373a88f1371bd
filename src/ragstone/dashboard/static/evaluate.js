// Evaluate: what the chosen group measures is named, metrics are found by a word, an old complaint goes with a change.
"use strict";

(() => {
  const order = document.getElementById("order");
  const find = document.getElementById("find"), found = document.getElementById("found");
  find.hidden = false;

  function preset() {
    const chosen = order.querySelector('input[name="preset"]:checked')?.value ?? "";
    for (const told of document.querySelectorAll(".in-preset")) told.hidden = told.dataset.preset !== chosen;
  }

  function search() {
    const words = find.value.trim().toLowerCase();
    const offers = [...document.querySelectorAll(".offer")];
    for (const offer of offers) offer.hidden = !!words && !offer.textContent.toLowerCase().includes(words);
    const left = offers.filter((offer) => !offer.hidden);
    for (const fold of order.querySelectorAll("details:has(.offer)")) if (words) fold.open = left.some((offer) => fold.contains(offer));
    found.textContent = words ? `${left.length} of ${offers.length}` : "";
  }

  find.addEventListener("input", search);
  find.addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(); });
  order.addEventListener("change", (event) => {
    if (event.target.matches('#file, #paste, #earlier, [name="source"]')) document.getElementById("preview").replaceChildren();
    preset();
    document.querySelector("main > .alert")?.remove();
  });
  preset();
})();
