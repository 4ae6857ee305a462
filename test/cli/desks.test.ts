/** Several accounts in one playbook: every line names its account, and what is unchanged is counted. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limitOrder } from '../support/order.ts';
import { deskhand, folderWith } from './deskhand.ts';

const desks = `playbook: 1
name: desks
account: main
steps:
  - id: enter
    for-each: { main: ["20000.0", "21000.0"], second: ["20000.0", "21000.0", "22000.0"] }
    account: "{{ each.key }}"
    uses: ./desk.yaml
    with: { prices: "{{ each.value }}" }
`;

const desk = `playbook: 1
name: desk
inputs: { prices: { type: list, items: { type: decimal } } }
steps:
  - id: prices
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
  - id: buy
    for-each: "{{ inputs.prices }}"
    uses: futures/place-order
    once-per: playbook
    with:${limitOrder({ price: '{{ each.value }}', size: '0.010', force: 'post_only' })}
`;

const config = `profiles: { main: {}, second: { as: leader, guards: { writes: 9 } } }\n`;

function place(text = desks) {
  const cwd = folderWith({ 'desks.yaml': text, 'desk.yaml': desk, 'deskhand.yaml': config });
  return { cwd, at: (...words: string[]) => deskhand(words, { cwd }) };
}

const oneMore = desks.replace('["20000.0", "21000.0"],', '["20000.0", "21000.0", "23000.0"],');

test('a plan of several accounts has a row of totals for each, with its own open orders', async () => {
  const { at } = place();
  const { stdout } = await at('plan', 'desks.yaml');
  expect(stdout).toMatch(
    /^account {2}create {2}set {2}unchanged {2}orders {2}notional {2}open after$/m,
  );
  expect(stdout).toMatch(/^main {10}2 {4}0 {10}0 {7}2 {4}410\.00 {2}\d+ of 400$/m);
  expect(stdout).toMatch(/^second {8}3 {4}0 {10}0 {7}3 {4}630\.00 {2}\d+ of 400$/m);
  expect(stdout).not.toMatch(/ {3}open after: /);
  const markdown = (await at('plan', 'desks.yaml', '-o', 'markdown')).stdout;
  expect(markdown).toMatch(/^\| `second` \| 3 \| 0 \| 0 \| 3 \| 630\.00 \| \d+ of 400 \|$/m);
  const { totals, steps } = JSON.parse((await at('plan', 'desks.yaml', '-o', 'json')).stdout);
  expect(totals.accounts).toEqual([
    expect.objectContaining({ account: 'main', create: 2, notional: '410' }),
    expect.objectContaining({ account: 'second', create: 3, notional: '630' }),
  ]);
  const acting = steps.flatMap((step: { actions: { account?: string }[] }) => step.actions);
  expect(acting.every(({ account }: { account?: string }) => account !== undefined)).toBe(true);
});

test('what is unchanged is counted with its accounts, and --full lists it', async () => {
  const { cwd, at } = place();
  expect((await at('run', 'desks.yaml')).code).toBe(0);
  writeFileSync(join(cwd, 'desks.yaml'), oneMore);
  const { stdout } = await at('plan', 'desks.yaml');
  expect(stdout).toMatch(/^ {2}= 3 unchanged on second {3}\(--full shows all\)$/m);
  expect(stdout).toMatch(/^ {2}= 2 unchanged on main {3}\(--full shows all\)$/m);
  expect(stdout.match(/^ {2}= /gm)).toHaveLength(2);
  expect(stdout).toMatch(
    /^ {2}\+ BTCUSDT open long 0\.010 @ 23,000\.0, post_only, crossed {2}on main/m,
  );
  const markdown = (await at('plan', 'desks.yaml', '-o', 'markdown')).stdout;
  expect(markdown).toContain('| `=` | `enter[second]/buy` | 3 unchanged on second |  |  |');
  const full = (await at('plan', 'desks.yaml', '--full')).stdout;
  expect(full.match(/^ {2}= /gm)).toHaveLength(5);
});

test('a group and the values read during the run name their account, too', async () => {
  const leverage =
    '  - { id: leverage, uses: futures/set-all-leverage, with: { productType: USDT-FUTURES, leverage: 3 } }\n';
  const late = desk.replace('steps:\n', `steps:\n${leverage}`);
  const cwd = folderWith({
    'desks.yaml': desks.replace('second: [', 'second: ["15000.0", "16000.0", "17000.0", '),
    'desk.yaml': `${late}outputs: { price: "{{ steps.prices.response.0.lastPrice }}" }\n`,
    'deskhand.yaml': config,
  });
  const { stdout } = await deskhand(['plan', 'desks.yaml'], { cwd });
  expect(stdout).toMatch(/^ +… 3 more like BTCUSDT on second, within /m);
  expect(stdout).toMatch(/^ {2}enter\[second\]\/prices on second: 0\.lastPrice$/m);
});
