// Small comforts on top of pages that work without scripts: menus that close,
// keys, copying an exact value, the explain drawer.
"use strict";
(() => {
  const all = (s, root = document) => Array.from(root.querySelectorAll(s));
  const inField = (el) => el.closest("input,textarea,select,[contenteditable]") !== null;
  let opener = null;

  const drawer = () => document.getElementById("drawer");
  const closeDrawer = () => {
    const d = drawer();
    if (!d || !d.classList.contains("on")) return false;
    d.classList.remove("on");
    d.replaceChildren();
    document.body.classList.remove("pushed");
    if (opener) opener.focus();
    return true;
  };

  document.addEventListener("htmx:afterSwap", (e) => {
    if (e.target.id !== "drawer") return;
    opener = e.detail.requestConfig.elt;
    e.target.classList.add("on");
    document.body.classList.add("pushed");
    e.target.focus();
  });

  document.addEventListener("click", (e) => {
    for (const menu of all("details.menu[open]")) {
      if (!menu.contains(e.target)) menu.open = false;
    }
    const close = e.target.closest(".close");
    if (close && drawer() && drawer().contains(close)) {
      e.preventDefault();
      closeDrawer();
    }
    const copy = e.target.closest("[data-copy]");
    if (copy) {
      e.preventDefault();
      copyValue(copy);
    }
  });

  const copyValue = (el) => {
    const text = el.getAttribute("data-copy") || el.getAttribute("data-exact");
    if (!text || !navigator.clipboard) return;
    navigator.clipboard.writeText(text).then(() => {
      const live = document.getElementById("live");
      if (live) live.textContent = "Copied " + text;
    }, () => {});
  };

  const go = { o: "/", r: "/runs", c: "/reconciliation" };
  let pending = false;
  document.addEventListener("keydown", (e) => {
    if (e.key === "Escape") {
      const open = all("details.menu[open]");
      for (const menu of open) {
        menu.open = false;
        menu.querySelector("summary").focus();
      }
      if (open.length === 0) closeDrawer();
      return;
    }
    if (e.ctrlKey || e.metaKey || e.altKey || inField(e.target)) return;
    if (pending) {
      pending = false;
      if (go[e.key]) location.assign(go[e.key]);
      return;
    }
    const at = document.activeElement;
    switch (e.key) {
      case "g":
        pending = true;
        setTimeout(() => { pending = false; }, 1000);
        break;
      case "c":
        if (at && at.hasAttribute("data-exact")) copyValue(at);
        break;
      case "e":
        if (at && at.hasAttribute("data-explain")) at.click();
        break;
      case "t": {
        const twin = document.querySelector("a[data-twin]");
        if (twin) twin.click();
        break;
      }
    }
  });
})();
