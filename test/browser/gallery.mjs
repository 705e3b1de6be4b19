// Pictures of all pages, in each width and theme and as printed, with a page that shows them; and
// the pictures of docs/screenshots. `make gallery` serves a demo for it.
//   GPULEDGER_URL=ADDRESS CHROME=BROWSER node gallery.mjs FOLDER [NAME…]
//   GPULEDGER_URL=ADDRESS CHROME=BROWSER node gallery.mjs documents
// NAMEs choose pages by their names in the rail; then docs/screenshots is left alone.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { places } from './places.mjs';

const [folder, ...names] = process.argv.slice(2);
const base = process.env.GPULEDGER_URL;
if (!folder || !base) {
  console.error('usage: GPULEDGER_URL=ADDRESS CHROME=BROWSER node gallery.mjs FOLDER [NAME…]');
  process.exit(2);
}
// LOOKS are widths with a theme; 700 px is the height of a small notebook's window.
const looks = (process.env.LOOKS ?? '360-light 768-light 1440-light 1440-dark 2560-light print').split(' ');
// The pictures of the documents: name, page, look, and the height that is shown.
const documents = [
  ['overview', 'overview', '1440-light', 1000], ['overview-dark', 'overview', '1440-dark', 1000], ['variance', 'difference', '1440-light', 1000],
  ['budgets', 'budgets', '1440-light', 1000], ['fleet', 'now', '1440-light', 900], ['run', 'run', '1440-light', 1040], ['run-390', 'run', '390-light', 900],
  ['inference', 'inference', '1440-light', 900], ['recommendations', 'recommendations', '1440-light', 700], ['slices', 'slices', '1440-light', 900],
  ['reconciliation', 'reconciliation', '1440-light', 900], ['statement', 'statement', '1440-light', 1200],
];
const documentsFolder = new URL('../../docs/screenshots/', import.meta.url).pathname;
const mostBytes = 150_000;

const browser = await chromium.launch({ executablePath: process.env.CHROME, args: ['--no-sandbox', '--disable-gpu'] });
const press = await browser.newPage(); // draws a PNG on a canvas to write it as WebP
async function webp(png, quality) {
  const text = await press.evaluate(async ([data, q]) => {
    const image = new Image();
    image.src = 'data:image/png;base64,' + data;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', q).split(',')[1];
  }, [png.toString('base64'), quality]);
  return Buffer.from(text, 'base64');
}

// at opens a window with a look; shoot loads a page in it.
async function at(look) {
  const [width, theme] = look === 'print' ? [794, 'light'] : [Number(look.split('-')[0]), look.split('-')[1]];
  const context = await browser.newContext({ viewport: { width, height: 700 }, colorScheme: theme, reducedMotion: 'reduce', timezoneId: 'UTC' });
  await context.addCookies([{ name: 'theme', value: theme, url: base }]);
  const page = await context.newPage();
  if (look === 'print') await page.emulateMedia({ media: 'print' });
  const shoot = async ({ path }, options) => {
    await page.goto(base + path, { waitUntil: 'load' });
    await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'), null, { timeout: 60_000 });
    return page.screenshot(options);
  };
  return { shoot, page, width, close: () => context.close() };
}

const all = await places(base);
const shown = all.filter((p) => folder !== 'documents' && (!names.length || names.includes(p.name)));
const rows = [];
if (shown.length) mkdirSync(folder, { recursive: true });
for (const look of shown.length ? looks : []) {
  const { shoot, close } = await at(look);
  for (const place of shown) {
    const file = `${place.name.replaceAll(/[^a-z0-9]+/g, '-')}-${look}.png`;
    writeFileSync(join(folder, file), await shoot(place, { fullPage: true }));
    rows.push({ ...place, look, file });
  }
  await close();
}

const escape = (s) => s.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
if (shown.length) writeFileSync(join(folder, 'index.html'), `<!doctype html><html lang="en"><meta charset="utf-8"><title>Gallery</title>
<style>body{font:14px sans-serif;margin:24px}h2{margin:32px 0 8px}figure{display:inline-block;margin:0 12px 12px 0;vertical-align:top}
img{height:360px;border:1px solid #ccc;object-fit:cover;object-position:top}figcaption{color:#555}</style>
<h1>All pages</h1>${shown.map(({ name, path }) => `<h2>${escape(name)}</h2><p>${escape(path)}</p>${rows.filter((r) => r.name === name)
  .map((r) => `<figure><a href="${r.file}"><img src="${r.file}" alt="${escape(name)}, ${r.look}" loading="lazy"></a><figcaption>${r.look}</figcaption></figure>`).join('')}`).join('\n')}</html>`);
if (shown.length) console.log(`${rows.length} pictures of ${shown.length} pages: ${join(folder, 'index.html')}`);

if (!names.length) {
  for (const [file, name, look, height] of documents) {
    const place = all.find((p) => p.name === name);
    if (!place) throw new Error(`the demo has no page ${name} for docs/screenshots/${file}.webp`);
    const { shoot, page, width, close } = await at(look);
    await page.setViewportSize({ width, height });
    const png = await shoot(place);
    let picture;
    for (const quality of [0.86, 0.75, 0.6]) if ((picture = await webp(png, quality)).length <= mostBytes) break;
    if (picture.length > mostBytes) throw new Error(`docs/screenshots/${file}.webp has ${picture.length} bytes, more than ${mostBytes}`);
    writeFileSync(join(documentsFolder, file + '.webp'), picture);
    await close();
  }
  console.log(`${documents.length} pictures: ${documentsFolder}`);
}
await browser.close();
