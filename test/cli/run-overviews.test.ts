/** A list, metrics and a server beside earlier runs open no journal that is unchanged, as whole processes. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { folderOfRuns, openedOfRuns, watched } from './opened-files.ts';

test('runs list, runs metrics and serve read each journal once in all', async () => {
  const { cwd, state } = await folderOfRuns(3);
  const runs = readdirSync(join(state, 'runs'));
  const [first = ''] = runs;
  const opened = (...words: readonly string[]): readonly string[] => {
    const { stderr } = spawnSync(process.execPath, watched(words), { cwd, encoding: 'utf8' });
    return ofRuns(stderr);
  };
  const ofRuns = (stderr: string): readonly string[] =>
    openedOfRuns(stderr, state).filter((path) => path !== 'catalogue');
  const journals = (paths: readonly string[]): number =>
    paths.filter((path) => path.endsWith('journal.ndjson')).length;
  await setTimeout(2_100); // until the file system would show another change

  expect(journals(opened('runs', 'metrics'))).toBe(3);
  expect(opened('runs', 'metrics')).toEqual([]);
  expect(opened('runs', 'list')).toEqual([]);
  expect(opened('runs', 'list', '--status', 'doubt')).toEqual([]);
  const child = spawn(process.execPath, watched(['serve', '--port', '0']), { cwd });
  const stderr = text(child.stderr);
  let said = '';
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (/on http:\/\/\S+;/.test(said)) break;
  }
  const [, url = ''] = /on (http:\/\/\S+);/.exec(said) ?? [];
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toContain('deskhand_runs_total{state="done"} 3');
  child.kill('SIGINT');
  await once(child, 'exit');
  expect(ofRuns(await stderr)).toEqual([]);

  appendFileSync(join(state, 'runs', first, 'header.json'), '\n');
  const changed = opened('runs', 'list');
  expect(new Set(changed.map((path) => path.split('/')[1]?.replace('.mark', '')))).toEqual(
    new Set([first]),
  );
  expect(journals(changed)).toBe(1);
  writeFileSync(join(state, 'catalogue'), 'torn');
  expect(journals(opened('runs', 'metrics'))).toBe(3);
});
