import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deskhand, folderWith } from './deskhand.ts';
import { files } from './ladder.ts';

test('runs replay needs neither the exchange nor the file, and changes nothing', async () => {
  const cwd = folderWith(files);
  const words = ['run', 'ladder.yaml', '-o', 'json', '--var', 'rungs=2'];
  const { run } = JSON.parse((await deskhand(words, { cwd })).stdout);
  const journal = join(cwd, '.deskhand', 'runs', run, 'journal.ndjson');
  const before = readFileSync(journal, 'utf8');
  rmSync(join(cwd, 'ladder.yaml'));
  rmSync(join(cwd, '.deskhand', 'sandbox'), { recursive: true });
  const text = await deskhand(['runs', 'replay', run], { cwd });
  expect([text.code, text.stdout]).toEqual([
    0,
    expect.stringContaining(`${run} gives the same result (recorded by deskhand `),
  ]);
  const json = await deskhand(['runs', 'replay', run, '-o', 'json'], { cwd });
  expect(JSON.parse(json.stdout)).toMatchObject({ run, isSame: true, differences: [] });
  expect(readFileSync(journal, 'utf8')).toBe(before);
  const unknown = await deskhand(['runs', 'replay', 'r-nothere'], { cwd });
  expect(unknown.code).toBe(2);
});
