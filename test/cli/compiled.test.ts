/** The build leaves what V8 compiled, and V8 takes it: the start of every command rests on that. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, inject, test } from 'vitest';

const folder = dirname(inject('launcher'));
const files = readdirSync(folder);

/** Whether a process that has just begun, with no flag set, takes what was compiled of a pack. */
const check = `
  const { readFileSync } = require('node:fs');
  const { Script } = require('node:vm');
  const [, filename, compiled] = process.argv;
  const { cachedDataRejected } = new Script(readFileSync(filename, 'latin1'), {
    filename,
    cachedData: readFileSync(compiled),
  });
  console.log(cachedDataRejected ? 'rejected' : 'accepted');
`;

test.each(['check', 'work'])('the compiled form of the pack "%s" is accepted', (name) => {
  const text = files.find((file) => file.startsWith(`${name}-`) && file.endsWith('.cjs')) ?? '';
  const compiled = `${text.replace('.cjs', '')}-${process.version}-${process.arch}.cache`;
  expect(files).toContain(compiled);
  const words = ['-e', check, join(folder, text), join(folder, compiled)];
  expect(execFileSync(process.execPath, words, { env: {}, encoding: 'utf8' })).toBe('accepted\n');
});

test('a pack is named by its content, so that nothing compiled of another is taken for its own', () => {
  for (const file of files.filter((each) => each.endsWith('.cjs'))) {
    expect(file).toMatch(/^[a-z]+-[0-9a-f]{8}\.cjs$/);
  }
});
