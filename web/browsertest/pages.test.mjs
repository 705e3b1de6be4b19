// The pages of a served demo, as a person's browser sees them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const base = process.env.GPULEDGER_URL;
let browser;

before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROME,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync'],
  });
});
after(() => browser?.close());

const json = async (path) => {
  const answer = await fetch(base + path);
  assert.equal(answer.status, 200, path);
  return answer.json();
};
const csv = (...args) => {
  const text = execFileSync(process.env.GPULEDGER_BIN, ['report', ...args, '--format', 'csv'], { encoding: 'utf8' });
  const [head, ...rows] = text.trim().split(/\r?\n/).map((line) => line.match(/("([^"]|"")*"|[^,]*)(,|$)/g).map((c) => c.replace(/,$/, '').replace(/^"|"$/g, '').replaceAll('""', '"')));
  return rows.map((r) => Object.fromEntries(head.map((h, i) => [h, r[i]])));
};

async function open(path, { width = 1440, theme = 'light', js = true } = {}) {
  const context = await browser.newContext({ viewport: { width, height: 1000 }, javaScriptEnabled: js, reducedMotion: 'reduce', colorScheme: theme, timezoneId: 'UTC' });
  await context.addCookies([{ name: 'theme', value: theme, url: base }]);
  const page = await context.newPage();
  const trouble = [];
  page.on('console', (m) => { if (m.type() === 'error') trouble.push(m.text()); });
  page.on('pageerror', (e) => trouble.push(String(e)));
  const answer = await page.goto(base + path, { waitUntil: 'networkidle' });
  assert.equal(answer.status(), 200, path);
  return { page, trouble, close: () => context.close() };
}

const biggestRun = () => csv('runs', '--order', '-effective_cost').at(0);
const pages = () => ['/', '/runs', '/reconciliation', '/runs/' + biggestRun().run_id];

test('no console error, no CSP violation, no sideways scroll, no accessibility violation', async () => {
  for (const path of pages()) {
    for (const [width, theme] of [[1440, 'light'], [1440, 'dark'], [768, 'light'], [390, 'dark'], [360, 'light']]) {
      const { page, trouble, close } = await open(path, { width, theme });
      assert.deepEqual(trouble, [], `${path} at ${width} ${theme}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${path} at ${width} ${theme} scrolls sideways by ${wide} px`);
      await page.evaluate(axe);
      const found = await page.evaluate(() => globalThis.axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }));
      assert.deepEqual(found.violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.target.join(' ')).join(' | ')}`), [], `${path} at ${width} ${theme}`);
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${path.replaceAll('/', '_').slice(0, 40)}-${theme}-${width}.png`, fullPage: true });
      await close();
    }
  }
});

test('the same pages answer without scripts', async () => {
  for (const path of pages()) {
    const { page, close } = await open(path, { js: false });
    assert.ok((await page.locator('h1').innerText()).length > 10, path);
    assert.ok(await page.locator('table').count() > 0, `${path} has no table`);
    await close();
  }
});

test('a run costs the same on its page, in the API and in the CSV, to the last digit', async () => {
  const row = biggestRun();
  const { page, close } = await open('/runs/' + row.run_id);
  const shown = await page.locator('[data-exact-cost]').first().getAttribute('data-exact-cost');
  assert.equal(shown, row.effective_cost);
  const api = (await json('/api/v1/runs?limit=1000')).data.find((r) => r.run_id === row.run_id);
  for (const column of ['effective_cost', 'billed_cost', 'lost_cost', 'used_cost', 'gpu_hours']) {
    assert.equal(api[column], row[column], column);
  }
  await close();
});

test('from the overview to a run and on to its bill lines', async () => {
  const { page, close } = await open('/');
  await page.locator('a[href^="/runs/"]').first().click();
  await page.waitForURL(/\/runs\/.+/);
  await page.locator('a[href*="/explain/"]').first().click();
  await page.waitForLoadState('networkidle');
  assert.match(await page.locator('body').innerText(), /parquet:\d+/);
  await close();
});
