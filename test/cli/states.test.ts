/** A write that sets a state is compared with what the account shows, and is sent whenever that differs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deskhand, folderWith } from './deskhand.ts';

const playbook = (name: string, oncePer = 'playbook'): string => `playbook: 1
name: ${name}
account: main
inputs: { l: { type: integer } }
steps:
  - id: leverage
    uses: futures/set-all-leverage
    once-per: ${oncePer}
    with: { productType: USDT-FUTURES, leverage: "{{ inputs.l }}" }
`;

const desks = `playbook: 1
name: desks
inputs:
  leverages: { type: map, default: { main: "5", second: "5", third: "5" } }
steps:
  - id: leverage
    for-each: "{{ inputs.leverages }}"
    account: "{{ each.key }}"
    uses: futures/set-all-leverage
    once-per: playbook
    with: { productType: USDT-FUTURES, leverage: "{{ each.value }}" }
`;

const two = `playbook: 1
name: two
account: main
steps:
  - { id: low, uses: futures/set-all-leverage, once-per: playbook, with: { productType: USDT-FUTURES, leverage: 5 } }
  - { id: high, uses: futures/set-all-leverage, once-per: playbook, with: { productType: USDT-FUTURES, leverage: 7 } }
`;

const sub = (name: string, id: string): string => `playbook: 1
name: ${name}
account: main
inputs: { note: { type: string } }
steps:
  - id: ${id}
    uses: account/create-sub
    once-per: playbook
    with: { username: aaa, note: "{{ inputs.note }}" }
`;

const twice = `playbook: 1
name: twice
account: main
inputs: { a: { type: string, default: aaa }, b: { type: string, default: aaa } }
steps:
  - { id: first, uses: account/create-sub, with: { username: "{{ inputs.a }}" } }
  - { id: second, uses: account/create-sub, with: { username: "{{ inputs.b }}", note: other } }
`;

const config = `profiles:
  main: {}
  second: { as: leader }
  third: { as: oneway }
`;

const folder = (): string =>
  folderWith({
    'deskhand.yaml': config,
    'a.yaml': playbook('a'),
    'b.yaml': playbook('b', 'run'),
    'desks.yaml': desks,
    'changed.json': JSON.stringify({ leverages: { main: '5', second: '8', third: '5' } }),
    'two.yaml': two,
    'sub.yaml': sub('sub', 'made'),
    'sub-renamed.yaml': sub('renamed', 'other'),
    'twice.yaml': twice,
  });

const set = (cwd: string, file: string, leverage: number) =>
  deskhand(['run', file, '--var', `l=${leverage}`], { cwd });

const planOf = async (cwd: string, ...words: readonly string[]) => {
  const { code, stdout, stderr } = await deskhand(['plan', ...words], { cwd });
  expect(code, stderr).toBe(0);
  return stdout;
};

/** The values that the exchange was asked to set, in its own record. */
function setInBooks(cwd: string): readonly string[] {
  const world = readFileSync(join(cwd, '.deskhand/sandbox/world.ndjson'), 'utf8');
  return [
    ...world.matchAll(/"name":"futures\/set-all-leverage","input":\{[^}]*"leverage":"(\d+)"/g),
  ].map(([, leverage = '']) => leverage);
}

