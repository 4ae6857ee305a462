import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { deskhand, folderWith } from './deskhand.ts';
import { files } from './ladder.ts';

describe('rehearse', () => {
  test('reports the outcome of every seed and leaves no files', async () => {
    const cwd = folderWith(files);
    const words = ['rehearse', 'ladder.yaml', '--seeds', '3', '--var', 'rungs=2'];
    const { code, stdout } = await deskhand(words, { cwd });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/placed more than once +0\n/)]);
    expect(stdout).toMatch(/orders +6\n/);
    expect(stdout).toContain('no violation found. All on the sandbox.');
    const json = await deskhand([...words, '-o', 'json'], { cwd });
    expect(JSON.parse(json.stdout)).toMatchObject({
      seeds: 3,
      done: 3,
      orders: 6,
      placedTwice: 0,
      lost: 0,
      untold: 0,
      bad: [],
    });
    expect(readdirSync(cwd)).toEqual(['ladder.yaml']);
  });

  test('shows one seed in full', async () => {
    const cwd = folderWith(files);
    const words = ['rehearse', 'ladder.yaml', '--seed', '3', '--fault', 'lost-answer'];
    const { code, stdout } = await deskhand(words, { cwd });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/fault.*:\n {2}1\. lost-answer at /)]);
    expect(stdout).toContain('In doubt');
  });

  test('answers in the forms of real responses', async () => {
    const cwd = folderWith(files);
    const words = ['rehearse', 'ladder.yaml', '--seeds', '3', '--var', 'rungs=2'];
    const { code, stdout } = await deskhand([...words, '--answers', 'real'], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/orders +6\n/)]);
  });

  test('starts from a scenario', async () => {
    const scenario = `version: 1
market:
  - { category: USDT-FUTURES, symbol: BTCUSDT, deliveryStatus: delivery_period }
`;
    const cwd = folderWith({ ...files, 'closed.yaml': scenario });
    const words = ['rehearse', 'ladder.yaml', '--seeds', '1', '--scenario', 'closed.yaml'];
    const { code, stdout, stderr } = await deskhand(words, { cwd });
    expect([code, stdout + stderr]).toEqual([1, expect.stringMatching(/runs stopped +1\n/)]);
    expect(stdout).toMatch(/no run finished, so this proves little; seed 1: orders\[\S+\]: /);
    expect(stdout).not.toContain('no violation found');
  });

  test('refuses invalid arguments and playbooks that cannot be planned', async () => {
    const cwd = folderWith(files);
    for (const [words, exit, said] of [
      [['--fault', 'lost-anser'], 2, 'did you mean lost-answer?'],
      [['--answers', 'reel'], 2, 'did you mean real?'],
      [['--seeds', '0'], 2, '--seeds is a whole number from 1 to 100000'],
      [['--seed', '1', '--seeds', '2'], 2, 'give one of them'],
      [['--var', 'rungs=x'], 3, 'ladder.yaml cannot be rehearsed (seed 1): rungs: "x" is no'],
      [['--var', 'rungs=11'], 3, 'cannot be rehearsed (seed 1)'],
    ] as const) {
      const { code, stderr } = await deskhand(['rehearse', 'ladder.yaml', ...words], { cwd });
      expect([code, stderr]).toEqual([exit, expect.stringContaining(said)]);
    }
  });
});
