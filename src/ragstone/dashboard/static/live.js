// Live: the server draws, this puts it in place. Nothing under the pointer moves: what is there is changed where it
// stands, new rows come after the last one. While nobody looks at the tab of an ended run no connection is kept.
"use strict";

(() => {
  const root = document.querySelector("[data-live]");
  if (!root) return;
  const MOST = 200;
  let since = Number(root.dataset.since), waiting = 0, ran = false;

  // Make `old` like `fresh`, changing only what differs, so that drawings glide and focus stays.
  function patch(old, fresh) {
    if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) return void old.replaceWith(fresh);
    if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.data !== fresh.data) old.data = fresh.data;
      return;
    }
    for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
    children(old, fresh);
  }

  function children(old, fresh) {
    const theirs = [...fresh.childNodes];
    [...old.childNodes].slice(theirs.length).forEach((node) => node.remove());
    const ours = [...old.childNodes];
    theirs.forEach((node, place) => (place < ours.length ? patch(ours[place], node) : old.append(node)));
  }

  function read(html, inside) {
    const holder = document.createElement("template");
    holder.innerHTML = html;
    return inside ? holder.content.querySelector(inside) : holder.content;
  }

  function put(id, html) {
    const place = document.getElementById(id);
    if (place) children(place, read(html));
  }

  function rows(news) {
    const table = document.getElementById("rows"), cases = document.getElementById("cases");
    if (!table) return cases && cases.dataset.growing === "true" && news.rows.length ? reread() : undefined;
    const growing = cases.dataset.growing === "true";
    const hidden = [...table.closest("table").tHead.rows[0].cells].map((heading) => heading.hidden);
    for (const [index, html] of news.rows) {
      const there = document.getElementById(`case-${index}`);
      const fresh = read(`<table>${html}</table>`, "tr");
      [...fresh.cells].forEach((cell, place) => (cell.hidden = hidden[place]));
      if (there) {
        fresh.classList.remove("new");
        for (const [place, cell] of [...fresh.cells].entries()) if (there.cells[place]) patch(there.cells[place], cell);
      } else if (growing && table.rows.length < MOST) table.append(fresh);
      else waiting += 1;
    }
    const after = document.getElementById("after");
    const count = document.getElementById("count");
    if (growing && count) count.textContent = `${news.cases.toLocaleString("en")} ${news.cases === 1 ? "case" : "cases"}, as they arrive`;
    if (waiting) after.textContent = `${waiting.toLocaleString("en")} more ${waiting === 1 ? "case has" : "cases have"} arrived: press / or sort to see them`;
  }

  function reread() {
    waiting = 0;
    ragstone.reread("cases");
  }

  // The tab says how far the run is, whether its judge is silent, and when it has ended, also while another tab is looked at.
  function title() {
    const { state, share, waits } = document.querySelector("#head .head").dataset;
    const how = state === "running" ? `${waits}${share ? `${share} % · ` : ""}` : !ran ? "" : state === "complete" ? "✓ done · " : `${state} · `;
    document.title = how + root.dataset.title;
    ran ||= state === "running";
  }

  function told(event) {
    const news = JSON.parse(event.data);
    since = news.serial;
    put("head", news.head);
    htmx.process(document.getElementById("head"));
    title();
    put("cards", news.cards);
    put("sums", news.sums);
    if (document.querySelectorAll("table.cases thead th").length !== news.columns) reread();
    else if (news.whole && document.getElementById("cases").dataset.growing === "true") reread();
    else rows(news);
    ended();
  }

  // Rows stay in the order in which they came: sorting them is left to the reader.
  function ended() {
    const cases = document.getElementById("cases"), after = document.getElementById("after");
    if (!after || cases.dataset.growing !== "true" || document.querySelector("#head .head").dataset.state === "running") return;
    const link = document.createElement("a");
    link.href = location.pathname;
    link.textContent = "show the worst first";
    after.replaceChildren("The run has ended: ", link);
  }

  // A hidden tab keeps its connection while the run goes on, for its title.
  const needed = () => !document.hidden || document.querySelector("#head .head").dataset.state === "running";
  document.body.addEventListener("htmx:afterSwap", (event) => { if (event.target.id === "cases") waiting = 0; });
  title();
  ragstone.follow(() => `${root.dataset.live}?since=${since}`, needed, { news: told, gone: () => location.reload() });
})();
