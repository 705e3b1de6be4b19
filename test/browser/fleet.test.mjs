// The fleet page polls and keeps scroll position, filter and focus; it shows its time;
// its counts match its cells.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open } from './lib.mjs';

const number = async (page, label) => Number((await page.locator('#fleet .kv dl', { hasText: label }).first().locator('b').innerText()).replaceAll(',', ''));

test('the fleet page polls and keeps scroll position, filter and focus', async () => {
  const { page, trouble, close } = await open('/fleet?state=active&q=a');
  await page.clock.install();
  await page.reload();
  const cell = page.locator('.gpu .now').nth(20);
  await cell.scrollIntoViewIfNeeded();
  await cell.focus();
  const before = await page.evaluate(() => ({ y: scrollY, id: document.activeElement.id, url: location.href }));
  const asked = page.waitForResponse((r) => r.url().includes('/fleet/now'));
  await page.clock.fastForward(20_000);
  const answer = await asked;
  assert.equal(answer.status(), 200);
  assert.match(answer.url(), /state=active/);
  assert.match(answer.url(), /q=a/);
  await page.waitForFunction(() => !document.querySelector('.htmx-request'));
  assert.deepEqual(await page.evaluate(() => ({ y: scrollY, id: document.activeElement.id, url: location.href })), before);
  assert.deepEqual(trouble, []);
  await close();
});

test('the fleet page shows its time and counts every device once', async () => {
  const { page, close } = await open('/fleet');
  assert.match(await page.locator('#fleet .intro').innerText(), /The data ends on .* UTC\. This is the state at that minute, not now\./);
  const states = await Promise.all(['Active', 'Held idle', 'Unobserved', 'Free', 'Silent'].map((s) => number(page, s)));
  assert.equal(states.reduce((a, b) => a + b, 0), await number(page, 'GPUs'));
  let cells = 0;
  for (let at = '/fleet'; at;) {
    await page.goto(new URL(at, page.url()).href);
    cells += await page.locator('.gpu').count();
    const next = page.getByRole('link', { name: 'Next nodes' });
    at = await next.count() ? await next.getAttribute('href') : '';
  }
  await page.goto(new URL('/fleet', page.url()).href);
  assert.equal(cells, await number(page, 'GPUs'));
  await page.locator('.gpu .now').first().click();
  assert.match(page.url(), /\/fleet\/devices\/GPU-/);
  assert.ok(await page.locator('.hourchart').count() >= 2, 'a device has time lines');
  await close();
});
