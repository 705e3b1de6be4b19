// A client of OData that we did not write, against a served demo; and a pivot of all rows, which is what REST says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OData } from '@odata/client';

const base = process.env.GPULEDGER;
const service = base + '/odata/v4/';
const client = OData.New4({ serviceEndpoint: service });

// exact adds decimals up by key. All have at most 18 decimals.
function exact(rows, key, cost) {
  const out = {};
  for (const row of rows) {
    if (row[cost] === null) continue;
    const [, sign, whole, rest = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(row[cost]);
    out[key(row)] = (out[key(row)] ?? 0n) + BigInt(sign + whole + rest.padEnd(18, '0'));
  }
  return out;
}

// all follows the links of a query to its end.
async function all(query, pageSize) {
  const rows = [];
  let pages = 0;
  for (let next = service + query; next; pages++) {
    const answer = await fetch(next, { headers: { Prefer: `odata.maxpagesize=${pageSize}`,
      Accept: 'application/json;odata.metadata=minimal;IEEE754Compatible=true' } });
    assert.equal(answer.status, 200, next);
    const page = await answer.json();
    rows.push(...page.value);
    next = page['@odata.nextLink'];
  }
  return { rows, pages };
}

test('a pivot of all rows is what REST says, to the last digit', async () => {
  const { rows, pages } = await all('costs', 200);
  assert(pages > 2 && rows.length > 400, `${rows.length} rows on ${pages} pages`);
  assert.equal(new Set(rows.map((row) => row.row_id)).size, rows.length);
  const rest = await (await fetch(base + '/api/v1/costs?group_by=team,cause&limit=1000')).json();
  const key = (row) => [row.team, row.cause, row.currency].join('|');
  for (const cost of ['effective_cost', 'billed_cost', 'gpu_hours']) {
    assert.deepEqual(exact(rows, key, cost), exact(rest.data, key, cost));
  }
  const { rows: grouped } = await all('costs?$apply=groupby((team,cause,currency),' +
    'aggregate(effective_cost with sum as effective_cost))', 1000);
  assert.deepEqual(exact(grouped, key, 'effective_cost'), exact(rest.data, key, 'effective_cost'));
});

test('filter, select, orderby, top and skip of @odata/client', async () => {
  const costs = client.getEntitySet('costs');
  const filter = client.newFilter().property('cause').eq('used').property('effective_cost').gt(1);
  const options = () => client.newOptions().filter(filter).orderby('effective_cost', 'desc')
    .select(['team', 'effective_cost']);
  const first = await costs.query(options().top(4));
  assert.equal(first.length, 4);
  assert.deepEqual(Object.keys(first[0]).sort(), ['effective_cost', 'team']);
  const figures = first.map((row) => row.effective_cost);
  assert(figures.every((cost, i) => cost > 1 && (i === 0 || cost <= figures[i - 1])), figures.join());
  assert.deepEqual(await costs.query(options().top(2).skip(2)), first.slice(2));
  const names = new Set((await costs.query(client.newOptions().filter("startswith(team,'s')").select('team')))
    .map((row) => row.team));
  assert(names.size > 0 && [...names].every((name) => name.startsWith('s')), [...names].join());
});

test('every set of the service document has rows as its type says', async () => {
  const sets = (await (await fetch(service)).json()).value;
  const types = await (await fetch(service + '$metadata')).text();
  assert(sets.length > 50);
  for (const { name, url } of sets) {
    const answer = await fetch(service + url + '?$top=1');
    assert.equal(answer.status, 200, name);
    const type = new RegExp(`<EntityType Name="${name}">(.*?)</EntityType>`, 's').exec(types)[1];
    const properties = [...type.matchAll(/<Property Name="(.*?)"/g)].map((found) => found[1]);
    for (const row of (await answer.json()).value) {
      assert.deepEqual(Object.keys(row), properties, name);
    }
  }
});

test('a fault is an error of the client', async () => {
  await assert.rejects(client.getEntitySet('costs').query(client.newOptions().filter("taem eq 'x'")), /not a property/);
});
