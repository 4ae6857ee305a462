/** Which steps wait for an approval, which it lets go, and what is wrong with one before the run. */
import { expect, test } from 'vitest';
import { approvalsBefore, letGoBy, stepsBefore } from '../../src/language/approvals.ts';
import { loadPlaybook } from '../../src/language/load.ts';
import { playbookFrom } from '../support/harness.ts';

const read = 'uses: market/list-tickers, with: { category: USDT-FUTURES }';
const ask = 'uses: approve, with: { text: Go on?, for: 1h }';

const graph = playbookFrom(`
playbook: 1
name: graph
parallel: 4
steps:
  - { id: a, ${read} }
  - { id: beside, needs: [a], ${read} }
  - { id: first, needs: [a], ${ask} }
  - { id: b, needs: [first], ${read} }
  - { id: c, needs: [beside], ${read} }
  - { id: d, needs: [c], uses: report/page, with: { file: out/d.md, parts: [{ text: "{{ length steps.b.response }}" }] } }
  - { id: second, needs: [b], ${ask} }
  - { id: e, needs: [second, c], ${read} }
  - { id: last, ${read} }
`);

test('a step waits for the approvals of the steps that it needs or reads, and without needs for all before it', () => {
  const before = [...approvalsBefore(graph)].map(([id, ids]) => [id, [...ids].toSorted()]);
  expect(Object.fromEntries(before)).toEqual({
    b: ['first'],
    d: ['first'],
    second: ['first'],
    e: ['first', 'second'],
    last: ['first', 'second'],
  });
});

test('an approval lets go what waits for it, up to the next one', () => {
  expect(letGoBy('first', graph).map(({ id }) => id)).toEqual(['b', 'd', 'second']);
  expect(letGoBy('second', graph).map(({ id }) => id)).toEqual(['e', 'last']);
});

test('only steps that have ended before a step are known to it', () => {
  expect([...stepsBefore('first', graph.steps)]).toEqual(['a']);
  expect([...stepsBefore('e', graph.steps)].toSorted()).toEqual(
    ['a', 'b', 'beside', 'c', 'first', 'second'].toSorted(),
  );
  expect(stepsBefore('last', graph.steps).size).toBe(8);
});

const problemsOf = (step: string, more = ''): readonly string[] => {
  const after = `  - { id: after, ${read} }\n`;
  const text = `playbook: 1\nname: one\nsteps:\n  - ${step}\n${after}${more}`;
  const { problems } = loadPlaybook(text, 'test.yaml', { include: () => undefined });
  return problems.map(({ code, message }) => `${code} ${message}`);
};

test.each([
  ['{ uses: approve, with: { text: Go on? } }', 'PB203'],
  ['{ uses: approve, with: { text: "", for: 1h } }', 'PB204 text is empty'],
  ['{ uses: approve, with: { text: Go on?, for: 0s } }', 'PB204 for must be more than 0'],
  [
    '{ uses: approve, with: { text: Go on?, for: 8d } }',
    'PB204 for must be more than 0, and at most 7d',
  ],
  ['{ uses: approve, with: { text: Go on?, for: soon } }', 'PB204 "soon" is not a duration'],
  ['{ uses: approve, with: { text: Go on?, for: 1h, count: 0 } }', 'PB204 count must be'],
  ['{ uses: approve, with: { text: Go on?, for: 1h, by: nobody } }', 'PB204 by must be other'],
  ['{ uses: approve, with: { text: Go on?, for: 1h, by: [] } }', 'PB204 by must be other'],
  ['{ uses: approve, with: { text: Go on?, for: 1h, until: 2h } }', 'PB202 approve has no field'],
  ['{ uses: approve, with: { text: [a], for: 1h } }', 'PB305 text expects a text'],
  ['{ uses: approve, timeout: 1m, with: { text: Go on?, for: 1h } }', 'PB408'],
  ['{ approve: { text: Go on?, for: 1h } }', 'PB101 "approve" is not known here'],
  ['{ uses: approve, for-each: [a], with: { text: Go on?, for: 1h } }', 'PB426 approve asks once'],
  ['{ uses: approve, with: { text: "{{ secrets.KEY }}", for: 1h } }', 'PB306 secrets'],
])('%s is refused before the run', (step, message) => {
  expect(problemsOf(step)).toEqual([expect.stringContaining(message)]);
});

test('on-failure and finally wait for nobody, and an approval that nothing waits for is reported', () => {
  const aside = `finally:\n  - { id: late, ${ask} }\n`;
  expect(problemsOf(`{ id: a, ${read} }`, aside)).toEqual([
    'PB426 finally cannot wait for an approval',
  ]);
  const idle = `  - { id: idle, needs: [after], ${ask} }\n`;
  expect(problemsOf(`{ id: a, ${read} }`, idle)).toEqual([
    'PB502 nothing waits for the approval idle',
  ]);
});

test('the names of those who approved are values for later steps', () => {
  const text = "{{ join steps.consent.response.who ', ' }}";
  const page = `{ id: page, uses: report/page, with: { file: out/a.md, parts: [{ text: "${text}" }] } }`;
  expect(problemsOf(`{ id: consent, ${ask} }\n  - ${page}`)).toEqual([]);
  const wrong = page.replace('.who', '.whom');
  expect(problemsOf(`{ id: consent, ${ask} }\n  - ${wrong}`)).toEqual([
    expect.stringContaining('PB304'),
  ]);
});
