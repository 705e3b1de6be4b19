// Writes files whose names try to break a page: markup, text that runs from right to left, 300
// characters without a space, emoji. They are in every key that an attempts file, a price book
// and a plan of budgets have.
//   node hostile.mjs FOLDER
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const names = [
  '<script>alert(1)</script><img src=x onerror=alert(2)>',
  'x'.repeat(300),
  '\u202Eלשון הרע\u202C \u2066mixed\u2069 \u200Fright',
  '🦙🔥👩‍👩‍👧‍👦 模型 日本語',
  `"quoted" 'twice' & &amp; \`tick\` %00 ../../etc/passwd`,
];

if (process.argv[1] === import.meta.filename) {
  const [folder] = process.argv.slice(2);
  mkdirSync(folder, { recursive: true });
  const cell = (text) => `"${text.replaceAll('"', '""')}"`;
  const csv = (rows) => rows.map((r) => r.map(cell).join(',')).join('\n') + '\n';
  const labels = ['dataset', 'environment', 'cost-center', 'business-unit', 'experiment-id', 'model-version', 'stage', 'priority'];
  const columns = ['run_id', 'name', 'group', 'namespace', 'team', 'project', 'model', 'user', 'queue', 'reason'];
  const times = [['2026-10-12T03:00:00Z', '2026-10-12T19:00:00Z'], ['2026-11-01T02:00:00Z', '2026-11-01T21:00:00Z']];
  writeFileSync(join(folder, 'attempts.csv'), csv([
    ['attempt', 'nodes', 'gpus', 'started_at', 'ended_at', 'outcome', 'kind', ...columns, ...labels.map((l) => 'label:' + l)],
    ...names.flatMap((name, i) => times.map(([from, to], k) => [
      '1', 'rack-1', '1', from, to, (i + k) % 2 ? 'failed' : 'succeeded', 'training', `${name} ${k}`, ...columns.slice(1).map(() => name), ...labels.map(() => name),
    ])),
  ]));
  writeFileSync(join(folder, 'budgets.csv'), csv([
    ['name', 'key', 'value', 'period', 'start', 'amount', 'unit', 'currency'],
    ...names.map((name, i) => [name, 'team', name, 'month', '2026-11-01', String(10 + i * 40), 'money', 'USD']),
  ]));
  writeFileSync(join(folder, 'book.yaml'), `name: ${JSON.stringify(names[0])}
issued_at: 2026-11-03T00:00:00Z
currency: USD
owned:
  - name: ${JSON.stringify(names[4])}
    cluster: racks
    nodes: [rack-1]
    region: ${JSON.stringify(names[1])}
    zone: ${JSON.stringify(names[2])}
    instance_type: dgx-h100
    gpu_model: H100
    gpus: 8
    tags: {team: ${JSON.stringify(names[1])}}
    in_service: 2026-10-01
    through: 2026-11-02
    purchase_price: "300000"
    residual_value: "30000"
    depreciation: straight_line
    life_months: 48
`);
}
