/** A plan beside earlier runs opens one file for all of them, as a whole process. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { deskhand, folderWith } from './deskhand.ts';

const pauses = `playbook: 1
name: pauses
steps: [{ id: pause, uses: wait, with: { for: 1ms } }]
`;

/** Prints the files of runs that the process opens, without their folders. */
const watch = `
  const fs = require('node:fs');
  const opened = [];
  for (const name of ['openSync', 'readFileSync']) {
    const before = fs[name];
    fs[name] = (path, ...rest) => (opened.push(String(path)), before(path, ...rest));
  }
  const open = fs.promises.open;
  fs.promises.open = (path, ...rest) => (opened.push(String(path)), open(path, ...rest));
  process.on('exit', () => console.error(JSON.stringify(opened)));
`;

test('a plan opens the files of a run only when they changed', async () => {
  const cwd = folderWith({ 'pauses.yaml': pauses, 'watch.cjs': watch });
  for (let run = 0; run < 3; run++) {
    expect((await deskhand(['run', 'pauses.yaml'], { cwd })).code).toBe(0);
  }
  const state = join(cwd, '.deskhand');
  const [first = ''] = readdirSync(join(state, 'runs'));
  const opened = (): readonly string[] => {
    const words = ['--require', './watch.cjs', inject('launcher'), 'plan', 'pauses.yaml'];
    const { stderr } = spawnSync(process.execPath, words, { cwd, encoding: 'utf8' });
    const paths: readonly string[] = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
    const ofRuns = paths.filter((path) => /[/\\](?:runs|high-water)[/\\]|run-index$/.test(path));
    return ofRuns.map((path) => path.slice(state.length + 1).replaceAll('\\', '/'));
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
