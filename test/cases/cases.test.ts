/** The interface, sentence by sentence: each case is a rule with a short example. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { readCases } from './format.ts';
import { tell } from './teller.ts';

const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.yaml'));

for (const file of files) {
  const { about, cases } = readCases(readFileSync(join(import.meta.dirname, file), 'utf8'), file);
  describe(`${file}: ${about}`, () => {
    for (const one of cases) test(one.rule, () => tell(one));
  });
}
