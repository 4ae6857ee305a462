import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { version } from '../../src/cli/version.ts';
import { deskhand, folderWith } from './deskhand.ts';

/** The error of a command line, as a person sees it. */
async function errorOf(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await deskhand(words, { cwd: folderWith() });
  expect(stdout).toBe('');
  return `exit ${code}\n${stderr}`;
}

describe('a command line that cannot be understood', () => {
  test('an unknown command names the near one', async () => {
    expect(await errorOf('pln')).toMatchInlineSnapshot();
  });

  test('an unknown flag names the near one', async () => {
    expect(await errorOf('plan', 'x.yaml', '--ful')).toMatchInlineSnapshot();
  });

  test('a missing word is named', async () => {
    expect(await errorOf('run')).toMatchInlineSnapshot();
  });

  test('a flag without its value is named', async () => {
    expect(await errorOf('plan', 'x.yaml', '--out')).toMatchInlineSnapshot();
  });

  test('a group without a verb asks which one', async () => {
    expect(await errorOf('runs')).toMatchInlineSnapshot();
  });

  test('a secret is refused as a flag, and its value is not repeated', async () => {
    const said = await errorOf('call', 'tax/list-p2p', '--api-secret=hunter2hunter2');
    expect(said).not.toContain('hunter2');
    expect(said).toMatchInlineSnapshot();
  });

  test('a missing file names the near one', async () => {
    const cwd = folderWith({ 'playbook.yaml': '' });
    const { code, stderr } = await deskhand(['validate', 'playbok.yaml'], { cwd });
    expect(`exit ${code}\n${stderr}`).toMatchInlineSnapshot();
  });

  test('a format the command does not have is refused', async () => {
    expect(await errorOf('validate', '-o', 'sariff')).toMatchInlineSnapshot();
  });

  test('a folder that is not there is refused', async () => {
    expect(await errorOf('-C', 'nowhere', 'runs', 'list')).toContain('exit 2');
  });
});

describe('help', () => {
  test('every verb explains itself', async () => {
    const cwd = folderWith();
    const { code, stdout } = await deskhand(['--help'], { cwd });
    expect(code).toBe(0);
    for (const verb of ['demo', 'init', 'validate', 'plan', 'run', 'resume', 'runs', 'call']) {
      expect(stdout).toContain(`\n  ${verb}`);
    }
  });

  test('a verb shows its own flags and the global ones', async () => {
    const { stdout } = await deskhand(['help', 'runs', 'show'], { cwd: folderWith() });
    expect(stdout).toContain('--requests');
    expect(stdout).toContain('--profile');
  });

  test('exit codes have a page', async () => {
    const { stdout } = await deskhand(['help', 'exit-codes'], { cwd: folderWith() });
    expect(stdout).toMatchInlineSnapshot();
  });

  test('the version is the package’s', async () => {
    const { stdout } = await deskhand(['--version'], { cwd: folderWith() });
    const path = join(import.meta.dirname, '..', '..', 'package.json');
    const { version: packaged }: { version: string } = JSON.parse(readFileSync(path, 'utf8'));
    expect([stdout.trim(), version]).toEqual([packaged, packaged]);
  });
});

describe('streams', () => {
  test('nothing but text reaches a stream that is no terminal', async () => {
    const cwd = folderWith();
    for (const words of [
      ['--help'],
      ['explain'],
      ['explain', 'futures/place-order'],
      ['nonsense'],
    ]) {
      const { stdout, stderr } = await deskhand(words, { cwd });
      expect(stdout + stderr).not.toContain('\u001b');
    }
  });

  test('colours can be forced, and forbidden again by the flag', async () => {
    const cwd = folderWith();
    const env = { FORCE_COLOR: '1' };
    const { stdout } = await deskhand(['explain'], { cwd, env });
    expect(stdout).toContain('\u001b[');
    const plain = await deskhand(['explain', '--no-color'], { cwd, env });
    expect(plain.stdout).not.toContain('\u001b');
  });

  test('a usage error under -o json is one object on stdout', async () => {
    const { code, stdout } = await deskhand(['explain', 'nothing', '-o', 'json'], {
      cwd: folderWith(),
    });
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ version: 1, exit: 2, error: { code: 'usage' } });
  });
});
