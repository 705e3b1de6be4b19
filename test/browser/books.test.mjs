// The books: every bill ties out on the page as in the API, currencies are
// never added, and imports can be followed to their rows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { every, open, refused, report, runPath, runs, sum, violations } from './lib.mjs';

const totalRows = (page) => page.locator('.books tfoot tr').evaluateAll((all) => all.map((r) => Array.from(r.cells, (c) => c.textContent.trim())));

test('bills tie out, currency by currency', async () => {
  const { page, close } = await open('/reconciliation');
  const rows = await every('reconciliation');
  const books = rows.filter((r) => r.role === 'book');
  assert.ok(books.every((r) => r.difference === '0'), 'a book does not tie out');
  assert.equal(await page.locator('h1').innerText(), 'Every billed cent is posted.');
  const codes = [...new Set(rows.map((r) => r.currency))];
  for (const code of codes) {
    const panel = page.locator('section', { has: page.getByRole('heading', { name: codes.length > 1 ? `Bill against ledger, ${code}` : 'Bill against ledger' }) });
    const bills = new Set(books.filter((r) => r.currency === code).map((r) => r.provider + r.billing_account + r.billing_period));
    if (bills.size < 2) continue;
    for (const metric of ['billed', 'effective']) {
      const own = books.filter((r) => r.currency === code && r.metric === metric + '_cost');
      const total = panel.locator('tfoot tr', { hasText: `All books, ${metric[0].toUpperCase()}${metric.slice(1)}` });
      assert.equal(await total.locator('.fig').first().getAttribute('data-exact'), sum(own, 'source_total'), `${metric} in ${code}`);
      assert.equal(await total.locator('.fig').nth(1).getAttribute('data-exact'), sum(own, 'posted_total'), `${metric} in ${code}, posted`);
    }
  }
  for (const cells of await totalRows(page)) assert.equal(cells.at(-1), '0.00');
  await close();
});

test('restatements on the page are those of the report', async () => {
  const { page, close } = await open('/reconciliation');
  const rows = report('restatements');
  assert.ok(rows.length > 0, 'the demo has no restatements');
  const panel = page.locator('section', { has: page.getByRole('heading', { name: 'Restatements', exact: true }) });
  const figures = await panel.locator('tbody td .fig[data-exact]').evaluateAll((all) => all.map((f) => f.dataset.exact));
  for (const r of rows.filter((r) => r.service_name).slice(0, 8)) {
    assert.ok(figures.includes(r.billed_cost) && figures.includes(r.effective_cost), `${r.service_name}: ${r.billed_cost}, ${r.effective_cost}`);
  }
  await panel.getByRole('row').locator('a[href^="/charges?"]').first().click();
  await page.waitForURL(/\/charges\?.*delivery=/);
  assert.ok((await page.locator('main tbody tr').count()) > 0, 'a restated service has no lines');
  await close();
});

test('currencies are shown next to each other and never added', async () => {
  const all = await every('runs');
  const codes = [...new Set(all.map((r) => r.currency).filter(Boolean))];
  assert.ok(codes.length > 1, 'the demo has one currency');
  const { page, close } = await open('/runs');
  for (const code of codes) {
    const total = page.locator('tfoot tr', { hasText: `All runs, ${code}` });
    assert.equal(await total.locator('.fig').last().getAttribute('data-exact'), sum(all.filter((r) => r.currency === code), 'effective_cost'), code);
  }
  for (const path of ['/runs', '/reconciliation', '/charges']) {
    await page.goto(new URL(path, page.url()).href);
    const bare = await page.locator('td.n .fig[data-exact]').evaluateAll((figures) => figures.map((f) => f.textContent)
      .filter((t) => /[$€]/.test(t) || (/\.\d\d$/.test(t) && !/[A-Z]{3}/.test(t) && t !== '0.00')));
    assert.deepEqual(bare, [], `${path}: figures without their currency`);
  }
  await page.goto(new URL('/', page.url()).href);
  await page.locator('.bar summary', { hasText: 'Currency' }).click();
  await page.getByRole('link', { name: codes.find((c) => c !== 'USD'), exact: true }).click();
  await page.waitForURL(/currency=/);
  assert.match(await page.locator('.intro p').innerText(), /currencies are never added/);
  await close();
});

test('bill lines are those of the API, aggregates with their ranges', async () => {
  const { page, trouble, close } = await open('/charges?provider=aws');
  const rows = await every('charges', `filter=${encodeURIComponent("provider = 'aws'")}&order=-billed_cost`);
  const cells = page.locator('section', { has: page.getByRole('heading', { name: 'Lines', exact: true }) }).locator('tbody tr');
  assert.equal(await cells.count(), Math.min(100, rows.length));
  for (const i of [0, 1, 7]) {
    assert.equal((await cells.nth(i).locator('.fig').last().getAttribute('data-exact')) ?? '', rows[i].billed_cost ?? '', `line ${i}`);
  }
  const some = rows.find((r) => r.line_ranges);
  assert.ok(some, 'the demo has no aggregates');
  await page.goto(new URL('/charges?charge=' + some.charge_id, page.url()).href);
  assert.match(await page.locator('main tbody tr').first().innerText(), new RegExp(`^${some.lines} lines?\\s+${some.line_ranges.split(' ')[0].replace('-', '–')}`));
  assert.deepEqual(trouble, []);
  await close();
});

test('rejections are shown with file, line, column and reason', async () => {
  const [id] = refused();
  assert.ok(id, 'no import rejected a row');
  const { page, close } = await open('/data');
  await page.locator(`a.tag[href="/data/${id}"]`).click();
  await page.waitForURL(/\/data\/[0-9a-f]{32}$/);
  const [first] = report('rejections', '--filter', `import_id = ${id}`);
  const row = page.locator('section', { has: page.getByRole('heading', { name: 'Rejections' }) }).locator('tbody tr').first();
  assert.match(await row.innerText(), new RegExp(`${first.file.split('/').at(-1)}:${first.line}\\s+${first.column}\\s+${first.reason}`));
  const reasons = page.locator('section', { has: page.getByRole('heading', { name: 'Why rows are left out' }) });
  assert.match(await reasons.innerText(), new RegExp(first.reason));
  await close();
});

test('running imports are polled, and the page stays usable', async () => {
  const { page, trouble, close } = await open('/about:blank', { status: 404 });
  await page.clock.install();
  await page.goto(new URL('/data', page.url()).href);
  const again = page.waitForResponse((r) => new URL(r.url()).pathname === '/data/running');
  await page.clock.runFor(16_000);
  assert.equal((await again).status(), 200);
  await page.waitForFunction(() => document.querySelectorAll('#running').length === 1 && document.querySelectorAll('#journal').length === 1);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(trouble, []);
  await close();
});

test('a provider’s own split is shown next to our figure', async () => {
  const row = runs().find((r) => r.what.includes('own split'));
  const { page, close } = await open(runPath(row.run_id));
  const note = page.locator('.evidence');
  if (!row.provider_split_cost) assert.equal(await note.count(), 0);
  else assert.equal(await note.locator('[data-exact]').getAttribute('data-exact'), row.provider_split_cost);
  await close();
  const other = report('runs').find((r) => r.provider_split_cost === '');
  const without = await open(runPath(other.run_id));
  assert.equal(await without.page.locator('.evidence').count(), 0);
  await without.close();
});
