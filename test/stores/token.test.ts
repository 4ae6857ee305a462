/** DESKHAND_STATE_TOKEN: given to the host of origin over https, and to no one else. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GitError, gitIn } from '../../src/stores/git/command.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deskhand-'));
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What git is reported when it asks who we are at an address. */
async function toldAt(origin: string, asked: string): Promise<string> {
  execFileSync('git', ['remote', 'add', 'origin', origin], { cwd: folder });
  const { protocol, host } = new URL(asked);
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: folder, TMPDIR: tmpdir(), DESKHAND_STATE_TOKEN: 'state-token-1234' };
  try {
    const words = `protocol=${protocol.slice(0, -1)}\nhost=${host}\n\n`;
    return (await gitIn({ folder, env })(['credential', 'fill'], words)).toString('utf8');
  } catch (error) {
    if (error instanceof GitError) return 'nothing';
    throw error;
  }
}

test.each([
  ['https://git.example/desk/books.git', 'https://git.example', true],
  ['https://git.example:8443/desk/books.git', 'https://git.example:8443', true],
  ['https://somebody@git.example/desk/books.git', 'https://git.example', true],
  ['https://git.example/desk/books.git', 'https://git.example:8443', false],
  ['https://git.example/desk/books.git', 'https://evil.example', false],
  ['https://git.example/desk/books.git', 'https://git.example.evil.example', false],
  ['https://git.example/desk/books.git', 'http://git.example', false],
  ['http://git.example/desk/books.git', 'http://git.example', false],
  ['git@git.example:desk/books.git', 'https://git.example', false],
  ['/srv/books.git', 'https://git.example', false],
])('with origin %s, %s gets it: %j', async (origin, asked, isGiven) => {
  expect((await toldAt(origin, asked)).includes('password=state-token-1234')).toBe(isGiven);
});
