// Pages of figures: the same digits as the API, tables with heads, a definition
// behind every name, usable by keyboard, sound in both themes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base, every, full, open, session, sidewaysBy, violations } from './lib.mjs';

const home = await (await fetch(base + '/')).text();
// Pages with their own tests; all other pages in the rail are pages of figures.
const others = ['/', '/runs', '/fleet', '/reconciliation', '/charges', '/data', '/periods', '/policies'];
const rail = new Set([...home.matchAll(/href="(\/[a-z]+)"/g)].map((m) => m[1]));
const paths = [...rail].filter((path) => !others.includes(path));

for (const theme of ['light', 'dark']) {
  test(`pages of figures are sound in ${theme}`, async () => {
    const { page, trouble, go, close } = await session({ theme });
    // One component draws them all, so two pages are enough to check its colours.
    for (const path of theme === 'light' || full ? paths : paths.slice(0, 2)) {
      await go(path);
      for (const width of theme === 'light' ? [1440, 768, 390] : [1440]) {
        await page.setViewportSize({ width, height: 1000 });
        const wide = await sidewaysBy(page);
        assert.ok(wide <= 0, `${path} at ${width} px scrolls sideways by ${wide} px`);
      }
      assert.deepEqual(await violations(page, theme), [], `${path} in ${theme}`);
      assert.ok((await page.locator('h1').innerText()).length > 5, path);
      assert.deepEqual(trouble, [], path);
    }
    await close();
  });
}

test('every head and every fact links to an existing definition', async () => {
  const anchors = new Set([...(await (await fetch(base + '/docs/metrics')).text()).matchAll(/<tr id="([^"]+)"/g)].map((m) => m[1]));
  assert.ok(anchors.size > 300, `${anchors.size} definitions`);
  assert.ok(paths.length > 14, `the rail leads to ${paths}`);
  const { page, go, close } = await session();
  for (const path of [...others, ...paths]) {
    await go(path);
    const named = await page.locator('main th[scope=col], main dt, main .tile h3').evaluateAll((all) => all.map((e) =>
      ({ text: e.textContent.trim(), anchor: e.dataset.def ?? e.querySelector('a.def')?.getAttribute('href').split('#')[1] })));
    for (const n of named) assert.ok(anchors.has(n.anchor), `${path}: ${n.text} names ${n.anchor}`);
  }
  await close();
});

test('figures have the digits of the API', async () => {
  const rows = await every('inference', 'group_by=service&order=-effective_cost');
  const { page, close } = await open('/inference');
  const code = await page.locator('.bar .menu', { hasText: 'Currency' }).locator('summary b').innerText().catch(() => rows[0].currency);
  const own = rows.filter((r) => r.currency === code);
  const cells = page.locator('section', { has: page.getByRole('heading', { name: 'Services', exact: true }) }).locator('tbody tr');
  assert.equal(await cells.count(), Math.min(100, own.length));
  for (const i of [0, 1, own.length - 1]) {
    assert.equal(await cells.nth(i).locator('.fig').last().getAttribute('data-exact'), own[i].effective_cost, own[i].service);
  }
  await close();
});

test('a row links to its parts, and a chip leads back', async () => {
  const { page, trouble, close } = await open('/training');
  await page.locator('tbody th a').first().click();
  await page.waitForURL(/within=team/);
  await page.locator('main tbody tr:visible').first().waitFor();
  await page.locator('.chip a').first().click();
  await page.waitForURL((u) => !u.search.includes('within'));
  assert.deepEqual(trouble, []);
  await close();
});

test('sorting, grouping and definitions need no script', async () => {
  const { page, close } = await open('/training', { js: false });
  await page.locator('.menu summary', { hasText: 'Rows' }).click();
  await page.getByRole('link', { name: 'Models', exact: true }).last().click();
  await page.waitForURL(/group=model/);
  await page.locator('th a', { hasText: 'Runs' }).click();
  await page.waitForURL(/order=-runs/);
  assert.equal(await page.locator('th[aria-sort="descending"]').innerText(), 'Runs ▾');
  await page.getByRole('link', { name: 'What these columns mean' }).first().click();
  await page.waitForURL(/docs\/metrics\?of=/);
  await page.goto(new URL('/docs/metrics', page.url()).href);
  await page.locator('#q').fill('lost checkpoint');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.waitForURL(/q=lost/);
  assert.match(await page.locator('h1').innerText(), /^\d+ definitions/);
  await close();
});

test('targets show their verdict in words', async () => {
  const { page, close } = await open('/');
  const [last] = await every('targets', `filter=${encodeURIComponent('target = utilisation')}&order=-day`);
  const day = (at) => new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const tile = page.locator('.tile', { has: page.getByRole('heading', { name: `GPU utilisation, ${day(last.day)}` }) });
  assert.equal(await tile.locator('.tag').innerText(), last.since < last.day ? `${last.status} since ${day(last.since)}` : last.status);
  assert.equal(await tile.locator('.v .fig').getAttribute('data-exact'), last.value);
  await close();
});
