/** The steps that are executed again from one of them on, and the digest of what a step does. */
import { expect, test } from 'vitest';
import { hasEffect } from '../../src/engine/plan/effect.ts';
import { inputsReadBy, stepsFrom } from '../../src/language/from.ts';
import { onlySteps } from '../../src/language/only.ts';
import { stepDigest } from '../../src/language/step-digest.ts';
import { playbookFrom } from '../support/harness.ts';

const read = 'uses: market/list-tickers, with: { category: USDT-FUTURES }';

const sequence = playbookFrom(`
playbook: 1
name: sequence
steps:
  - { id: a, ${read} }
  - { id: b, ${read} }
  - { id: c, ${read} }
`);

const graph = playbookFrom(`
playbook: 1
name: graph
steps:
  - { id: root, ${read} }
  - { id: left, needs: [root], ${read} }
  - { id: right, needs: [root], uses: market/list-tickers, with: { category: USDT-FUTURES, symbol: "{{ steps.root.response.0.symbol }}" } }
  - { id: reads-left, needs: [root], uses: market/list-tickers, with: { category: USDT-FUTURES, symbol: "{{ steps.left.response.0.symbol }}" } }
  - { id: table, needs: [root], uses: report/table, with: { from: reads-left } }
  - { id: alone, needs: [right], ${read} }
`);

test.each([
  [sequence, ['a'], 'a b c'],
  [sequence, ['b'], 'b c'],
  [sequence, ['c'], 'c'],
  [graph, ['root'], 'root left right reads-left table alone'],
  [graph, ['left'], 'left reads-left table'],
  [graph, ['right'], 'right alone'],
  [graph, ['table'], 'table'],
  [graph, ['table', 'alone'], 'table alone'],
])('a step is executed with all that wait for it (%#)', (playbook, from, all) => {
  const again = stepsFrom(playbook, from, hasEffect);
  const ids = playbook.steps.map(({ id }) => id).filter((id) => again.has(id));
  expect(ids.join(' ')).toBe(all);
});

test('a step without needs waits for all before it, and one with needs does not wait for it', () => {
  const mixed = playbookFrom(`
playbook: 1
name: mixed
steps:
  - { id: a, ${read} }
  - { id: b, needs: [a], ${read} }
  - { id: barrier, ${read} }
  - { id: c, needs: [a], ${read} }
`);
  expect([...stepsFrom(mixed, ['b'], hasEffect)]).toEqual(['b', 'barrier']);
});

const order = `uses: futures/place-order, with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT, side: buy, tradeSide: open, orderType: limit, force: post_only, price: "40000", size: "0.01" }`;

const asking = playbookFrom(`
playbook: 1
name: asking
steps:
  - { id: a, ${read} }
  - { id: consent, uses: approve, with: { text: Go on?, for: 1h } }
  - { id: b, ${order} }
  - { id: c, ${order} }
  - { id: page, uses: report/page, with: { file: out/page.md } }
`);

test.each([
  ['page', 'page'],
  ['c', 'consent c page'],
  ['consent', 'consent b c page'],
])('an approval before %s is asked again if a step with an effect is executed', (from, all) => {
  const again = stepsFrom(asking, [from], hasEffect);
  const ids = asking.steps.map(({ id }) => id).filter((id) => again.has(id));
  expect(ids.join(' ')).toBe(all);
});

test('a step that is selected alone still waits for the approvals before it', () => {
  expect(onlySteps(asking, ['c']).steps.map(({ id }) => id)).toEqual(['consent', 'c']);
  expect(onlySteps(asking, ['a']).steps.map(({ id }) => id)).toEqual(['a']);
});

const stepOf = (text: string, others: Readonly<Record<string, string>> = {}) => {
  const playbook = playbookFrom(
    `playbook: 1\nname: one\ninputs: { symbol: { type: string, default: BTCUSDT } }\nsteps:\n${text}`,
    others,
  );
  const [step] = playbook.steps;
  if (step === undefined) throw new Error('no step');
  return { step, playbook };
};

test('the digest of a step does not depend on its name and place, but on all that it does', () => {
  const digest = (text: string, others = {}): string => stepDigest(stepOf(text, others).step);
  const with_ = 'with: { category: USDT-FUTURES, symbol: "{{ inputs.symbol }}" }';
  const same = [
    `  - { id: a, uses: market/list-tickers, ${with_} }`,
    `\n  # a comment\n  - id: a\n    name: Another name\n    uses: market/list-tickers\n    ${with_}`,
  ].map((text) => digest(text));
  expect(new Set(same).size).toBe(1);
  const others = [
    `  - { id: a, uses: market/list-tickers, with: { category: USDT-FUTURES, symbol: "{{ concat inputs.symbol '' }}" } }`,
    `  - { id: a, uses: market/list-tickers, with: { category: COIN-FUTURES, symbol: "{{ inputs.symbol }}" } }`,
    `  - { id: a, uses: market/list-tickers, ${with_}, expect: [{ that: "{{ gt 1 0 }}" }] }`,
    `  - { id: a, uses: market/list-tickers, ${with_}, outputs: { first: "{{ response.0.symbol }}" } }`,
    `  - { id: a, uses: market/list-tickers, ${with_}, write: { file: a.csv } }`,
    `  - { id: a, uses: market/list-tickers, ${with_}, if: "{{ gt 1 0 }}" }`,
    `  - { id: a, uses: market/list-tickers, ${with_}, for-each: [1, 2] }`,
  ].map((text) => digest(text));
  expect(new Set([...same, ...others]).size).toBe(others.length + 1);
});

test('the digest of a step that uses a playbook changes with that playbook', () => {
  const inner = (id: string): Readonly<Record<string, string>> => ({
    'inner.yaml': `playbook: 1\nname: inner\nsteps:\n  - { id: ${id}, ${read} }\n`,
  });
  const digest = (id: string): string =>
    stepDigest(stepOf('  - { id: a, uses: ./inner.yaml }', inner(id)).step);
  expect(digest('x')).toBe(digest('x'));
  expect(digest('x')).not.toBe(digest('y'));
});

test('the inputs that a step reads are known', () => {
  const { step, playbook } = stepOf(
    '  - { id: a, uses: market/list-tickers, with: { category: USDT-FUTURES, symbol: "{{ inputs.symbol }}" } }',
  );
  expect([...inputsReadBy(step, playbook)]).toEqual(['symbol']);
});
