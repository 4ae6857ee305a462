/** A run over several accounts: each of its lines, and its JSON, names the account. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limitOrder } from '../support/order.ts';
import { deskhand, folderWith } from './deskhand.ts';

const order = limitOrder({ price: '{{ each.value.price }}', size: '0.010', force: 'post_only' });
const items = [
  '{ name: a, desk: main, price: "20000.0" }',
  '{ name: b, desk: second, price: "20000.0" }',
  '{ name: c, desk: second, price: "21000.0" }',
];

const desks = `playbook: 1
name: desks
account: main
guards: { max-writes: 9 }
steps:
  - id: enter
    for-each: [${items.join(', ')}]
    key: "{{ each.value.name }}"
    account: "{{ each.value.desk }}"
    on-error: continue
    uses: futures/place-order
    with:${order}
  - id: leverage
    account: second
    uses: futures/set-all-leverage
    with: { productType: USDT-FUTURES, leverage: 5 }
  - id: verify
    for-each: [main, second]
    account: "{{ each.value }}"
    uses: order/list-open
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
    write: { file: "out/{{ each.key }}.csv" }
`;

const config = `profile: main
profiles: { main: {}, second: { as: leader, guards: { writes: 9 } } }
`;

/** The second order is refused: it is of account second. */
const refusal = `version: 1
faults:
  - match: { operation: futures/place-order, nth: 2 }
    when: before
    times: 1
    action: { kind: status, status: 400, code: "40762" }
`;

interface Line {
  readonly kind?: string;
  readonly address?: string;
  readonly account?: string;
}

const accountsOf = (lines: readonly Line[]): readonly (string | undefined)[] =>
  lines.map(({ account }) => account);

async function place(text = desks) {
  const cwd = folderWith({ 'desks.yaml': text, 'deskhand.yaml': config, 'faults.yaml': refusal });
  const at = (...words: string[]) => deskhand(words, { cwd });
  expect((await at('sandbox', 'load', 'faults.yaml')).code).toBe(0);
  return { cwd, at };
}

test('every line of a run names its account, and what was done has a line for each', async () => {
  const { cwd, at } = await place();
  const run = await at('run', 'desks.yaml', '--report', 'report');
  const said = run.stdout + run.stderr;
  expect(said).toMatch(/enter {2,}started {4}3 items on main and second$/m);
  expect(said).toMatch(/enter\[a\] {2,}on main {4}done /m);
  expect(said).toMatch(/enter\[b\] {2,}on second {2}refused /m);
  expect(said).toMatch(/enter {2,}refused {4}2 of 3 on main and second, 1 refused on second/m);
  expect(said).toMatch(/leverage {2,}on second {2}done /m);
  expect(said).toMatch(/verify {2,}on second {2}wrote {6}out\/second\.csv/m);
  expect(run.stdout).toMatch(/✔ 1 of 1 order placed on main {2,}200\.00 USDT$/m);
  expect(run.stdout).toMatch(/✔ 1 of 2 orders placed on second {2,}210\.00 USDT$/m);
  expect(run.stdout).toMatch(/✔ leverage set on second {2,}/m);
  expect(run.stdout).toMatch(/✖ BTCUSDT .* on second\s+40762 /);
  expect(run.stdout).toMatch(/enter\[b\] on second refused by the exchange/);
  expect(run.stdout).toMatch(/→ out\/second\.csv {2}1 row, \d+ bytes {2}on second$/m);
  expect(run.stdout).toMatch(/^ {2}guards {8}max-writes$/m);
  const [, id = ''] = /run (r-\w+)/.exec(run.stderr) ?? [];
  const page = readFileSync(join(cwd, 'report', `${id}.html`), 'utf8');
  expect(page).toContain('main and second');
  expect(page.match(/<th[^>]*>Account<\/th>/g)).toHaveLength(3); // of orders, files and requests
  const markdown = (await at('resume', id, '-o', 'markdown')).stdout;
  expect(markdown).toContain('· accounts main and second ·');
  expect(markdown).toMatch(/^\| ✔ placed \| second \| BTCUSDT /m);
  const requests = (await at('runs', 'show', id, '--requests')).stdout.split('\n');
  const sent = requests.filter((line) => /^\d\d:/.test(line));
  expect(sent.every((line) => / on (?:main|second) /.test(line))).toBe(true);
  const [row] = JSON.parse((await at('runs', 'list', '-o', 'json')).stdout).runs;
  expect(row.accounts).toMatchObject([{ profile: 'second' }]);
  expect((await at('runs', 'list')).stdout).toContain('sandbox main and second');
});

test('the JSON of a run, and its events, name the account of each action', async () => {
  const { at } = await place();
  const report = JSON.parse((await at('run', 'desks.yaml', '-o', 'json')).stdout);
  const [enter, leverage] = report.steps;
  expect(accountsOf(enter.items)).toEqual(['main', 'second', 'second']);
  expect([enter.account, leverage.account]).toEqual([undefined, 'second']);
  expect(accountsOf(report.orders)).toEqual(['main', 'second', 'second']);
  expect(accountsOf(report.refused)).toEqual(['second']);
  expect(accountsOf(report.files)).toEqual(['main', 'second']);
  expect(accountsOf(report.guards)).toEqual([undefined, 'second']);
  expect(report.accounts).toMatchObject([{ profile: 'second' }]);
  const { stdout } = await at('runs', 'show', report.run, '-o', 'ndjson');
  const lines: Line[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const acting = lines.filter(({ address }) => address !== undefined);
  expect(acting.filter(({ account }) => account === undefined)).toEqual([]);
  const shown = JSON.parse((await at('runs', 'show', report.run, '-o', 'json')).stdout);
  expect(accountsOf(shown.entries)).toEqual(accountsOf(lines));
});

test('drift names the account of each line, and counts what is as recorded', async () => {
  const { at } = await place();
  await at('run', 'desks.yaml');
  const { stdout } = await at('drift', 'desks.yaml');
  expect(stdout).toMatch(/^SANDBOX main and second {2}desks {2}desks\.yaml$/m);
  expect(stdout).toMatch(/^ {2}0 differences; 4 as recorded on main and second; 0 cannot be/m);
  const [drift] = JSON.parse((await at('drift', 'desks.yaml', '-o', 'json')).stdout).playbooks;
  expect(accountsOf(drift.lines)).toEqual(['main', 'second', 'second', 'second']);
});

test('a step that was not begun names the accounts of its plan', async () => {
  const { at } = await place(desks.replace('    on-error: continue\n', ''));
  const run = await at('run', 'desks.yaml');
  expect(run.stdout).toMatch(/Not sent .* 1 order on second {2,}enter\[c\]$/m);
  expect(run.stdout).toMatch(/steps 2–3\s+leverage on second, verify on main and second$/m);
});

test('a run of one account names none in its lines', async () => {
  const { cwd, at } = await place(desks.replaceAll('second', 'main'));
  writeFileSync(join(cwd, 'deskhand.yaml'), 'profiles: { main: {} }\n');
  const text = desks.replaceAll('[main, second]', '[main]').replaceAll('second', 'main');
  writeFileSync(join(cwd, 'desks.yaml'), text);
  const run = await at('run', 'desks.yaml');
  expect(run.stdout + run.stderr).not.toContain(' on main');
  expect(run.stdout).toMatch(/✔ 2 of 3 orders placed {2,}410\.00 USDT$/m);
});
