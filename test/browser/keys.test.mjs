// The keyboard can do everything that a mouse can; the theme can be chosen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base, open, runPath, runs, violations } from './lib.mjs';

test('the theme is chosen by a form, with and without scripts', async () => {
  for (const js of [true, false]) {
    const { page, close } = await open('/runs?status=running', { js });
    await page.locator('.rail > .foot').getByRole('button', { name: 'dark' }).click();
    await page.waitForLoadState();
    assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
    assert.equal(new URL(page.url()).search, '?status=running', 'the page forgot its filter');
    await page.goto(base + '/');
    assert.equal(await page.getAttribute('html', 'data-theme'), 'dark', 'the next page forgot the theme');
    await close();
  }
});

test('keys go to pages, find, list and switch themselves off', async () => {
  const { page, trouble, close } = await open('/');
  await page.keyboard.press('?');
  assert.ok(await page.locator('#keys').isVisible());
  assert.deepEqual(await violations(page), [], 'the list of keys');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#keys').isVisible(), false);
  await page.keyboard.press('g');
  await page.keyboard.press('Escape');
  await page.keyboard.press('r');
  assert.equal(page.url(), base + '/', 'escape cancels the g');
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.waitForURL(/\/runs$/);
  await page.keyboard.press('/');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'palette-text');
  await page.keyboard.type('g');
  await page.keyboard.type('o');
  assert.equal(await page.inputValue('#palette-text'), 'go', 'keys work inside a field');
  while (await page.evaluate(() => document.getElementById('palette').open)) await page.keyboard.press('Escape'); // the first empties the field
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await page.waitForURL(/\/\?basis=effective$/); // names the overview also for users with another start page
  await page.keyboard.press('t');
  await page.waitForURL(/as=table/);
  await page.keyboard.press('?');
  await page.locator('[data-letters]').uncheck();
  await page.keyboard.press('Escape');
  await page.reload();
  await page.keyboard.press('?');
  assert.equal(await page.locator('#keys').isVisible(), false, 'single letters stay off');
  assert.deepEqual(trouble, []);
  await close();
});

test('the period moves with brackets', async () => {
  const { page, close } = await open('/');
  await page.locator('summary', { hasText: 'Period' }).click();
  await page.getByRole('link', { name: 'Last day' }).click();
  await page.waitForURL(/from=/);
  const before = page.url();
  await page.keyboard.press('[');
  await page.waitForURL((url) => url.href !== before);
  await page.keyboard.press(']');
  await page.waitForURL(before);
  await close();
});

test('a focused figure shows all its digits and can be copied', async () => {
  const { page, trouble, close } = await open('/', { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.locator('.big').focus();
  const exact = await page.locator('.big').getAttribute('data-exact');
  const tip = page.locator('#tip');
  assert.ok((await tip.innerText()).replaceAll(',', '').includes(exact), await tip.innerText());
  assert.match(await tip.innerText(), /effective cost · (open|provisional|final)/);
  await page.keyboard.press('c');
  await page.waitForFunction(() => document.getElementById('live').textContent.startsWith('Copied'));
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), exact);
  await page.keyboard.press('Escape');
  assert.equal(await tip.isVisible(), false);

  // Enter goes into a table, arrows go through it.
  const table = page.getByRole('region', { name: 'Spend by team', exact: true });
  await table.focus();
  await page.keyboard.press('Enter');
  const first = await page.evaluate(() => document.activeElement.dataset.exact);
  await page.keyboard.press('ArrowDown');
  const second = await page.evaluate(() => document.activeElement.dataset.exact);
  assert.ok(first && second && first !== second, `${first} and ${second}`);
  // Arrows go through the marks of a chart; each names its figure.
  await page.locator('svg.chart.stack a[tabindex="0"]').first().focus();
  const mark = await page.evaluate(() => document.activeElement.getAttribute('aria-label'));
  await page.keyboard.press('ArrowRight');
  const next = await page.evaluate(() => document.activeElement.getAttribute('aria-label'));
  assert.match(next, /\$[\d,.]+/);
  assert.notEqual(next, mark);
  await page.locator('tbody .fig:visible').first().hover();
  assert.ok(await tip.isVisible());
  assert.deepEqual(trouble, []);
  await close();
});

test('the explanation opens in the drawer, and returns the focus', async () => {
  const { page, trouble, close } = await open(runPath(runs()[2].run_id));
  await page.keyboard.press('e');
  const drawer = page.locator('.drawer.on');
  await drawer.waitFor();
  assert.match(await drawer.innerText(), /is between zero and (its|their) full cost/);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'drawer');
  assert.deepEqual(await violations(page), [], 'the drawer');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('.drawer.on'));
  assert.ok(await page.evaluate(() => document.activeElement.hasAttribute('data-explain')), 'the focus is lost');
  assert.deepEqual(trouble, []);
  await close();
});

test('the tab key reaches skip link, menus, links and figures in reading order', async () => {
  const { page, close } = await open(runPath(runs()[1].run_id));
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'content');
  const tops = [];
  for (let i = 0; i < 9; i++) {
    await page.keyboard.press('Tab');
    tops.push(await page.evaluate(() => {
      const r = document.activeElement.getBoundingClientRect();
      return { y: r.top + scrollY, seen: r.width > 0 && r.height > 0, ring: getComputedStyle(document.activeElement).outlineStyle };
    }));
  }
  assert.ok(tops.every((t) => t.seen && t.ring !== 'none'), 'the focus is not visible');
  await close();
});