test('5, then 7, then 5 is sent three times, and a repeated value once', async () => {
  const cwd = folder();
  for (const leverage of [5, 7, 5]) {
    const { code, stderr } = await set(cwd, 'a.yaml', leverage);
    expect(code, stderr).toBe(0);
  }
  expect(setInBooks(cwd)).toEqual(['5', '7', '5']);
  const again = await set(cwd, 'a.yaml', 5);
  expect(again.code).toBe(0);
  expect(setInBooks(cwd)).toEqual(['5', '7', '5']);
  const same = await planOf(cwd, 'a.yaml', '--var', 'l=5');
  expect(same).toContain('1 unchanged');
  expect(same).toMatch(/leverage 5× {2}5×, read just now/);
  const other = await planOf(cwd, 'a.yaml', '--var', 'l=7');
  expect(other).toMatch(/leverage 5× → 7× .*\[read just now, no undo\]/);
  const comment = await planOf(cwd, 'a.yaml', '--var', 'l=7', '-o', 'markdown');
  expect(comment).toMatch(/\| 5× → 7×; /);
  const json: unknown = JSON.parse(await planOf(cwd, 'a.yaml', '--var', 'l=7', '-o', 'json'));
  expect(JSON.stringify(json)).toMatch(/"change":\{"kind":"set","was":\{"value":"5","because":/);
});

test('what another playbook set since, or a person by hand, is set again', async () => {
  const cwd = folder();
  await set(cwd, 'a.yaml', 5);
  await set(cwd, 'b.yaml', 7);
  expect(await planOf(cwd, 'a.yaml', '--var', 'l=5')).toContain('leverage 7× → 5×');
  await set(cwd, 'a.yaml', 5);
  expect(setInBooks(cwd)).toEqual(['5', '7', '5']);
  const field = ['productType=USDT-FUTURES', 'leverage=9'];
  const call = await deskhand(['call', 'futures/set-all-leverage', ...field], { cwd });
  expect(call.code, call.stderr).toBe(0);
  const plan = await planOf(cwd, 'a.yaml', '--var', 'l=5');
  expect(plan).toMatch(/leverage 9× → 5× .*\[read just now, no undo\]/);
  await set(cwd, 'a.yaml', 5);
  expect(setInBooks(cwd)).toEqual(['5', '7', '5', '9', '5']);
  await set(cwd, 'a.yaml', 5);
  expect(setInBooks(cwd)).toHaveLength(5);
});

test('a later step that sets the same again is part of every run', async () => {
  const cwd = folder();
  for (const [done, expected] of [
    [1, ['5', '7']],
    [2, ['5', '7', '5', '7']],
  ] as const) {
    const { code, stderr } = await deskhand(['run', 'two.yaml'], { cwd });
    expect(code, stderr).toBe(0);
    expect(setInBooks(cwd), `run ${done}`).toEqual(expected);
  }
  expect(await planOf(cwd, 'two.yaml')).toContain(
    'leverage 5× → 7×, set to 5× by low, earlier in this plan',
  );
});

test('one changed desk of three is one to set, and a saved plan is refused when it is set meanwhile', async () => {
  const cwd = folder();
  const first = await deskhand(['run', 'desks.yaml'], { cwd });
  expect(first.code, first.stderr).toBe(0);
  const changed = ['--var-file', 'changed.json'];
  const plan = await planOf(cwd, 'desks.yaml', ...changed);
  expect(plan).toMatch(/1 to set, 2 unchanged/);
  expect(plan).toMatch(/second .*leverage 5× → 8×/);
  const [, saved = ''] = /saved (\S+)/.exec(plan) ?? [];
  const run = await deskhand(['run', 'desks.yaml', ...changed], { cwd });
  expect(run.code, run.stderr).toBe(0);
  expect(setInBooks(cwd)).toEqual(['5', '5', '5', '8']);
  const refused = await deskhand(['run', saved], { cwd });
  expect(refused.code).toBe(5);
  expect(refused.stderr).toContain('of the same playbook sent requests; nothing was sent');
  expect(setInBooks(cwd)).toHaveLength(4);
});

test('a sub-account is known by its username, whatever its note, its step and its playbook', async () => {
  const cwd = folder();
  const run = (note: string, file = 'sub.yaml') =>
    deskhand(['run', file, '--var', `note=${note}`], { cwd });
  const first = await run('one');
  expect(first.code, first.stderr).toBe(0);
  const plan = await planOf(cwd, 'sub.yaml', '--var', 'note=two');
  expect(plan).toMatch(/= .*subUid \d+, by run r-/);
  expect(plan).toContain('1 unchanged');
  const second = await run('two');
  expect(second.code, second.stderr).toBe(0);
  const third = await run('three', 'sub-renamed.yaml');
  expect(third.code, third.stderr).toBe(0);
  const world = readFileSync(join(cwd, '.deskhand/sandbox/world.ndjson'), 'utf8');
  expect([...world.matchAll(/"name":"account\/create-sub"/g)]).toHaveLength(1);
});

test('two steps that create one username are refused before anything is sent', async () => {
  const cwd = folder();
  const { code, stderr } = await deskhand(['plan', 'twice.yaml'], { cwd });
  expect(code).toBe(3);
  expect(stderr).toMatch(/twice\.yaml:\d+/);
  expect(stderr).toContain('its username aaa is that of first, too');
});
