/** No key of the language is missing in the composed playbooks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { operationNames, operationOf } from '../../src/exchange/api/operations/index.ts';
import { compose } from './compose.ts';
import { coveringChoices } from './covering.ts';
import { keysIn, keysUsed } from './keys.ts';

const schema = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'schemas', 'playbook.schema.json'), 'utf8'),
);

test('every key of the schema is used by some composed playbook', () => {
  const used = new Set<string>();
  for (const choice of coveringChoices(1)) {
    const { files } = compose(choice, 'http://127.0.0.1:9/');
    for (const [name, text] of Object.entries(files)) {
      if (!/^(?:job|parts\/\w+)\.yaml$/.test(name)) continue;
      for (const key of keysUsed(parse(text), schema)) used.add(key);
    }
  }
  const keys = keysIn(schema);
  expect(keys.size).toBeGreaterThan(60);
  expect([...keys].filter((key) => !used.has(key))).toEqual([]);
});

test('every step that is built in is used, and every operation that writes', () => {
  const text = coveringChoices(1)
    .map((choice) => Object.values(compose(choice, 'http://127.0.0.1:9/').files).join('\n'))
    .join('\n');
  const uses: readonly string[] = schema.definitions.step.properties.uses.anyOf[0].enum;
  const writing = operationNames.filter((name) => operationOf(name).effect !== 'read');
  const builtIn = uses.filter((name) => /^(?:wait|approve|report|notify|shell)\b/.test(name));
  expect(builtIn).toHaveLength(7);
  expect(writing.length).toBeGreaterThanOrEqual(8);
  const missing = [...builtIn, ...writing].filter((name) => !text.includes(`uses: "${name}"`));
  expect(missing).toEqual([]);
});
