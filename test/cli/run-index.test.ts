/** A plan beside earlier runs opens one file for all of them, as a whole process. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { folderOfRuns, openedOfRuns, watched } from './opened-files.ts';

test('a plan opens the files of a run only when they changed', async () => {
  const { cwd, state } = await folderOfRuns(3);
  const [first = ''] = readdirSync(join(state, 'runs'));
  const opened = (): readonly string[] => {
    const words = watched(['plan', 'pauses.yaml']);
    const { stderr } = spawnSync(process.execPath, words, { cwd, encoding: 'utf8' });
    return openedOfRuns(stderr, state);
  };

  expect(opened()).toContain(`runs/${first}/journal.ndjson`);
  await setTimeout(2_100); // until the file system would show another change
  opened();
  expect(opened()).toEqual(['run-index']);
  appendFileSync(join(state, 'runs', first, 'header.json'), '\n');
  expect(opened()).toEqual(['run-index', `runs/${first}/header.json`, `runs/${first}/digest`]);
  writeFileSync(join(state, 'run-index'), 'torn');
  expect(opened()).toContain(`runs/${first}/digest`);
});
