// Differences and causes that do not come are told of: where the server fails or is gone, nothing may go on saying "working".
"use strict";

for (const kind of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(kind, (event) => {
    const working = event.target.closest?.(".working");
    if (!working) return;
    working.setAttribute("aria-busy", "false");
    working.classList.add("over");
    working.querySelector(".failed").hidden = false;
    const facts = document.getElementById("facts");
    if (facts) facts.textContent = "not compared";
  });
}
