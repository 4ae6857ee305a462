/** What a person abandoned may exist: it is never sent again without a word. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deskhand, folderWith, type Ended } from './deskhand.ts';
import { startSandbox } from './sandbox.ts';
import { control } from './under-way.ts';

const playbook = `playbook: 1
name: job
inputs:
  names: { type: list, items: { type: string }, default: [alphaone, alphatwo, alphasix] }
steps:
  - id: subs
    for-each: "{{ inputs.names }}"
    on-error: partial
    uses: account/create-sub
    with: { username: "{{ each.value }}" }
  - id: market
    uses: market/list-tickers
    with: { category: USDT-FUTURES }
`;

const match = (nth: number): object => ({ operation: 'account/create-sub', nth });

interface Desk {
  readonly type: (...words: string[]) => Promise<Ended>;
  /** The run that created one of three accounts; one was refused, and one was lost and abandoned. */
  readonly run: string;
  readonly runs: () => readonly string[];
}

async function afterAbandoned(text = playbook, lost = 'subs[alphaone]'): Promise<Desk> {
  const exchange = await startSandbox();
  const cwd = folderWith({ 'job.yaml': text });
  const type = (...words: string[]): Promise<Ended> => {
    return deskhand(words, { cwd, env: exchange.env('hedge') });
  };
  const refused = { kind: 'status', status: 400, code: '40762' };
  const rules = [
    { match: match(1), when: 'after-commit', times: 1, action: { kind: 'reset' } },
    { match: match(2), when: 'before', times: 1, action: refused },
  ];
  await control(exchange, 'PUT', 'faults', { rules });
  expect((await type('run', 'job.yaml')).code).toBe(6);
  const runs = (): readonly string[] => readdirSync(join(cwd, '.deskhand', 'runs'));
  const [run = ''] = runs();
  const words = ['--abandon', '--comment', 'support looks for it'];
  expect((await type('resolve', run, lost, ...words)).code).toBe(0);
  expect((await type('resume', run)).code).toBe(1);
  return { type, run, runs };
}

test('an item that a person abandoned is refused unless it is named, and the plan says that it may exist', async () => {
  const { type, run, runs } = await afterAbandoned();
  const rest = ['job.yaml', '--from', 'subs[alphatwo]', '--of', run];
  const without = ['--var', 'names=alphatwo,alphasix'];
  const { code, stderr } = await type('run', ...rest);
  expect(code).not.toBe(0);
  expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
    /subs\[alphaone\], which a person abandoned, may exist, and would be sent again.*--from 'subs\[alphaone\]'/,
  );
  expect(runs()).toEqual([run]);
  const named = await type('plan', ...rest, '--from', 'subs[alphaone]');
  expect([named.code, named.stdout.replaceAll(/\s+/g, ' ')]).toEqual([
    0,
    expect.stringContaining(
      '1 other write that a person abandoned may exist, beside what is sent now: subs[alphaone]',
    ),
  ]);
  expect((await type('run', ...rest, ...without)).code).toBe(0);
  const second = runs().find((name) => name !== run) ?? '';
  const all = ['--var', 'names=alphaone,alphatwo,alphasix'];
  const again = await type('run', 'job.yaml', '--from', 'subs[alphasix]', '--of', second, ...all);
  expect([again.code, again.stderr]).toEqual([
    3,
    expect.stringContaining('subs[alphaone], which a person abandoned, may exist'),
  ]);
});

test('no command names what a person abandoned, unless it says that it is sent again', async () => {
  const { type, run } = await afterAbandoned();
  const wordsOf = async (): Promise<string> =>
    (await type('runs', 'show', run)).stdout.replaceAll(/\s+/g, ' ');
  expect(await wordsOf()).toContain(`--from 'subs[alphatwo]' --of ${run}`);
  expect((await type('runs', 'set-aside', run, '--reason', 'by hand')).stdout).toContain(
    "--from 'subs[alphatwo]'",
  );
});

test('no command sends a whole step again that a person abandoned', async () => {
  const steps = `playbook: 1
name: job
steps:
  - { id: market, uses: market/list-tickers, with: { category: USDT-FUTURES } }
  - { id: first, uses: account/create-sub, with: { username: alphaone }, needs: [market] }
  - { id: second, uses: account/create-sub, with: { username: alphatwo }, needs: [market] }
`;
  const { type, run } = await afterAbandoned(steps, 'first');
  const shown = (await type('runs', 'show', run)).stdout;
  expect(shown).toContain('a person abandoned it');
  expect(shown).not.toContain('only the rest');
  expect((await type('runs', 'set-aside', run, '--reason', 'x')).stdout).not.toContain('--from');
});

test('a plan of another run names the command that settles it, and the command works', async () => {
  const once = playbook.replace('    on-error', '    once-per: playbook\n    on-error');
  const { type, run } = await afterAbandoned(once);
  const plan = await type('plan', 'job.yaml', '--full');
  const [, command] = /deskhand (resolve \S+ \S+)/.exec(plan.stdout.replaceAll(/\s+/g, ' ')) ?? [];
  expect(command).toBe(`resolve ${run} 'subs[alphaone]'`);
  const words = [...(command ?? '').replaceAll("'", '').split(' '), '--placed', '7100000001'];
  expect((await type(...words)).code).toBe(0);
  const after = await type('plan', 'job.yaml', '--full');
  expect(after.stdout).not.toContain('in doubt');
});
