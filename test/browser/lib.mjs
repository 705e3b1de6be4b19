// Shared by the browser tests: a browser, exact decimals, the outputs of the
// binary and of the API.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);
export const base = process.env.GPULEDGER_URL;
export const states = { empty: process.env.GPULEDGER_EMPTY, bill: process.env.GPULEDGER_BILL, telemetry: process.env.GPULEDGER_TELEMETRY, hostile: process.env.GPULEDGER_HOSTILE };
// desk serves the whole ledger; the operator with this token may decide there.
export const desk = process.env.GPULEDGER_DESK;
export const token = process.env.GPULEDGER_TOKEN;
// full runs all checks (make test-real), like test/tier in Go.
export const full = Boolean(process.env.GPULEDGER_TEST_FULL);
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

let browser;
before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROME,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
});
after(() => browser?.close());

// session is one browser window that collects the browser's errors; go loads a
// page in it.
export async function session({ width = 1440, theme = 'light', js = true, permissions = [], forcedColors = 'none' } = {}) {
  const context = await browser.newContext({
    viewport: { width, height: 1000 }, javaScriptEnabled: js, reducedMotion: 'reduce', colorScheme: theme, timezoneId: 'UTC', permissions, forcedColors,
  });
  await context.addCookies([base, desk, ...Object.values(states)].map((url) => ({ name: 'theme', value: theme, url })));
  const page = await context.newPage();
  const trouble = [];
  let expected = 200;
  page.on('console', (m) => {
    if (m.type() === 'error' && !(expected !== 200 && /Failed to load resource/.test(m.text()))) trouble.push(m.text());
  });
  page.on('pageerror', (e) => trouble.push(String(e)));
  page.on('requestfailed', (r) => { if (r.failure()?.errorText !== 'net::ERR_ABORTED') trouble.push(`${r.url()} failed`); });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (e) => console.error(`policy: ${e.violatedDirective} ${e.blockedURI}`));
  });
  const go = async (path, { status = 200, origin = base } = {}) => {
    expected = status;
    const answer = await page.goto(origin + path, { waitUntil: 'load' });
    assert.equal(answer.status(), status, path);
  };
  return { page, trouble, go, close: () => context.close() };
}

// open starts a session with a page.
export async function open(path, { status, origin, ...options } = {}) {
  const opened = await session(options);
  await opened.go(path, { status, origin });
  return opened;
}

// In the dark theme axe checks only rules that depend on colours: a theme only sets custom
// properties, and everything else is as in the light theme.
const rules = { light: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], dark: ['color-contrast', 'link-in-text-block'] };

const landmarks = ['landmark-banner-is-top-level', 'landmark-complementary-is-top-level', 'landmark-contentinfo-is-top-level', 'landmark-main-is-top-level',
  'landmark-no-duplicate-banner', 'landmark-no-duplicate-contentinfo', 'landmark-no-duplicate-main', 'landmark-one-main', 'landmark-unique', 'page-has-heading-one', 'region'];

// violations lists the violations of WCAG 2.2 AA that axe finds; with places, those of landmarks, too.
export async function violations(page, theme = 'light', places = false) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const found = await page.evaluate(async ([tags, marks]) => {
    const run = (runOnly) => globalThis.axe.run({ runOnly, resultTypes: ['violations'] });
    const [of, at] = [await run(tags), marks.length ? await run({ type: 'rule', values: marks }) : { violations: [] }];
    return { violations: [...of.violations, ...at.violations] };
  }, [rules[theme], places ? landmarks : []]);
  return found.violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.target.join(' ')).join(' | ')}`);
}

export const json = async (path, origin = base) => {
  const answer = await fetch(origin + path);
  assert.equal(answer.status, 200, path);
  return answer.json();
};

// every returns all rows of a dataset, page by page. Another test may decide a recommendation of
// the same ledger meanwhile; then the cursor answers 409, and reading starts again, as a client does.
export const every = async (dataset, query = '') => {
  const path = `/api/v1/${dataset}?limit=1000${query && '&' + query}`;
  for (let tries = 0, cursor = '', rows = []; ;) {
    const answer = await fetch(base + path + (cursor && '&cursor=' + encodeURIComponent(cursor)));
    if (answer.status === 409 && cursor && ++tries < 5) {
      [cursor, rows] = ['', []];
      continue;
    }
    assert.equal(answer.status, 200, path);
    const page = await answer.json();
    rows.push(...page.data);
    cursor = page.meta.next_cursor;
    if (!cursor) return rows;
  }
};

const parse = (text) => {
  const [head, ...rows] = text.trim().split(/\r?\n/).map((line) =>
    line.match(/("([^"]|"")*"|[^,]*)(,|$)/g).map((c) => c.replace(/,$/, '').replace(/^"|"$/g, '').replaceAll('""', '"')));
  return rows.map((r) => Object.fromEntries(head.map((h, i) => [h, r[i]])));
};
export const report = (...args) => parse(execFileSync(process.env.GPULEDGER_BIN, ['report', ...args, '--format', 'csv'], { encoding: 'utf8', maxBuffer: 1 << 28 }));
export const csv = async (path) => {
  const answer = await fetch(base + path);
  assert.equal(answer.status, 200, path);
  return parse(await answer.text());
};

// Exact decimals: integers of 1e-30.
const places = 30;
const units = (text) => {
  if (!text) return 0n;
  const [whole, frac = ''] = text.replace('-', '').split('.');
  const n = BigInt(whole + frac.padEnd(places, '0'));
  return text.startsWith('-') ? -n : n;
};
export const sum = (rows, column) => {
  const n = rows.reduce((s, r) => s + units(r[column]), 0n);
  const digits = (n < 0n ? -n : n).toString().padStart(places + 1, '0');
  const frac = digits.slice(-places).replace(/0+$/, '');
  return (n < 0n ? '-' : '') + digits.slice(0, -places) + (frac && '.' + frac);
};

let list;
// runs are of different kinds, so that pages are also tested on difficult ones.
export const runs = () => (list ??= (() => {
  const all = report('runs', '--order', '-effective_cost');
  const pick = (what, f) => ({ what, ...(all.find(f) ?? all[0]) });
  return [
    pick('the costliest', () => true),
    pick('a preempted gang on spot', (r) => Number(r.preemptions) > 0 && Number(r.spot_savings) > 0),
    pick('a loss without checkpoint', (r) => r.lost_cost_min === '0' && Number(r.lost_cost) > 0),
    pick('in another currency', (r) => r.currency !== all[0].currency),
    pick('with the provider\u2019s own split', (r) => r.provider_split_cost !== ''),
    pick('still running', (r) => r.status === 'running'),
    pick('a small evaluation', (r) => r.kind === 'evaluation' && Number(r.gpu_hours) < 1),
  ];
})());
// refused lists imports with rejections.
export const refused = () => report('imports', '--order', '-started_at').filter((r) => Number(r.rejected) > 0).slice(0, 1).map((r) => r.import_id);
export const runPath = (id) => '/runs/' + id.split('/').map(encodeURIComponent).join('/');
export const sidewaysBy = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
