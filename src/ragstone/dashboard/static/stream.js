// For pages that show what goes on: a stream of the server's events, and reading a part of the page anew.
"use strict";

const ragstone = (() => {
  const AGAIN = 3000, MOST = 60000, SILENT = 45000;  // milliseconds; the server sends something every 15 seconds
  const tell = (what) => document.dispatchEvent(new Event(`ragstone:${what}`));

  // Keep a stream open while it is needed. A stream that was silent for long is opened anew: after a night's sleep,
  // or behind a proxy, a connection can be dead and the browser does not know it.
  function follow(address, needed, handlers) {
    let source = null, heard = 0;

    function look() {
      if (source || !needed()) return;
      source = new EventSource(address());
      heard = Date.now();
      for (const [name, handle] of Object.entries({ still() {}, ...handlers }))
        source.addEventListener(name, (event) => ((heard = Date.now()), handle(event)));
      source.addEventListener("open", () => tell("found"));
      source.addEventListener("error", () => {
        tell("lost");
        if (source?.readyState !== EventSource.CLOSED) return;  // refused: the browser does not try again by itself
        rest();
        setTimeout(look, AGAIN);
      });
    }

    function rest() {
      source?.close();
      source = null;
    }

    document.addEventListener("visibilitychange", () => (needed() ? look() : rest()));
    addEventListener("pagehide", rest);
    addEventListener("pageshow", look);
    setInterval(() => source && Date.now() - heard > SILENT && (rest(), look()), AGAIN * 5);
    look();
  }

  // Replace an element by what the server says now. What failed is tried again, less and less often.
  const wanted = new Set(), reading = new Set();
  async function reread(id) {
    wanted.add(id);
    if (reading.has(id)) return;
    reading.add(id);
    for (let pause = AGAIN; wanted.delete(id);) {
      const old = document.getElementById(id);
      const asked = old && htmx.ajax("GET", location.href, { target: old, select: `#${id}`, swap: "outerHTML show:none" });
      await asked?.catch(() => {});
      if (document.getElementById(id) !== old || !old) {
        pause = AGAIN;
        continue;
      }
      wanted.add(id);
      tell("lost");
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(2 * pause, MOST);
    }
    reading.delete(id);
  }

  return { follow, reread };
})();
