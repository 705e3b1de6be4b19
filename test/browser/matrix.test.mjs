// Every page in every width, theme, medium and state. The everyday tier draws some pages by a
// seed, and looks at each in some of the widths; the full one looks at all of them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { base, full, session, states, violations } from './lib.mjs';
import { places } from './places.mjs';
import { misshapen, missedByKeys } from './shape.mjs';

const seed = Number(process.env.GPULEDGER_TEST_SEED ?? 1);
// draw takes n of a list, by the seed and the name of the test; all of it in full.
function draw(list, n, salt) {
  if (full || list.length <= n) return list;
  let state = seed * 7919 + [...salt].reduce((s, c) => (s * 31 + c.codePointAt(0)) >>> 0, 7);
  const next = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
  return list.map((item) => ({ item, at: next() })).sort((a, b) => a.at - b.at).slice(0, n).map(({ item }) => item);
}

const widths = [360, 768, 1440, 2560];
const height = 700;
const ledgers = Object.fromEntries(await Promise.all([['data', base], ['empty', states.empty], ['hostile', states.hostile]]
  .map(async ([name, origin]) => [name, { origin, pages: await places(origin) }])));
// The reference of metrics is one table of 500 rows, which other tests read.
const pages = (ledger) => ledgers[ledger].pages.filter((p) => p.name !== 'metrics');
const settled = (page) => page.waitForFunction(() => !document.querySelector('[aria-busy=true]'), null, { timeout: 20_000 });

describe('pages keep their shape', { concurrency: true }, () => {
  for (const [ledger, n] of [['data', 9], ['empty', 4], ['hostile', 9]]) {
    for (const theme of ['light', 'dark']) {
      test(`${ledger}, ${theme}`, async () => {
        const { page, trouble, go, close } = await session({ theme });
        const faults = [];
        for (const { name, path } of draw(pages(ledger), theme === 'light' ? n : 3, ledger + theme)) {
          await page.setViewportSize({ width: 1440, height });
          await go(path, { origin: ledgers[ledger].origin });
          await settled(page);
          const where = `${name} (${path.slice(0, 60)})`;
          for (const width of draw(widths, theme === 'light' ? 4 : 1, name)) {
            await page.setViewportSize({ width, height });
            faults.push(...(await misshapen(page)).map((f) => `${where} at ${width} px: ${f}`));
            if (width === 360 || width === 1440) faults.push(...(await violations(page, theme, true)).map((f) => `${where} at ${width} px: ${f}`));
          }
          assert.deepEqual(trouble, [], where);
        }
        assert.deepEqual(faults, [], `seed ${seed}`);
        await close();
      });
    }
  }

  test('printed', async () => {
    const { page, trouble, go, close } = await session({ width: 794, theme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    const faults = [];
    for (const ledger of ['data', 'hostile']) {
      for (const { name, path } of draw(pages(ledger), 4, 'print' + ledger)) {
        await go(path, { origin: ledgers[ledger].origin });
        await settled(page);
        faults.push(...(await misshapen(page)).map((f) => `${ledger}, ${name}: ${f}`));
        if (await page.locator('.rail, .bar').filter({ visible: true }).count()) faults.push(`${name}: the menus are printed`);
        const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        if (dark !== 'rgb(255, 255, 255)') faults.push(`${name}: printed on ${dark}`);
      }
    }
    assert.deepEqual(faults, [], `seed ${seed}`);
    assert.deepEqual(trouble, []);
    await close();
  });

  test('without scripts every part can be read', async () => {
    const { page, trouble, go, close } = await session({ js: false });
    for (const ledger of ['data', 'empty', 'hostile']) {
      for (const { name, path } of draw(pages(ledger), 6, 'plain' + ledger)) {
        await go(path, { origin: ledgers[ledger].origin });
        assert.ok((await page.locator('h1').innerText()).length > 5, `${ledger}, ${name}: no heading`);
        // A part that loads apart has a link to it instead.
        for (const part of await page.locator('[aria-busy=true]').all()) {
          assert.ok(await part.getByRole('link').count(), `${ledger}, ${name}: a part can't be read without scripts`);
        }
      }
    }
    assert.deepEqual(trouble, []);
    await close();
  });

  test('the keyboard reaches everything', async () => {
    const { page, trouble, go, close } = await session();
    const faults = [];
    await page.setViewportSize({ width: 1440, height });
    for (const { name, path } of draw(pages('data').filter((p) => !['bill lines', 'requests', 'runs'].includes(p.name)), 3, 'keys')) {
      await go(path);
      await settled(page);
      faults.push(...(await missedByKeys(page)).map((f) => `${name}: ${f}`));
    }
    assert.deepEqual(faults, [], `seed ${seed}`);
    assert.deepEqual(trouble, []);
    await close();
  });
});
