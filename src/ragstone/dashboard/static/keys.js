// The keyboard is enough. A page says in its markup what keys do; nothing here knows a page.
//
//   data-row            something to walk through with j and k; enter opens the link in it, or the one it names in data-open
//   data-key="c"        pressing c clicks it (a link, a button) or, where it is a field, goes there; several: data-key="y Y"
//   data-copy           a button that copies the text of the code beside it, or of the address in its value
//   data-href           a part of a drawing that leads somewhere by the pointer; by the keyboard a form leads there too
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

  // What did not arrive is told of on every page: a verdict that was not stored must not look like one that was.
  const lost = document.getElementById("lost");
  function tell(text) {
    lost.textContent = text;
    lost.hidden = !text;
  }
  document.addEventListener("htmx:sendError", () => tell("The server does not answer. Nothing was stored: try again when it is back."));
  document.addEventListener("htmx:timeout", () => tell("The server did not answer in time: try again."));
  document.addEventListener("htmx:responseError", (event) => tell(`The server refused this (${event.detail.xhr.status}): nothing was stored.`));
  document.addEventListener("htmx:afterOnLoad", (event) => { if (event.detail.successful !== false && event.detail.xhr.status < 400) tell(""); });
  document.addEventListener("ragstone:lost", () => tell("The connection to the server is lost. What is shown may be old; it is tried again every few seconds."));
  document.addEventListener("ragstone:found", () => tell(""));

  document.addEventListener("click", (event) => {
    const { target } = event;
    const copy = target.closest("[data-copy]");
    if (copy) {
      const text = copy.dataset.copy ? fetch(copy.dataset.copy).then((answer) => answer.text()) : copy.parentElement.querySelector("code").textContent;
      Promise.resolve(text).then((found) => navigator.clipboard?.writeText(found)).then(() => (copy.textContent = "copied"), () => (copy.textContent = "not copied"));
    }
    const confirm = target.closest("[data-confirm]");
    if (confirm) document.getElementById(confirm.dataset.confirm).showModal();
    const cancel = target.closest("[data-cancel]");
    if (cancel) cancel.closest("dialog").close();
    const pick = target.closest("[data-href]");
    if (pick) location.assign(pick.dataset.href);
    const row = target.closest("tr[data-row]");
    if (row && !target.closest("a, button, input, label, summary, select") && !String(getSelection())) open(row);
  });
})();
