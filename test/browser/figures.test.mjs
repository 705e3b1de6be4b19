// The same query gives the same digits on a page, in the API and in a report,
// and every figure leads to bill lines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csv, every, json, open, report, runPath, runs, sum } from './lib.mjs';

const gpu = (rows) => rows.filter((r) => r.cause !== 'non_gpu');
// A page shows one currency at a time: the one with the most spend, unless its
// address names another.
const currencies = () => [...new Set(report('costs').map((r) => r.currency).filter(Boolean))];
const inCurrency = (rows, currency) => rows.filter((r) => r.currency === currency);
const shown = async (page) => {
  const menu = page.locator('.bar summary', { hasText: 'Currency' });
  return (await menu.count()) > 0 ? menu.locator('b').innerText() : currencies()[0];
};

for (const asked of ['', ...currencies()]) test(`the overview matches the API for its period${asked && ', in ' + asked}`, async () => {
  const { page, close } = await open(asked ? `/?currency=${asked}` : '/');
  const currency = await shown(page);
  if (asked) assert.equal(currency, asked);
  const link = await page.locator('section', { has: page.getByRole('heading', { name: /^Where (each|the money)/ }) }).getByRole('link', { name: 'CSV' }).getAttribute('href');
  const rows = inCurrency(gpu(await csv(link)), currency);
  const total = sum(rows, 'effective_cost');
  assert.equal(await page.locator('.big').getAttribute('data-exact'), total, 'the headline');
  const window = Object.fromEntries(['from', 'to'].map((k) => [k, new URL(link, 'http://x').searchParams.get(k)]));
  const said = report('costs', '--from', window.from, '--to', window.to, '--group-by', 'cause,quality');
  assert.equal(sum(inCurrency(gpu(said), currency), 'effective_cost'), total, 'the report');
  const lost = inCurrency(said, currency).filter((r) => r.cause === 'lost');
  assert.equal(await page.locator('dl', { hasText: 'Lost work' }).locator('[data-exact]').getAttribute('data-exact'), sum(lost, 'effective_cost'), 'lost work');
  const teams = inCurrency(await every('costs', `from=${window.from}&to=${window.to}&group_by=team,cause`), currency);
  // The largest teams have their own rows; the rest share one.
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'Spend by team', exact: true }) });
  const exact = (name) => section.locator('tr', { has: page.getByRole('rowheader', { name, exact: typeof name === 'string' }) }).first().locator('.fig').last().getAttribute('data-exact');
  const heads = await section.getByRole('rowheader').allInnerTexts();
  let rest = gpu(teams);
  for (const name of new Set(gpu(teams).map((r) => r.team))) {
    const head = name === 'unowned' ? 'Unowned' : name;
    if (!heads.includes(head)) continue;
    assert.equal(await exact(head), sum(gpu(teams).filter((r) => r.team === name), 'effective_cost'), name);
    rest = rest.filter((r) => r.team !== name);
  }
  if (rest.length > 0) assert.equal(await exact(/^\d+ others?$/), sum(rest, 'effective_cost'), 'the other teams');
  const bought = inCurrency(await every('costs', `from=${window.from}&to=${window.to}&group_by=provider,cause`), currency);
  const providers = page.locator('section', { has: page.getByRole('heading', { name: 'Spend by provider' }) });
  if (new Set(gpu(bought).map((r) => r.provider)).size > 1) {
    for (const [code, name] of Object.entries({ aws: 'AWS', gcp: 'Google Cloud', azure: 'Azure', owned: 'Owned hardware' })) {
      const own = gpu(bought).filter((r) => r.provider === code);
      if (own.length === 0) continue;
      const row = providers.locator('tr', { has: page.getByRole('rowheader', { name, exact: true }) });
      assert.equal(await row.locator('.fig').last().getAttribute('data-exact'), sum(own, 'effective_cost'), name);
    }
    assert.equal(await providers.locator('tfoot .fig').last().getAttribute('data-exact'), total, 'all providers');
  }
  const all = inCurrency(await every('runs', `from=${window.from}&to=${window.to}`), currency);
  assert.equal(await page.locator('section', { hasText: 'Costliest runs' }).locator('tfoot .fig').last().getAttribute('data-exact'), sum(all, 'effective_cost'), 'all runs');
  await close();
});

