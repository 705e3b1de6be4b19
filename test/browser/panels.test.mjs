// Slow and failed panels. A lock in the database holds up the panels that read events.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { session, states, violations } from './lib.mjs';

// locked holds a table of the ledger that has only a bill, which no other test waits for.
async function locked(table) {
  const psql = spawn('psql', ['-X', '-q', '-A', '-t', '-h', `${process.env.GPULEDGER_BILL_DIR}/run`, '-U', 'gpuledger', 'gpuledger'], { stdio: ['pipe', 'pipe', 'inherit'] });
  psql.stdin.write(`begin; lock table ${table} in access exclusive mode; select 'locked';\n`);
  assert.match(String((await once(psql.stdout, 'data'))[0]), /locked/);
  return async () => {
    psql.stdin.end('rollback;\n');
    await once(psql, 'close');
  };
}

const path = '/explore?dataset=costs&measure=effective_cost&by=provider&granularity=day';

test('a slow panel is loaded apart, and one that failed is tried again', async () => {
  const release = await locked('annotations');
  const { page, trouble, go, close } = await session();
  const plain = await session({ js: false });
  let released = false;
  try {
    await Promise.all([go(path, { origin: states.bill }), plain.go(path, { origin: states.bill })]);
    const panel = page.locator('#panel-explore');
    assert.equal(await panel.getAttribute('aria-busy'), 'true');
    assert.ok((await panel.boundingBox()).height > 300, 'the panel keeps its place');
    assert.ok(await page.locator('h1').isVisible() && await page.locator('nav.chooser').isVisible(), 'the rest is there');
    assert.deepEqual(await violations(page), []);

    await panel.locator('.well').waitFor({ timeout: 30_000 });
    assert.match(await panel.innerText(), /timed out after 10s/);
    assert.deepEqual(await violations(page), []);

    await release();
    released = true;
    await panel.getByText('Try again').click();
    await panel.locator('[data-mark]').first().waitFor({ timeout: 30_000 });
    assert.equal(await panel.getAttribute('aria-busy'), null);
    await page.waitForFunction(() => document.activeElement.id === 'panel-explore-title'); // once it has settled
    await page.waitForFunction(() => document.getElementById('live').textContent.startsWith('Loaded: '));
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(trouble, []);

    await plain.page.locator('#panel-explore a').click();
    await plain.page.locator('#panel-explore [data-mark]').first().waitFor();
    assert.ok(await plain.page.locator('h1').isVisible(), 'without scripts the panel comes in a page');
  } finally {
    if (!released) await release();
    await Promise.all([close(), plain.close()]);
  }
});
