// The keyboard is enough. A page says in its markup what keys do; nothing here knows a page.
//
//   data-row            something to walk through with j and k; enter opens the link in it, or the one it names in data-open
//   data-key="c"        pressing c clicks it (a link, a button) or, where it is a field, goes there; several: data-key="y Y"
//   data-copy           a button that copies the text of the code beside it
//   data-confirm="id"   a button that opens the dialog of that id
"use strict";

(() => {
  const rows = () => [...document.querySelectorAll("[data-row]")].filter((row) => row.offsetParent !== null);
  const typing = (target) => target.closest("input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]");

  function step(by) {
    const all = rows();
    if (!all.length) return;
    const here = all.indexOf(document.activeElement.closest?.("[data-row]"));
    const next = all[here < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, here + by))];
    next.tabIndex = -1;
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  }

  function open(row) {
    const link = row.querySelector(row.dataset.open || "a[href]");
    if (link) link.click();
  }

  function press(key) {
    for (const found of document.querySelectorAll("[data-key]")) {
      if (!found.dataset.key.split(" ").includes(key) || found.disabled || found.offsetParent === null) continue;
      if (found.matches("input:not([type=checkbox]):not([type=radio]), textarea, select")) found.focus();
      else found.click();
      return true;
    }
    return false;
  }

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key, target } = event;
    if (document.querySelector("dialog[open]")) return;
    if (typing(target)) {
      if (key === "Escape") target.blur();
      return;
    }
    if (key === "j" || key === "k") step(key === "j" ? 1 : -1);
    else if (key === "Enter" && target.matches("[data-row]")) open(target);
    else if (!press(key)) return;
    event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    const { target } = event;
    const copy = target.closest("[data-copy]");
    if (copy) {
      navigator.clipboard?.writeText(copy.parentElement.querySelector("code").textContent);
      copy.textContent = "copied";
    }
    const confirm = target.closest("[data-confirm]");
    if (confirm) document.getElementById(confirm.dataset.confirm).showModal();
    const cancel = target.closest("[data-cancel]");
    if (cancel) cancel.closest("dialog").close();
    const row = target.closest("tr[data-row]");
    if (row && !target.closest("a, button, input, label, summary, select") && !String(getSelection())) open(row);
  });
})();
