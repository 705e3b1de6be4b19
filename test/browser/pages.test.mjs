// Every page in both themes, without errors in the browser; in every width, without sideways
// scrolling and without findings of axe. The everyday tier opens each kind of page once; the
// full one (make test-real) also uses other filters, rows and ledgers.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { base, full, open, refused, runPath, runs, session, sidewaysBy, states, violations } from './lib.mjs';

const widths = { light: [1440, 1100, 768, 390, 360], dark: process.env.SHOTS ? [1440, 768, 390] : [1440] };
const looked = [1440, 390]; // axe checks these; the other widths share their layout

const devices = [...new Set((await (await fetch(base + '/fleet')).text()).match(/\/fleet\/devices\/[^"]+/g))];

// kinds has one page of each kind.
const kinds = () => [
  ...['/', '/?as=table', '/runs', '/reconciliation', '/charges', '/data', '/periods', '/docs/metrics', '/fleet', devices[0]].map((path) => ({ path })),
  ...refused().map((id) => ({ path: '/data/' + id, name: 'an import' })),
  ...runs().slice(0, 2).map((r) => ({ path: runPath(r.run_id), name: r.what })),
  { path: runPath(runs()[1].run_id) + '?as=table' },
  { path: '/explain' + runPath(runs()[1].run_id).replace('/runs/', '/run/') },
  { path: '/runs?q=no-run-of-that-name' }, { path: '/no/such/page', status: 404 }, { path: '/?from=soon', status: 400 },
  ...Object.entries(states).map(([name, origin]) => ({ path: '/', origin, name: `${name} ledger` })),
];

// others has more pages of these kinds, with other figures.
const others = () => [
  ...['/?attention=all', '/runs?status=running', '/reconciliation?by=account', '/reconciliation?provider=azure', '/charges?provider=aws&page=2', '/charges?q=no-line-of-that-name',
    '/?by=provider', '/?provider=azure', '/?currency=EUR', '/?currency=EUR&as=table', '/runs?currency=EUR', '/runs?provider=gcp',
    '/fleet?state=idle', '/fleet?state=silent', '/fleet?page=2', '/fleet?q=no-device-of-that-name', devices.at(-1), '/?team=nobody-of-that-name'].map((path) => ({ path })),
  ...runs().slice(2).map((r) => ({ path: runPath(r.run_id), name: r.what })),
  { path: '/runs/no/such/run', status: 404 }, { path: '/data/00000000000000000000000000000000', status: 404 }, { path: '/fleet?state=broken', status: 400 }, { path: '/fleet/devices/GPU-none', status: 404 },
  ...Object.entries(states).flatMap(([name, origin]) => ['/runs', '/reconciliation', '/charges', '/data', '/fleet'].map((path) => ({ path, origin, name: `${name} ledger` }))),
];

const pages = () => [...kinds(), ...(full ? others() : [])];

// In parallel, with one browser window each.
describe('every page is sound', { concurrency: true }, () => {
  for (const theme of ['light', 'dark']) {
    test(`in ${theme}`, async () => {
      const { page, trouble, go, close } = await session({ theme });
      for (const { path, name, ...options } of pages()) {
        const where = (width) => `${path}${name ? ` (${name})` : ''} at ${width} px, ${theme}`;
        await go(path, options);
        for (const width of widths[theme]) {
          await page.setViewportSize({ width, height: 1000 });
          const wide = await sidewaysBy(page);
          assert.ok(wide <= 0, `${where(width)} scrolls sideways by ${wide} px`);
          if (looked.includes(width)) assert.deepEqual(await violations(page, theme), [], where(width));
          if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${(name ?? '') + path.replaceAll(/[^a-z0-9]+/gi, '_').slice(0, 60)}-${theme}-${width}.png`, fullPage: true });
        }
        assert.ok((await page.locator('h1').innerText()).length > 5, `${path} has no heading`);
        assert.equal(await page.getAttribute('html', 'data-theme'), theme);
        assert.deepEqual(trouble, [], where('any'));
      }
      await close();
    });
  }
});

test('the same pages work without scripts', async () => {
  const { page, trouble, go, close } = await session({ js: false });
  for (const { path, name, ...options } of pages()) {
    await go(path, options);
    assert.ok((await page.locator('h1').innerText()).length > 5, path);
    assert.deepEqual(trouble, [], `${path} ${name ?? ''}`);
  }
  await go('/');
  await page.locator('summary', { hasText: 'Period' }).click();
  await page.getByRole('link', { name: 'Last day' }).click();
  assert.match(page.url(), /from=.*to=/);
  await page.locator('a[data-twin]').first().click();
  assert.equal(await page.locator('svg.chart').count(), 0, 'the table twin draws charts');
  assert.equal(await page.locator('[data-keys]').isVisible(), false, 'keys are offered though there is no script');
  await close();
});

test('a ledger that lacks a source shows what is missing, and no zeros in its place', async () => {
  for (const [name, want] of Object.entries({ empty: 'Nothing is in the ledger yet.', bill: 'The bill is in. Most of it has no cause yet.' })) {
    const { page, close } = await open('/', { origin: states[name] });
    assert.equal(await page.locator('h1').innerText(), want);
    const text = await page.locator('main').innerText();
    assert.match(text, /From bill to ledger/, name);
    assert.doesNotMatch(text, /(?<![\d.,])0(\.0+)?\s?[%¢]|\$0\.00|(?<![\d.,])0\.00\b|\bfinal\b/, `${name}: a zero stands for what is not known`);
    await close();
  }
});

test('telemetry alone has costs, at prices marked as assumed', async () => {
  const { page, close } = await open('/', { origin: states.telemetry });
  assert.match(await page.locator('h1').innerText(), /of each GPU dollar did work/);
  const text = await page.locator('main').innerText();
  assert.match(text, /from public list prices, assumed;.*Import a bill or a price book for real prices\./);
  assert.match(text, /No bill has been imported yet\./);
  assert.doesNotMatch(text, /[$€]0\.00\b/, 'unknown money is shown as 0');
  await close();
});

test('print and forced colours keep the figures readable', async () => {
  const path = runPath(runs()[1].run_id);
  const { page, trouble, close } = await open(path, { theme: 'dark', width: 768 });
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('.rail').isVisible(), false);
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
  assert.ok(await sidewaysBy(page) <= 0, 'the printed page is too wide');
  assert.match(await page.locator('.printfoot').innerText(), /runs\//);
  await close();
  const forced = await open(path, { forcedColors: 'active' });
  const colours = await forced.page.locator('.strip.head > i').evaluateAll((all) => new Set(all.map((i) => getComputedStyle(i).backgroundColor)).size);
  assert.ok(colours > 1, 'forced colours give all causes one colour');
  assert.deepEqual([...trouble, ...forced.trouble], []);
  await forced.close();
});
