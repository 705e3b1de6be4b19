// The script of the page /docs/api, as a reader would copy it, against a served demo.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import createClient from 'openapi-fetch';

const base = process.env.GPULEDGER;
const token = process.env.GPULEDGER_TOKEN;
const folder = mkdtempSync(join(tmpdir(), 'gpuledger-client-'));
after(() => rmSync(folder, { recursive: true }));
const page = await (await fetch(base + '/docs/api')).text();

// recipe is a text of the page.
function recipe(name) {
  const found = new RegExp(`data-recipe="${name}"[^>]*><code>(.*?)</code>`, 's').exec(page);
  assert(found, `the page has no recipe ${name}`);
  const marks = { '&lt;': '<', '&gt;': '>', '&#34;': '"', '&#39;': "'", '&amp;': '&' };
  return found[1].replace(/&(lt|gt|#34|#39|amp);/g, (m) => marks[m]);
}

function tsc(file) {
  const flags = ['--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext', file];
  return execFileSync(join(folder, 'node_modules/.bin/tsc'), flags, { cwd: folder, encoding: 'utf8' });
}

// sums adds decimals up, exactly, by currency.
function sums(rows) {
  const out = {};
  for (const [cost, currency] of rows) {
    if (cost === null || cost === 'null') continue;
    const [whole, rest = ''] = cost.split('.');
    out[currency] = (out[currency] ?? 0n) + BigInt(whole + rest.padEnd(18, '0'));
  }
  return out;
}

test('the script of the page works as it is', async () => {
  symlinkSync(new URL('node_modules', import.meta.url).pathname, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'costs.ts'), recipe('typescript'));
  // The page installs the newest tools; the versions that are tested are installed already.
  const steps = recipe('typescript-run').split('\n').filter((line) => !line.startsWith('npm '));
  assert.equal(steps.length, 4);
  const printed = execFileSync('bash', ['-euo', 'pipefail', '-c', steps.join('\n')], { cwd: folder, encoding: 'utf8' });
  const rows = printed.split('\n').map((line) => line.split(' ')).filter((words) => /^(USD|EUR|null)$/.test(words.at(-1)));
  const asked = await (await fetch(base + '/api/v1/costs?group_by=team')).json();
  assert(rows.length > 3 && rows.length === asked.data.length, printed);
  assert.deepEqual(sums(rows.map((words) => words.slice(-2))),
    sums(asked.data.map((row) => [row.effective_cost, row.currency])));
});

test('a wrong parameter or column does not compile', () => {
  const script = recipe('typescript');
  for (const [right, wrong] of [['group_by:', 'groupby:'], ['row.team', 'row.taem'], ['/api/v1/costs"', '/api/v1/cost"']]) {
    assert(script.includes(right));
    writeFileSync(join(folder, 'wrong.ts'), script.replace(right, wrong));
    assert.throws(() => tsc('wrong.ts'), `${wrong} compiles`);
  }
});

test('the committed types are those of this server', () => {
  const lines = (text) => text.replace(/^.*\n/, '').length;
  const committed = readFileSync(new URL('gpuledger.d.ts', import.meta.url), 'utf8');
  assert(lines(committed) > 100_000);
  writeFileSync(join(folder, 'write.ts'), `import createClient from "openapi-fetch";
import type { paths } from "${new URL('gpuledger.js', import.meta.url).pathname}";
const ledger = createClient<paths, "application/json" | "application/problem+json">({ baseUrl: "x" });
const { data, error } = await ledger.POST("/api/v1/annotations", {
  params: { header: { "Idempotency-Key": "k" } },
  body: [{ at: "2026-11-12T09:00:00Z", kind: "deploy", text: "v7" }],
});
if (error) throw new Error(error.detail);
console.log(data.stored + data.rows);
`);
  tsc('write.ts');
});

test('a change with a key is made once', async () => {
  const ledger = createClient({ baseUrl: base, headers: { Authorization: `Bearer ${token}` } });
  const ask = (text) => ledger.POST('/api/v1/annotations', {
    params: { header: { 'Idempotency-Key': 'page-test' } },
    body: [{ at: '2026-11-12T09:00:00Z', kind: 'deploy', text }],
  });
  const first = await ask('v7');
  const again = await ask('v7');
  const other = await ask('v8');
  assert.equal(first.response.status, 201);
  assert.deepEqual(again.data, first.data);
  assert.equal(again.response.headers.get('Idempotent-Replayed'), 'true');
  assert.equal(other.response.status, 422);
  assert.match(other.error.detail, /choose a new key/);
});
