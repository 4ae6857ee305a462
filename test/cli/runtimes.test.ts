/** Runtimes that cannot keep the promise are refused at the start, in one sentence. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';

const isStable = process.allowedNodeEnvironmentFlags.has('--permission'); // from Node 23.5 on
const launcher = join(import.meta.dirname, '..', '..', 'bin', 'deskhand.js');

test.each([
  [
    'Deno',
    ['--import', 'data:text/javascript,globalThis.Deno={}'],
    'runs on Node only, not on Deno',
  ],
  [
    'the permission model',
    [isStable ? '--permission' : '--experimental-permission', '--allow-fs-read=*'],
    'under --permission',
  ],
] as const)('%s', (_, options, sentence) => {
  const { status, stderr } = spawnSync(process.execPath, [...options, launcher, 'version'], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([2, expect.stringContaining(sentence)]);
});
