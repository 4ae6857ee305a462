/** The limit of items: a default that a profile can raise, for every command that reads a playbook. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deskhand, folderWith } from './deskhand.ts';

const small = { NODE_OPTIONS: '--max-old-space-size=160' }; // MiB; it dies beyond them

const config = (items: number | string): string =>
  `profiles:\n  sandbox: {}\n  wide: { plan: { items: ${items} } }\n`;

/** Only the first item does something. */
const playbookOf = (list: string, more = ''): string => `playbook: 1
name: items
${more}steps:
  - id: look
    for-each: "{{ ${list} }}"
    if: "{{ eq each.value 1 }}"
    uses: market/list-tickers
    with: { category: SPOT }
`;

const placeWith = (items: number | string, text: string): string =>
  folderWith({ 'deskhand.yaml': config(items), 'a.yaml': text });

describe('the configuration', () => {
  test.each([
    ['9999', 'must be from 10000 to 100000'],
    ['100001', 'must be from 10000 to 100000'],
    ['many', 'must be a whole number'],
  ])('refuses plan.items: %s', async (items, says) => {
    const cwd = placeWith(items, playbookOf('range 1 2'));
    const { code, stderr } = await deskhand(['validate', 'a.yaml'], { cwd });
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining(`profiles.wide.plan.items ${says}`),
    ]);
  });
});

describe('validate applies the limit', () => {
  const list = 'range 1 10001';
  test.each([
    ['of the default profile', playbookOf(list), [], 'range has more than 10,000 numbers'],
    ['of -p', playbookOf(list), ['-p', 'wide'], undefined],
    ['of the account of the playbook', playbookOf(list, 'account: wide\n'), [], undefined],
    [
      'of -p instead of the account',
      playbookOf(list, 'account: wide\n'),
      ['-p', 'sandbox'],
      'range has more than 10,000 numbers',
    ],
    [
      'that the profile sets',
      playbookOf('range 1 30001'),
      ['-p', 'wide'],
      'range has more than 30,000 numbers',
    ],
    [
      'to all items of the playbook',
      `${playbookOf('range 1 30000')}${['b', 'c', 'd'].map((id) => `  - { id: ${id}, for-each: "{{ range 1 30000 }}", uses: market/list-discount-rates }\n`).join('')}`,
      ['-p', 'wide'],
      'with d the playbook has more than 60000 items',
    ],
  ])('%s', async (_what, text, flags, says) => {
    const cwd = placeWith(30_000, text);
    const { code, stdout } = await deskhand(['validate', 'a.yaml', ...flags], { cwd, env: small });
    expect(code).toBe(says === undefined ? 0 : 3);
    if (says !== undefined) expect(stdout).toContain(`PB406`);
    expect(stdout).toContain(says ?? 'a.yaml');
  });

  test('and suggests the key of the profile', async () => {
    const cwd = placeWith(30_000, playbookOf(list));
    const { stdout } = await deskhand(['validate', 'a.yaml'], { cwd });
    expect(stdout).toContain('raise plan.items in the profile (at most 100000)');
  });

  test('to nested playbooks, by the account of the outer one', async () => {
    const nested = 'steps:\n  - { id: a, uses: ./a.yaml }\n';
    const cwd = placeWith(30_000, playbookOf(list, 'account: wide\n'));
    writeFileSync(join(cwd, 'narrow.yaml'), `playbook: 1\nname: n\n${nested}`);
    writeFileSync(join(cwd, 'broad.yaml'), `playbook: 1\nname: n\naccount: wide\n${nested}`);
    const codes = [];
    for (const file of ['narrow.yaml', 'broad.yaml']) {
      codes.push((await deskhand(['validate', file], { cwd })).code);
    }
    expect(codes).toEqual([3, 0]);
  });
});

describe('a list that only the inputs define', () => {
  const inputs = 'inputs: { n: { type: integer } }\n';

  test('is planned up to the limit of the profile', async () => {
    const cwd = placeWith(30_000, playbookOf('range 1 inputs.n', inputs));
    const planned = async (n: number, flags: readonly string[]): Promise<unknown[]> => {
      const words = ['plan', 'a.yaml', '--offline', '-o', 'json', '--var', `n=${n}`, ...flags];
      const { code, stderr } = await deskhand(words, { cwd });
      return [code, /(?:range has more than|run has more than) [\d,]+/.exec(stderr)?.[0]];
    };
    expect(await planned(10_001, [])).toEqual([3, 'range has more than 10,000']);
    expect(await planned(10_001, ['-p', 'wide'])).toEqual([0, undefined]);
    expect(await planned(30_001, ['-p', 'wide'])).toEqual([3, 'range has more than 30,000']);
  });
});

describe('a profile whose limit is lowered', () => {
  test('refuses a plan that was made before', async () => {
    const cwd = placeWith(30_000, playbookOf('range 1 10001', 'account: wide\n'));
    expect(await deskhand(['plan', 'a.yaml', '--out', 'a.plan'], { cwd })).toMatchObject({
      code: 0,
    });
    writeFileSync(join(cwd, 'deskhand.yaml'), config(10_000));
    const { code, stderr } = await deskhand(['run', 'a.plan'], { cwd });
    expect([code, stderr]).toEqual([3, expect.stringContaining('PB406')]);
    writeFileSync(join(cwd, 'deskhand.yaml'), config(30_000));
    expect(await deskhand(['run', 'a.plan'], { cwd })).toMatchObject({ code: 0 });
  });

  test('does not prevent that a run is resumed, because its doubts must be settled', async () => {
    const stops = `  - id: stop
    uses: market/list-tickers
    with: { category: SPOT }
    expect: [{ that: "{{ eq (length response) 0 }}" }]
`;
    const text = playbookOf('range 1 10001', 'account: wide\n') + stops;
    const cwd = placeWith(30_000, text);
    const first = await deskhand(['run', 'a.yaml'], { cwd });
    expect(first.code).toBe(1);
    const run = /r-[\w-]+/.exec(first.stderr + first.stdout)?.[0] ?? '';
    writeFileSync(join(cwd, 'deskhand.yaml'), config(10_000));
    expect((await deskhand(['run', 'a.yaml'], { cwd })).code).toBe(3);
    const { code, stdout, stderr } = await deskhand(['resume', run], { cwd });
    expect([code, stdout + stderr]).toEqual([1, expect.not.stringContaining('PB406')]);
    const replayed = await deskhand(['runs', 'replay', run], { cwd });
    expect(replayed).toMatchObject({ code: 0, stderr: '' });
  });
});
