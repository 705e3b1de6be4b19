// One address of each kind of page, for the matrix of tests and for the gallery. Pages of the
// rail are read from the rail, so a new page is covered as soon as it is in the navigation.
const text = async (url) => {
  const answer = await fetch(url);
  return answer.ok ? answer.text() : '';
};
const linked = (html, pattern) => (html.match(pattern) ?? []).map((m) => m.slice(6, -1).replaceAll('&amp;', '&'))[0];

// places lists { name, path } of a served ledger. Pages of a thing (a run, a device, an import)
// show the first one that a page links to; a ledger without one has no such place.
export async function places(base) {
  const rail = (await text(base + '/')).match(/<nav aria-label="Pages">.*?<\/nav>/s)[0];
  const found = [...rail.matchAll(/href="([^"?#]*)[^"]*"[^>]*>([^<]*)/g)].map(([, path, title]) => ({ name: title.trim().toLowerCase(), path }));
  const things = [
    ['run', '/runs?order=-attempts', /href="\/runs\/[^"?#]+"/g],
    ['device', '/fleet', /href="\/fleet\/devices\/[^"?#]+"/g],
    ['import', '/data', /href="\/data\/[0-9a-f]{32}"/g],
    ['statement', '/chargeback', /href="\/statement\?[^"]*"/g],
    ['difference', '/variance', /href="\/variance\?[^"]*against=[^"]*"/g],
    ['explanation', '/runs', /href="\/explain\/run\/[^"?#]+"/g],
    ['explained cost', '/chargeback', /href="\/explain\/costs\?[^"]*"/g],
    ['experiment', '/experiments', /href="\/experiments\/[^"?#]+"/g],
  ];
  for (const [name, from, pattern] of things) {
    const path = linked(await text(base + from), pattern);
    if (path) found.push({ name, path });
  }
  return [...found, { name: 'search', path: '/find?q=a' }, { name: 'filter', path: '/filter?back=%2Fchargeback&of=costs' }];
}
