// Decisions on recommendations: with scripts the row changes in place, without
// scripts the page reloads at that row.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { desk, every, open, report, sidewaysBy, token, violations } from './lib.mjs';

// A recommendation without an amount, so that the sums of other tests don't change.
const [free] = (await every('recommendations', `filter=${encodeURIComponent('holds = true')}`)).filter((r) => !(Number(r.saving_per_month) > 0));
const state = () => report('recommendations', '--filter', `recommendation_id = ${free.recommendation_id}`)[0];
const rowOf = (page) => page.locator(`#rec-${free.recommendation_id}`);

test('a decision changes its row in place, by keys alone', async () => {
  const { page, trouble, close } = await open('/recommendations', { origin: desk });
  const headline = await page.locator('h1').innerText();
  await rowOf(page).getByRole('link', { name: /^Decide/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Note').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.name), 'note', 'the form has the focus');
  assert.deepEqual(await violations(page), [], 'the form');
  await page.keyboard.type('not <this> year');
  await page.keyboard.press('Tab');
  await page.keyboard.type('wrong');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await rowOf(page).getByRole('alert').waitFor();
  assert.equal(state().status, 'open', 'a wrong token decides nothing');
  assert.equal(await page.getByLabel('Note').inputValue(), 'not <this> year', 'the typed note is kept');
  assert.equal(await page.getByLabel('token').inputValue(), '', 'the token is not in the page');
  await page.getByLabel('token').fill(token);
  await page.getByRole('button', { name: 'Dismiss it' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('form.desk').waitFor({ state: 'detached' });
  assert.match(await rowOf(page).innerText(), /dismissed[\s\S]*ada, \d+ \w+: not <this> year/);
  assert.equal(await page.locator('#live').innerText(), 'Dismissed.');
  assert.equal(await page.locator('h1').innerText(), headline);
  assert.match(await page.evaluate(() => document.activeElement.textContent), /Decide/, 'the focus stays at the row');
  assert.equal(new URL(page.url()).search, '', 'the page stays where it was');
  assert.deepEqual([state().status, state().note, state().decided_by], ['dismissed', 'not <this> year', 'ada']);
  assert.match(report('audit').find((e) => e.subject === free.recommendation_id).detail, /dismissed/);
  assert.deepEqual(trouble.filter((t) => !/401/.test(t)), []);
  await close();
});

test('a decision without scripts comes back to its row, and a phone has room for it', async () => {
  const { page, close } = await open('/recommendations?order=saving_per_month', { origin: desk, js: false, width: 390 });
  await rowOf(page).getByRole('link', { name: /^Decide/ }).click();
  await page.getByLabel('token').fill(token);
  assert.ok(await sidewaysBy(page) <= 0, 'the form scrolls sideways');
  await page.getByRole('button', { name: 'Open it again' }).click();
  await page.waitForURL((u) => u.hash === `#rec-${free.recommendation_id}` && u.search === '?order=saving_per_month');
  assert.match(await rowOf(page).innerText(), /open/);
  assert.equal(state().status, 'open');
  await close();
});

test('without an operator no decision is offered', async () => {
  const { page, close } = await open(`/recommendations?decide=${free.recommendation_id}`);
  assert.equal(await page.locator('form.desk, .act').count(), 0);
  await close();
});
