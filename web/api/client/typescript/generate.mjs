// Generates gpuledger.d.ts from ../../openapi.json, with --check only compares. The types have no examples, and one type
// for all errors: that keeps them small. $SLIM names a file for the same document, from
// which the Go client is generated.
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
for (const path of Object.values(document.paths)) {
  for (const operation of Object.values(path)) {
    for (const status of Object.keys(operation.responses)) {
      if (/^[345]/.test(status)) delete operation.responses[status];
    }
  }
}
document.components.responses = { Other: document.components.responses.Other };
slim(document);

if (process.env.SLIM) { // Go has no type for a list of words
  const words = (name, value) => (name === 'enum' ? undefined : value);
  writeFileSync(process.env.SLIM, JSON.stringify(document, words));
}
const file = new URL('gpuledger.d.ts', import.meta.url);
const text = '// Generated from openapi.json: do not edit. make clients writes it.\n' + astToString(await openapiTS(document));
if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (readFileSync(file, 'utf8') !== text) {
  console.error('gpuledger.d.ts is not what openapi.json gives: run make clients');
  process.exit(1);
}

// slim removes examples, and the summary that a description repeats.
function slim(node) {
  if (node === null || typeof node !== 'object') return;
  for (const [name, value] of Object.entries(node)) {
    if (name === 'examples' || (name === 'example' && !('type' in node))) delete node[name];
    else if (name === 'summary' && 'operationId' in node) delete node[name];
    else if (name.startsWith('x-')) delete node[name];
    else slim(value);
  }
}
