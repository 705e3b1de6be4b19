// The form of budgets: without scripts, on a phone and in the dark; a refused field keeps its value and says why.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { desk, open, report, sidewaysBy, token, violations } from './lib.mjs';

const name = 'Browser <b>hours</b>';
const stored = () => report('budget_versions').filter((b) => b.name === name);

test('a budget is set without scripts, then gets its next version', async () => {
  const { page, trouble, close } = await open('/budgets', { origin: desk, js: false, width: 390 });
  const form = page.locator('#set');
  await page.getByRole('link', { name: 'Set a budget' }).click();
  assert.ok(await sidewaysBy(page) <= 0, 'the form scrolls sideways');
  await form.getByLabel('Name', { exact: true }).fill(name);
  await form.getByLabel('Value').fill('nobody');
  await form.getByLabel('Amount').fill('1e3');
  await form.getByLabel('Unit').selectOption('gpu_hours');
  await form.getByLabel('Why').fill('to try the form');
  await form.getByLabel('token').fill(token);
  await page.getByRole('button', { name: 'Store the budget' }).click();
  assert.match(await page.locator('#fault-amount').innerText(), /not a plain decimal/);
  assert.equal(await form.getByLabel('Amount').getAttribute('aria-invalid'), 'true');
  assert.equal(await form.getByLabel('Name', { exact: true }).inputValue(), name);
  assert.equal(await form.getByLabel('token').inputValue(), '', 'the token is not in the page');
  assert.equal(stored().length, 0);
  await form.getByLabel('Amount').fill('1000');
  await form.getByLabel('token').fill(token);
  await page.getByRole('button', { name: 'Store the budget' }).click();
  await page.waitForURL((u) => u.hash.startsWith('#budget-'));
  const row = page.locator(new URL(page.url()).hash);
  assert.match(await row.innerText(), /Browser <b>hours<\/b>[\s\S]*1,000 GPU-h/);
  assert.ok(await row.evaluate((e) => e.matches(':target')), 'the new row is marked');
  await row.getByRole('link', { name: /^Change/ }).click();
  await form.getByLabel('Amount').fill('1200');
  await form.getByLabel('Why').fill('more');
  await form.getByLabel('token').fill(token);
  await page.getByRole('button', { name: 'Store the next version' }).click();
  await page.waitForURL((u) => u.hash.startsWith('#budget-'));
  assert.deepEqual(stored().map((b) => [b.version, b.amount, b.changed_by, b.reason]).sort(),
    [['1', '1000', 'ada', 'to try the form'], ['2', '1200', 'ada', 'more']]);
  assert.deepEqual(trouble.filter((t) => !/400/.test(t)), []);
  await close();
});

test('the form is sound in both themes', async () => {
  for (const theme of ['light', 'dark']) {
    for (const width of [1440, 360]) {
      const { page, close } = await open('/budgets?set=new', { origin: desk, theme, width });
      assert.deepEqual(await violations(page, theme), [], `${theme}, ${width} px`);
      assert.ok(await sidewaysBy(page) <= 0, `${width} px`);
      await page.locator('#in-amount').fill('much');
      await page.getByLabel('token').fill(token);
      await page.getByRole('button', { name: 'Store the budget' }).click();
      await page.locator('#fault-reason').waitFor();
      assert.deepEqual(await violations(page, theme), [], `refused, ${theme}, ${width} px`);
      await close();
    }
  }
});

test('without an operator no budget can be set', async () => {
  const { page, close } = await open('/budgets?set=new');
  assert.equal(await page.locator('#set, .set, .act.change').count(), 0);
  await close();
});
