// Figures with an explanation are explained to the last digit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json, open, runPath, runs, session } from './lib.mjs';

const explained = {
  '/models': 3, '/spot': 2, '/inference': 4, '/commitments?group=commitment': 2, '/coverage?from=2026-11-01': 8,
  [runPath(runs()[1].run_id)]: 2,
};

test('the parts of an explanation add up to the figure', async () => {
  const { page, go, close } = await session({ width: 1600, js: false });
  for (const [path, least] of Object.entries(explained)) {
    await go(path);
    const all = await page.locator('main tbody td a.why').evaluateAll((links) => links.map((a) => ({ href: a.getAttribute('href'), exact: a.querySelector('.fig').dataset.exact })));
    assert.ok(all.length >= least, `${path} explains ${all.length} figures`);
    const step = Math.ceil(all.length / 3);
    await Promise.all(all.filter((_, i) => i % step === 0).map(async ({ href, exact }) => {
      const { figures } = await json('/api/v1' + href);
      const said = figures.flatMap((f) => [f.effective_cost, ...(f.others ?? []).map((o) => o.value)]);
      assert.ok(said.includes(exact), `${path}: ${exact} leads to ${said} at ${href}`);
    }));
  }
  await close();
});

test('figures without an explanation have no link', async () => {
  const { page, go, close } = await session();
  for (const path of ['/devices', '/training']) {
    await go(path);
    assert.equal(await page.locator('main td a.why').count(), 0, path);
  }
  await close();
});

test('a click and the letter e open the explanation of a figure', async () => {
  const { page, trouble, close } = await open('/models');
  await page.locator('main td a.why').first().focus();
  await page.keyboard.press('e');
  await page.waitForURL(/\/explain\/costs\?/);
  assert.match(await page.locator('main').innerText(), /add up to the figure/);
  assert.deepEqual(trouble, []);
  await close();
});
