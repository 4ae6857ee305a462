/** Output that cannot be written: one error line, the work is done, and no stack trace is printed. */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { verbs } from '../../src/cli/verbs/index.ts';
import { deskhand, folderWith, type Ended } from './deskhand.ts';
import { files } from './ladder.ts';

/** Starts the program through a shell that redirects a stream. */
function redirected(words: readonly string[], how: string, cwd: string): Promise<Ended> {
  return deskhand(words, { cwd, around: ['bash', '--norc', '-c', `"$@" ${how}`, 'bash'] });
}

const saysLost = (stream: string) =>
  new RegExp(`^error\\[ENOSPC\\] ${stream} cannot be written: .*no space left.*\\n$`);

describe.runIf(existsSync('/dev/full'))('a full disk', () => {
  test.concurrent.each(verbs)(
    'is reported on the other stream by $name, with exit 1',
    async ({ name }) => {
      const { code, stdout, stderr } = await redirected(
        [...name.split(' '), '--help'],
        '> /dev/full',
        folderWith(),
      );
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(saysLost('stdout'));
    },
  );

  test.concurrent.each([
    [['validate', 'ladder.yaml']],
    [['plan', 'ladder.yaml']],
    [['plan', 'ladder.yaml', '-o', 'json']],
    [['run', 'ladder.yaml', '-o', 'ndjson']],
    [['graph', 'ladder.yaml']],
    [['explain']],
    [['doctor']],
    [['call', 'market/list-tickers', 'category=SPOT']],
    [['runs', 'list']],
    [['completion', 'bash']],
    [['help', 'output']],
    [[]],
  ])('is reported once by %j', async (words) => {
    const { code, stderr } = await redirected(words, '> /dev/full', folderWith(files));
    expect(code).toBe(1);
    expect(stderr.match(/cannot be written/g)).toHaveLength(1);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(stderr.length).toBeLessThan(4_000);
  });

  test('does not stop a run, and the error says that it is done', async () => {
    const cwd = folderWith(files);
    const { code, stderr } = await redirected(['run', 'ladder.yaml'], '> /dev/full', cwd);
    expect(code).toBe(1);
    expect(stderr).toContain('the work is done all the same');
    const { stdout } = await deskhand(['runs', 'list', '-o', 'json'], { cwd });
    expect(JSON.parse(stdout).runs).toMatchObject([{ status: 'done' }]);
  });

  test('keeps the exit code of a failure; an unwritable stderr is reported on stdout', async () => {
    const cwd = folderWith();
    const missing = ['validate', 'missing.yaml'];
    expect((await redirected(missing, '> /dev/full 2>&1', cwd)).code).toBe(2);
    const { code, stdout } = await redirected(missing, '2> /dev/full', cwd);
    expect([code, stdout]).toEqual([2, expect.stringMatching(saysLost('stderr'))]);
  });
});

test('a closed pipe is not an error, however much there is to print', async () => {
  const steps = Array.from(
    { length: 60 },
    (_none, n) => `  - { id: s${n}, uses: market/list-discount-rates }\n`,
  );
  const text = `playbook: 1\nname: long\nsteps:\n${steps.join('')}`;
  const cwd = folderWith({ 'a.yaml': text });
  for (const words of [
    ['graph', 'a.yaml'],
    ['explain', '-o', 'json'],
    ['--help'],
    ['plan', 'a.yaml'],
  ]) {
    const { code, stdout, stderr } = await redirected(
      words,
      '| head -c 1; exit ${PIPESTATUS[0]}',
      cwd,
    );
    expect([words, code, stdout.length, stderr]).toEqual([words, 0, 1, '']);
  }
});
