// What must hold of a page's layout, whatever it shows.

// misshapen lists what is wrong with the layout: sideways scrolling, text that is cut with no
// way to read it, labels of one chart on top of each other.
export const misshapen = (page) => page.evaluate(() => {
  const found = [];
  const root = document.documentElement;
  const wide = root.scrollWidth - root.clientWidth;
  if (wide > 0) found.push(`the page scrolls sideways by ${wide} px`);
  const name = (e) => `${e.tagName.toLowerCase()}.${(e.getAttribute('class') ?? '').replaceAll(' ', '.')} "${e.textContent.trim().slice(0, 40)}"`;
  const seen = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && e.getClientRects().length > 0;
  const titled = (e) => e.closest('[title], [aria-label]') ?? e.querySelector('[title]');

  // Text cut at its edge: the whole text must be in a title, or the box must scroll.
  for (const e of document.querySelectorAll('body *:not(svg *)')) {
    if (!Array.from(e.childNodes).some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim())) continue;
    const hidden = getComputedStyle(e).overflowX;
    if ((hidden === 'hidden' || hidden === 'clip') && e.clientWidth > 1 && e.scrollWidth > e.clientWidth + 1 && seen(e) && !titled(e)) {
      found.push(`cut without a title: ${name(e)}`);
    }
  }
  // Text that runs out of its panel is covered or lies on something else.
  for (const panel of document.querySelectorAll('main .panel')) {
    const right = panel.getBoundingClientRect().right;
    for (const e of panel.querySelectorAll('h1, h2, h3, p, dt, dd, summary, button, a:not(svg a), figcaption, li')) {
      const box = e.getBoundingClientRect();
      const cut = (p) => p !== panel && (getComputedStyle(p).overflowX !== 'visible' || cut(p.parentElement));
      if (box.right > right + 1 && seen(e) && !e.closest('.menu, .pop') && !cut(e)) found.push(`runs out of its panel: ${name(e)}`);
    }
  }
  for (const svg of document.querySelectorAll('svg')) {
    const texts = Array.from(svg.querySelectorAll('text')).filter((t) => t.textContent.trim() && seen(t)).map((t) => ({ t, box: t.getBoundingClientRect() }));
    for (let i = 0; i < texts.length; i++) {
      for (let k = i + 1; k < texts.length; k++) {
        const [a, b] = [texts[i].box, texts[k].box];
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (across > 2 && down > 4) found.push(`labels overlap: "${texts[i].t.textContent.trim()}" and "${texts[k].t.textContent.trim()}"`);
      }
    }
  }
  return [...new Set(found)].slice(0, 12);
});

// reach presses Tab through a page and lists what the keyboard misses: controls that never get
// the focus, and controls whose focus cannot be seen.
export async function missedByKeys(page) {
  // Charts and tables are one stop each, from which arrows go on (keys.test.mjs).
  await page.evaluate(() => {
    const stops = 'a[href]:not(svg a), button, input:not([type=hidden]), select, textarea, summary';
    for (const e of document.querySelectorAll(stops)) {
      const within = e.closest('details:not([open])');
      if (e.disabled || e.tabIndex < 0 || !e.checkVisibility({ visibilityProperty: true }) || (within && !(e.tagName === 'SUMMARY' && e.parentElement === within))) continue;
      e.dataset.stop = '';
    }
    document.activeElement?.blur();
    window.scrollTo(0, 0);
    globalThis.unseen = [];
    document.addEventListener('focusin', ({ target: e }) => {
      e.removeAttribute('data-stop');
      const style = getComputedStyle(e);
      const ring = (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || e.closest('svg'); // marks of charts have a stroke instead
      if (!ring && style.boxShadow === 'none' && e.tagName !== 'BODY') globalThis.unseen.push(e.outerHTML.slice(0, 90));
    });
  });
  const stops = await page.evaluate(() => document.querySelectorAll('[data-stop]').length);
  for (let i = 0; i < 4 * stops + 60; i++) {
    await page.keyboard.press('Tab');
    if (i % 20 === 19 && !(await page.evaluate(() => document.querySelectorAll('[data-stop]').length))) break;
  }
  return page.evaluate(() => [
    ...Array.from(document.querySelectorAll('[data-stop]'), (e) => `never focused: ${e.outerHTML.slice(0, 90)}`),
    ...globalThis.unseen.map((html) => `focus not visible: ${html}`),
  ].slice(0, 8));
}
