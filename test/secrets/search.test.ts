/** The search for secrets finds them, and every command is among those that are searched. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { verbs } from '../../src/cli/verbs/index.ts';
import { folderWith } from '../cli/deskhand.ts';
import { findings, marks, spellingsOf, writtenUnder } from './marks.ts';
import { verbsIn } from './search.ts';

test('every command is among those that are searched', () => {
  const used = new Set<string>(Object.values(verbsIn).flat());
  expect(verbs.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([]);
});

test('the search finds every encoding, in files, names, compressed files and output', async () => {
  const folder = folderWith({ [`${marks.hook}.txt`]: 'by its name' });
  const spellings = [...spellingsOf(marks.key)];
  for (const [place, [, spelling]] of spellings.entries()) {
    writeFileSync(join(folder, String(place)), Buffer.from(`…${spelling}…`, 'latin1'));
  }
  writeFileSync(join(folder, 'rows.csv.gz'), gzipSync(marks.secret));
  const signature = 'jV0k+Zb3/PqX9w==';
  const written = new Map([...writtenUnder(folder), ['stderr', `it was ${signature}`]]);
  const found = await findings(written, marks, [signature]);
  for (const [place, [how]] of spellings.entries())
    expect(found).toContain(`${join(folder, String(place))}: key, ${how}`);
  for (const what of [
    'stderr: signature 0',
    `${join(folder, 'rows.csv.gz')}, unpacked: secret, as it is, plain`,
    `the name ${join(folder, `${marks.hook}.txt`)}: hook, as it is, plain`,
  ]) {
    expect(found).toContain(what);
  }
});