test('the sentences of the overview are true', async () => {
  const { page, close } = await open('/?attention=all');
  const link = await page.locator('section', { has: page.getByRole('heading', { name: /^Where (each|the money)/ }) }).getByRole('link', { name: 'CSV' }).getAttribute('href');
  const currency = await shown(page);
  const rows = inCurrency(gpu(await csv(link)), currency);
  const cents = (part) => Math.round((100 * Number(sum(part, 'effective_cost'))) / Number(sum(rows, 'effective_cost')));
  const sentence = (await page.locator('h1').innerText()).replaceAll('\u202f', ' ');
  assert.ok(sentence.startsWith(`${cents(rows.filter((r) => r.cause === 'used'))} ¢ of each GPU dollar did work`), sentence);
  const causes = [...new Set(rows.map((r) => r.cause))].filter((c) => c !== 'used')
    .map((cause) => ({ cause, cost: Number(sum(rows.filter((r) => r.cause === cause), 'effective_cost')) })).sort((a, b) => b.cost - a.cost);
  const second = (await page.locator('.intro p').innerText()).toLowerCase();
  assert.ok(second.startsWith(`largest other causes: ${causes[0].cause.replaceAll('_', ' ')}`), second);
  assert.ok(second.includes(causes[1].cause.replaceAll('_', ' ')), second);

  const attention = await page.locator('.alerts').innerText();
  const all = inCurrency(await every('runs'), currency);
  const bound = all.filter((r) => Number(r.lost_cost) > Number(r.lost_cost_min));
  if (bound.length > 0) assert.match(attention, new RegExp(`^${bound.length} runs? lost up to`, 'm'));
  for (const name of attention.match(/most in (\S+):/)?.slice(1) ?? []) {
    const gap = (r) => Number(r.lost_cost) - Number(r.lost_cost_min);
    const worst = bound.reduce((a, b) => (gap(b) > gap(a) ? b : a));
    assert.equal(worst.name, name, 'the run with the largest loss without checkpoint');
  }
  const books = await every('reconciliation');
  assert.equal(/does not tie out/.test(attention), books.some((r) => r.difference !== null && r.difference !== '0'));
  const panel = await page.locator('section', { has: page.getByRole('heading', { name: 'Needs attention' }) }).innerText();
  assert.match(panel, /AWS\s+account \d+/, 'the book is not named');
  await close();
});

test('a run costs the same everywhere, to the last digit', async () => {
  const api = await every('runs');
  for (const row of runs()) {
    const { page, close } = await open(runPath(row.run_id));
    assert.equal(await page.locator('[data-exact-cost]').getAttribute('data-exact-cost'), row.effective_cost, row.what);
    const other = api.find((r) => r.run_id === row.run_id);
    for (const column of ['effective_cost', 'billed_cost', 'lost_cost', 'lost_cost_min', 'used_cost', 'gpu_hours', 'spot_savings']) {
      assert.equal(other[column] ?? '', row[column], `${row.what}: ${column}`);
    }
    const tries = await csv(await page.getByRole('link', { name: 'CSV' }).getAttribute('href'));
    assert.equal(sum(tries, 'effective_cost'), row.effective_cost, `${row.what}: its attempts`);
    assert.equal(await page.locator('table', { hasText: 'All attempts' }).locator('tfoot .fig').last().getAttribute('data-exact'), row.effective_cost);
    if (Number(row.spot_savings) > 0) {
      const net = page.locator('dl', { hasText: 'Net spot saving' }).locator('[data-exact]');
      assert.equal(await net.getAttribute('data-exact'), other.net_spot_savings, `${row.what}: net spot saving`);
    }
    await close();
  }
});

test('from the overview to a run, and on to its bill lines', async () => {
  const { page, close } = await open('/');
  await page.locator('tbody a[href^="/runs/ml-prod/"]').filter({ hasNotText: 'retrain' }).first().click();
  await page.waitForURL(/\/runs\/.+/);
  await page.locator('a[data-explain]').first().click();
  const drawer = page.locator('.drawer.on');
  await drawer.waitFor();
  assert.match(await drawer.innerText(), /\.parquet:\d+/);
  assert.match(await drawer.locator('code[title*=".parquet"]').first().getAttribute('title'), /\/.+\.parquet:\d+$/);
  const line = await drawer.locator('a:has(code)').first().getAttribute('href');
  const { path } = await page.evaluate(() => ({ path: document.querySelector('a[data-explain]').getAttribute('href') }));
  await close();
  const plain = await open(path, { js: false });
  assert.match(await plain.page.locator('main').innerText(), /\.parquet:\d+/);
  const explained = await json(await plain.page.getByRole('link', { name: /JSON/ }).getAttribute('href'));
  assert.ok(JSON.stringify(explained).includes('.parquet'), 'the explanation names no file');
  await plain.page.goto(plain.page.url().replace(/\/explain.*/, line));
  assert.match(await plain.page.locator('main tbody tr').first().innerText(), /\.parquet:\d+/, 'the line leads to its bill line');
  assert.equal(await plain.page.locator('main tbody tr').count(), 1);
  await plain.close();
});
