/** Guards are said the same way by every screen, comment and report, with their owners. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keyOf, publicOf } from '../engine/approval/keys.ts';
import { limitOrder } from '../support/order.ts';
import { deskhand, folderWith } from './deskhand.ts';

const leverage = `playbook: 1
name: leverage
account: main
guards: { max-writes: 5, symbols: [BTCUSDT] }
steps:
  - { id: usdt, uses: futures/set-all-leverage, with: { productType: USDT-FUTURES, leverage: 3 } }
`;

const desks = `playbook: 1
name: desks
account: main
guards: { max-writes: 9 }
steps:
  - id: enter
    for-each: [main, second]
    account: "{{ each.value }}"
    uses: futures/place-order
    with:${limitOrder({ price: '20000.0', size: '0.010', force: 'post_only' })}
`;

const config = `profiles:
  main: {}
  second: { as: leader, guards: { writes: 4, symbols: [BTCUSDT] } }
`;

test('a plan that no guard blocks is not called blocked, and a guard without a use says none', async () => {
  const cwd = folderWith({ 'leverage.yaml': leverage });
  const { code, stdout } = await deskhand(['plan', 'leverage.yaml', '-o', 'markdown'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('\nGuards: `max-writes` 1 of 5, `symbols` none of BTCUSDT\n');
  expect(stdout).not.toMatch(/blocked/i);
  const text = await deskhand(['plan', 'leverage.yaml'], { cwd });
  expect(text.stdout).toMatch(
    /^guard {2}max-writes {2}1 of 5\nguard {2}symbols {5}none of BTCUSDT$/m,
  );
});

test('guards of several accounts are one table, in plans, comments, runs and reports', async () => {
  const cwd = folderWith({ 'desks.yaml': desks, 'deskhand.yaml': config });
  const plan = await deskhand(['plan', 'desks.yaml'], { cwd });
  const table = [
    'guards        max-writes  symbols',
    'all accounts  2 of 9',
    'second        1 of 4      BTCUSDT of BTCUSDT',
  ];
  expect(plan.stdout).toContain(`\n${table.join('\n')}\n`);
  const comment = [
    '| Guards | max-writes | symbols |',
    '| --- | --- | --- |',
    '| `all accounts` | 2 of 9 |  |',
    '| `second` | 1 of 4 | BTCUSDT of BTCUSDT |',
  ].join('\n');
  const markdown = await deskhand(['plan', 'desks.yaml', '-o', 'markdown'], { cwd });
  expect(markdown.stdout).toContain(comment);
  const env = { GITHUB_STEP_SUMMARY: join(cwd, 'page.md') };
  const run = await deskhand(['run', 'desks.yaml', '--report', 'report', '-o', 'json'], {
    cwd,
    env,
  });
  expect(run.code).toBe(0);
  expect(readFileSync(join(cwd, 'page.md'), 'utf8')).toContain(comment);
  const { run: id, guards } = JSON.parse(run.stdout);
  expect(guards.map((each: object) => Object.values(each).slice(0, 2))).toEqual([
    ['max-writes', '9'],
    ['max-writes of second', 'second'],
    ['symbols of second', 'second'],
  ]);
  const shown = await deskhand(['runs', 'show', id], { cwd });
  expect(shown.stdout).toContain(`\n  ${table.join('\n  ')}\n`);
  const page = readFileSync(join(cwd, 'report', `${id}.html`), 'utf8');
  expect(page).toMatch(/<h2 id="guards">Guards<\/h2>/);
});

test('plan, approve and run say the same number of open orders', async () => {
  const ben = keyOf('guards-ben');
  const files = {
    'desks.yaml': desks,
    'deskhand.yaml': config.replace(
      'main: {}',
      'main: { approve: { by: anyone, signers: ./signers, records: approvals } }',
    ),
    signers: `ben@desk.example ${publicOf(ben)}\n`,
  };
  const cwd = folderWith(files);
  const openIn = (text: string): readonly string[] =>
    [...text.matchAll(/\d+ of 400/g)].map(([words]) => words);
  const said = async (...words: string[]) => {
    const { stdout, stderr } = await deskhand(words, { cwd });
    return openIn(stdout + stderr);
  };
  const plan = await said('plan', 'desks.yaml', '--out', 'plan.json');
  expect(plan).toHaveLength(2); // one for each account
  expect(await said('approve', 'plan.json', '--key', ben)).toEqual(plan);
  expect(await said('run', 'plan.json')).toEqual(plan);
});
