/** Which files of earlier runs a process of the program opens. */
import { join } from 'node:path';
import { expect, inject } from 'vitest';
import { deskhand, folderWith } from './deskhand.ts';

const pauses = `playbook: 1
name: pauses
steps: [{ id: pause, uses: wait, with: { for: 1ms } }]
`;

/** Prints the files that the process opens. */
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

/** @returns a folder with `pauses.yaml` and some runs of it, and its state folder */
export async function folderOfRuns(
  count: number,
): Promise<{ readonly cwd: string; readonly state: string }> {
  const cwd = folderWith({ 'pauses.yaml': pauses, 'watch.cjs': watch });
  for (let run = 0; run < count; run++) {
    expect((await deskhand(['run', 'pauses.yaml'], { cwd })).code).toBe(0);
  }
  return { cwd, state: join(cwd, '.deskhand') };
}

/** @returns the words after `node` of a process that prints what it opened, in the folder of runs */
export const watched = (words: readonly string[]): string[] => [
  '--require',
  './watch.cjs',
  inject('launcher') ?? '',
  ...words,
];

/** @param stderr of a watched process @returns its paths in the state folder that are of runs, or the catalogue */
export function openedOfRuns(stderr: string, state: string): readonly string[] {
  const paths: readonly string[] = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
  return paths
    .filter((path) => /[/\\](?:runs|high-water)[/\\]|catalogue$/.test(path))
    .map((path) => path.slice(state.length + 1).replaceAll('\\', '/'));
}
