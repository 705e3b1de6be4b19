// Small comforts on top of pages that work without scripts: menus that close,
// keys, exact values on hover and focus, copying them, the explain drawer.
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const all = (s, root = document) => Array.from(root.querySelectorAll(s));
  const inField = (el) => el.closest("input,textarea,select,[contenteditable]") !== null;
  const say = (text) => { byId("live").textContent = text; };

  // Groups of the rail stay as they were folded, as long as the browser remembers; that
  // of the page in sight is never folded by memory.
  for (const g of all("details[data-fold]")) {
    const key = "fold " + g.dataset.fold;
    try {
      const was = localStorage.getItem(key);
      if (was && !g.querySelector("[aria-current]")) g.open = was === "open";
      g.addEventListener("toggle", () => { try { localStorage.setItem(key, g.open ? "open" : "folded"); } catch { /* full */ } });
    } catch { /* no storage: until the next page */ }
  }

  // Explanations open in the drawer; on their own pages, and where the user asks for a tab or the page, they do not.
  // The drawer opens when htmx has filled it; focus returns to the figure, also after links within the drawer.
  document.addEventListener("click", (e) => {
    const a = e.target.closest('a[href^="/explain/"]:not([data-page])');
    if (!a || e.defaultPrevented || e.button || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
    if (location.pathname.startsWith("/explain/") || typeof htmx === "undefined") return;
    e.preventDefault();
    if (!a.closest("#drawer")) opener = a;
    htmx.ajax("GET", a.getAttribute("href"), { source: a, target: "#drawer" });
  });
  let opener = null;
  const closeDrawer = () => {
    const d = byId("drawer");
    if (!d.classList.contains("on")) return false;
    d.classList.remove("on");
    d.replaceChildren();
    document.body.classList.remove("pushed");
    if (opener && opener.isConnected) opener.focus();
    opener = null;
    return true;
  };
  // What was refused is shown where it was asked for: in the drawer, in a row.
  document.addEventListener("htmx:beforeSwap", (e) => {
    const html = (e.detail.xhr.getResponseHeader("Content-Type") || "").startsWith("text/html");
    if (e.detail.xhr.status >= 400 && html && e.detail.target.matches("#drawer,tbody")) e.detail.shouldSwap = true;
  });
  document.addEventListener("htmx:afterSwap", (e) => {
    if (shown && !shown.el.isConnected) hideTip(); // what it told of was replaced
    if (e.target.id !== "drawer") return;
    e.target.scrollTop = 0;
    e.target.classList.add("on");
    document.body.classList.add("pushed");
    e.target.focus();
  });

  // Parts of a page that are loaded apart come five at once at most. One that does not come says so in its place.
  const queue = [];
  let fetching = 0;
  const isQueued = (el) => el instanceof Element && el.hasAttribute("data-queued");
  const fetchNext = () => {
    while (fetching < 5 && queue.length > 0) {
      fetching++;
      queue.shift().issueRequest(true);
    }
  };
  document.addEventListener("htmx:confirm", (e) => {
    if (!isQueued(e.target)) return;
    e.preventDefault();
    const part = e.target.closest("[data-part]");
    if (part) part.setAttribute("aria-busy", "true");
    queue.push(e.detail);
    fetchNext();
  });
  document.addEventListener("htmx:afterRequest", (e) => {
    if (!isQueued(e.detail.elt)) return;
    fetching--;
    fetchNext();
    const old = e.detail.elt.closest("[data-part]");
    if (e.detail.successful || !old) return;
    old.removeAttribute("aria-busy");
    const note = old.querySelector("[role=status]");
    const text = e.detail.xhr && e.detail.xhr.status ? "The server answered " + e.detail.xhr.status + "." : "The server did not answer.";
    if (note) note.replaceChildren(text + " ", Object.assign(document.createElement("a"), { href: location.href, textContent: "Load the page again" }));
  });
  document.addEventListener("htmx:load", (e) => {
    const part = e.detail.elt;
    if (!part.matches || !part.matches("[data-part]")) return;
    walkable(part);
    const title = part.querySelector("h1,h2");
    if (title && document.activeElement === document.body && part.dataset.part === asked) {
      title.tabIndex = -1; // where the button was
      title.focus();
    }
    if (title) say("Loaded: " + title.textContent);
  });
  let asked = ""; // the part whose button was pressed
  document.addEventListener("click", (e) => {
    const button = e.target.closest("a[data-queued]");
    if (button) asked = button.closest("[data-part]").dataset.part;
  });

  // One tip for exact values: on hover, on focus, and on the bars of a chart.
  // It takes the title's place while it is shown, so that there is only one.
  const tip = byId("tip");
  let shown = null;
  let leaving = 0;
  const textOf = (el) => el.getAttribute("title") || (el.querySelector(":scope > title") || {}).textContent || "";
  const hideTip = () => {
    clearTimeout(leaving);
    if (!shown) return;
    if (shown.was && !shown.el.hasAttribute("title")) shown.el.setAttribute("title", shown.was);
    shown.el.classList.remove("on");
    shown = null;
    tip.hidden = true;
  };
  const showTip = (el, text = textOf(el)) => {
    if (shown && shown.el === el && text === "") return;
    hideTip();
    if (text === "") return;
    shown = { el, was: el.getAttribute("title") };
    el.removeAttribute("title");
    tip.textContent = text;
    tip.hidden = false;
    const at = el.getBoundingClientRect();
    const left = Math.max(8, Math.min(at.left, document.documentElement.clientWidth - tip.offsetWidth - 8));
    let top = at.bottom + 4;
    if (top + tip.offsetHeight > window.innerHeight - 4) top = Math.max(4, at.top - tip.offsetHeight - 4);
    tip.style.left = left + "px";
    tip.style.top = top + "px";
  };
  const tipped = ".fig,.big,.mid,.tag,.strip>i,code[title],.hit,.mk,th[title],a.def[title]";
  document.addEventListener("mouseover", (e) => {
    if (tip.contains(e.target)) {
      clearTimeout(leaving);
      return;
    }
    const el = e.target.closest(tipped);
    if (el) {
      clearTimeout(leaving);
      showTip(el);
    } else if (shown && shown.el !== document.activeElement) {
      clearTimeout(leaving);
      leaving = setTimeout(hideTip, 120);
    }
  });
  document.addEventListener("focusin", (e) => {
    if (e.target.matches(tipped)) showTip(e.target);
    else hideTip();
  });
  document.addEventListener("scroll", hideTip, { passive: true });

  const copyValue = (el) => {
    const text = el.getAttribute("data-copy") || el.getAttribute("data-exact");
    if (!text || !navigator.clipboard) return;
    navigator.clipboard.writeText(text).then(() => {
      say("Copied " + text);
      showTip(el, "Copied " + text);
    }, () => say("The browser did not allow copying."));
  };

  document.addEventListener("click", (e) => {
    for (const menu of all("details.menu[open]")) {
      if (!menu.contains(e.target)) menu.open = false;
    }
    if (e.target.closest(".close")) closeDrawer();
    if (e.target.closest("[data-keys]")) byId("keys").showModal();
    const copy = e.target.closest("[data-copy]");
    if (copy) copyValue(copy);
    const fig = e.target.closest(".fig");
    if (fig && !fig.closest("a")) enter(fig);
  });

  // Figures of a table are reached with enter and arrows, not one by one with tab.
  const enter = (fig) => {
    if (!fig) return;
    if (!fig.hasAttribute("tabindex")) fig.tabIndex = -1;
    fig.focus();
  };
  const moveInTable = (fig, key) => {
    const cell = fig.closest("td,th");
    const row = cell && cell.parentElement;
    if (!row) return false;
    const rows = all("tr", row.closest("table"));
    const stepX = { ArrowLeft: -1, ArrowRight: 1 }[key] || 0;
    const stepY = { ArrowUp: -1, ArrowDown: 1 }[key] || 0;
    let x = cell.cellIndex + stepX;
    let y = rows.indexOf(row) + stepY;
    for (; rows[y] && rows[y].cells[x]; x += stepX, y += stepY) {
      const next = rows[y].cells[x].querySelector(".fig");
      if (next) {
        enter(next);
        return true;
      }
    }
    return true;
  };

  // Arrows walk over the bars of a chart; each is read out.
  const walkable = (root) => {
    for (const chart of all("svg.chart", root)) {
      if (chart.querySelector(".hit")) chart.setAttribute("tabindex", "0");
    }
  };
  walkable(document);
  const moveInChart = (chart, key) => {
    const hits = all(".hit", chart);
    const last = hits.findIndex((h) => h.classList.contains("on"));
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (!step || hits.length === 0) return false;
    const next = hits[last < 0 ? (step > 0 ? 0 : hits.length - 1) : Math.max(0, Math.min(hits.length - 1, last + step))];
    showTip(next);
    next.classList.add("on");
    say(tip.textContent);
    return true;
  };

  // From the mark of a chart an arrow leads to the nearest one on that side; enter follows it.
  const moveInMarks = (mark, key) => {
    const chart = mark.closest("svg.chart,.multiples,.heat,.ranked,.pivot");
    const side = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    if (!chart || !side) return false;
    const middle = (el) => {
      const r = el.getBoundingClientRect();
      return [r.left + r.width / 2, r.top + r.height / 2];
    };
    const [x, y] = middle(mark);
    let nearest = null;
    let least = Infinity;
    for (const other of all("a.mk", chart)) {
      const [dx, dy] = middle(other).map((v, i) => v - [x, y][i]);
      const along = dx * side[0] + dy * side[1];
      const way = along + 4 * Math.abs(dx * side[1] + dy * side[0]);
      if (along > 0.5 && way < least) [nearest, least] = [other, way];
    }
    if (nearest) nearest.focus();
    return true;
  };

  // Single letters can be switched off for this browser.
  let letters = true;
  const remember = (on) => { try { localStorage.setItem("letters", on ? "on" : "off"); } catch { /* no storage: until the next page */ } };
  try { letters = localStorage.getItem("letters") !== "off"; } catch { /* no storage: they work */ }
  for (const box of all("[data-letters]")) {
    box.checked = letters;
    box.addEventListener("change", () => {
      letters = box.checked;
      remember(letters);
    });
  }
  for (const button of all("[data-keys]")) button.hidden = false;

  // The palette finds names of all kinds. Arrows walk from the field over the found names; enter opens the first, or
  // the page of results if the list is not yet that of the text.
  const palette = byId("palette");
  const find = () => {
    if (palette.open) return;
    palette.showModal();
    palette.querySelector("input[type=search]").select();
  };
  for (const field of all("[data-find]")) {
    field.addEventListener("pointerdown", (e) => {
      e.preventDefault();
      find();
    });
  }
  palette.addEventListener("click", (e) => { if (e.target === palette) palette.close(); });
  palette.addEventListener("keydown", (e) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    const field = palette.querySelector("input[type=search]");
    const stops = [field, ...all("#found a")];
    const current = all("#found [data-of]").some((p) => p.dataset.of === field.value.trim());
    const at = stops.indexOf(document.activeElement);
    if (step && at + step >= 0 && at + step < stops.length) {
      e.preventDefault();
      stops[at + step].focus();
    } else if (e.key === "Enter" && at === 0 && current && stops.length > 1) {
      e.preventDefault();
      stops[1].click();
    }
  });

  const pages = { o: "/", r: "/runs", f: "/fleet", c: "/reconciliation", l: "/charges", d: "/data", m: "/docs/metrics" };
  // Pages keep the filter that their links carry.
  const page = (path) => {
    const link = all(".rail nav a").find((a) => new URL(a.href).pathname === path);
    location.assign(link ? link.href : path);
  };
  // After a g the next key names a page, however long it takes: no one is timed.
  let going = false;
  document.addEventListener("pointerdown", () => { going = false; });
  document.addEventListener("keydown", (e) => {
    const at = document.activeElement || document.body;
    if (e.key === "Escape") {
      going = false;
      const open = all("details.menu[open]");
      for (const menu of open) {
        menu.open = false;
        menu.querySelector("summary").focus();
      }
      hideTip();
      if (open.length === 0) closeDrawer();
      return;
    }
    if ((e.metaKey || e.ctrlKey) && e.key === "k") {
      e.preventDefault();
      find();
      return;
    }
    if (e.ctrlKey || e.metaKey || e.altKey || inField(at) || byId("keys").open || palette.open) return;
    const did =
      e.key.startsWith("Arrow") && (at.matches(".fig") ? moveInTable(at, e.key) : at.matches(".mk") ? moveInMarks(at, e.key) : at.matches("svg.chart") && moveInChart(at, e.key));
    if (did) {
      e.preventDefault();
      return;
    }
    if (e.key === "Enter" && at.matches(".tablewrap")) {
      enter(at.querySelector(".fig"));
      return;
    }
    if (!letters) return;
    if (going && e.key.length === 1) {
      going = false;
      if (pages[e.key]) page(pages[e.key]);
      return;
    }
    const follow = (selector) => {
      const el = document.querySelector(selector);
      if (el) el.click();
    };
    switch (e.key) {
      case "g": going = true; break;
      case "/": e.preventDefault(); find(); break;
      case "?": byId("keys").showModal(); break;
      case "c": {
        const el = at.hasAttribute("data-exact") ? at : shown && shown.el;
        if (el) copyValue(el);
        break;
      }
      case "e": if (at.hasAttribute("data-explain")) at.click(); else if (at.closest("a.why")) at.closest("a.why").click(); else follow("main [data-explain]"); break;
      case "t": follow("a[data-twin]"); break;
      case "[": if (document.body.dataset.earlier) location.assign(document.body.dataset.earlier); break;
      case "]": if (document.body.dataset.later) location.assign(document.body.dataset.later); break;
    }
  });

  // The rail may be longer than the window: its current page is in sight.
  const current = document.querySelector(".rail>nav [aria-current]");
  if (current) current.scrollIntoView({ block: "nearest" });
})();
