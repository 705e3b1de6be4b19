// Figures with an explanation are explained to the last digit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json, open, runPath, runs, session, sum, violations } from './lib.mjs';

const explained = {
  '/models': 3, '/reconciliation': 4, '/data': 4, '/spot': 2, '/inference': 4, '/commitments?group=commitment': 2, '/coverage?from=2026-11-01': 8,
  [runPath(runs()[1].run_id)]: 2,
};

// added are the sums of the parts of a figure's explanation, as far as it has parts.
const added = (origins) => origins.filter((o) => o.parts.length).map((o) => [o, sum(o.parts, 'value')]);

test('the parts of an explanation add up to the figure', async () => {
  const { page, go, close } = await session({ width: 1600, js: false });
  let apart = 0;
  for (const [path, least] of Object.entries(explained)) {
    await go(path);
    const all = await page.locator('main tbody td a.why').evaluateAll((links) => links.map((a) => ({ href: a.getAttribute('href'), exact: a.querySelector('.fig').dataset.exact })));
    assert.ok(all.length >= least, `${path} explains ${all.length} figures`);
    // One figure of each column, and some more: counts, ratios and money are explained in different ways.
    const step = Math.ceil(all.length / 3);
    const column = (href) => href.split('?')[0];
    const chosen = all.filter(({ href }, i) => i % step === 0 || all.findIndex((a) => column(a.href) === column(href)) === i);
    await Promise.all(chosen.map(async ({ href, exact }) => {
      const { figures, origins = [] } = await json('/api/v1' + href);
      const said = [...figures.flatMap((f) => [f.effective_cost, ...(f.others ?? []).map((o) => o.value)]), ...origins.map((o) => o.value)];
      assert.ok(said.includes(exact), `${path}: ${exact} leads to ${said} at ${href}`);
      for (const o of origins) assert.notEqual(o.agrees, false, `${path}: the explanation is not the figure at ${href}`);
      for (const [o, total] of added(origins)) {
        assert.equal(total, sum([o], 'value'), `${path}: parts at ${href}`);
        apart++;
      }
    }));
  }
  assert.ok(apart > 0, 'no explanation has parts');
  await close();
});

test('figures without an explanation have no link', async () => {
  const { page, go, close } = await session();
  const count = (what) => page.locator(`main td ${what}`).count();
  // A filter on figures chooses rows that a filter on costs cannot.
  for (const path of ['/devices?filter=' + encodeURIComponent('devices > 0')]) {
    await go(path);
    assert.ok(await count('.fig') > 0, `${path} has no figures`);
    assert.equal(await count('a.why'), 0, path);
  }
  for (const path of ['/models', '/devices', '/training']) {
    await go(path);
    assert.ok(await count('a.why') > 0, `${path} explains nothing`);
    assert.equal(await count('a.why .fig.zero'), 0, `${path} explains zero`);
  }
  assert.ok(await count('.fig.zero') > 0, 'no figure is zero');
  await close();
});

test('a click and the letter e open the explanation of a figure in the drawer, which returns the focus', async () => {
  const { page, trouble, go, close } = await open('/models');
  const drawer = page.locator('.drawer.on');
  const first = (subject) => page.locator(`main td a.why[href^="/explain/${subject}?"]`).first();
  const exact = (link) => link.locator('.fig').getAttribute('data-exact');
  // A sum of postings, by the letter.
  await first('costs').focus();
  await page.keyboard.press('e');
  await drawer.waitFor();
  assert.match(await drawer.innerText(), /add up to the figure/);
  assert.deepEqual(await violations(page), [], 'the drawer of a figure');
  // A link within it stays in the drawer; Escape returns to the figure on the page.
  const title = await drawer.locator('h2').innerText();
  await drawer.locator('a[href^="/explain/"]:not([data-page])').first().click();
  await page.waitForFunction((was) => document.querySelector('.drawer.on h2').innerText !== was, title);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('.drawer.on'));
  assert.match(await page.evaluate(() => document.activeElement.getAttribute('href')), /^\/explain\/costs\?/);
  assert.equal(new URL(page.url()).pathname, '/models');
  // A count, by a click: its headline is the count.
  await go('/models');
  const runs = await exact(first('models.runs'));
  await first('models.runs').click();
  await drawer.waitFor();
  assert.equal(await drawer.locator('dl.lead dd [data-exact]').first().getAttribute('data-exact'), runs);
  // The page of the explanation is one link away, and leads on to pages.
  await drawer.locator('a[data-page]').click();
  await page.waitForURL(/\/explain\/models\.runs\?/);
  assert.equal(await page.locator('main dl.lead dd [data-exact]').first().getAttribute('data-exact'), runs);
  assert.deepEqual(trouble, []);
  await close();
});
