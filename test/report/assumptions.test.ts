/** What a run depends on, in every paper that tells of it. */
import { describe, expect, test } from 'vitest';
import { annotation } from '../../src/report/terminal/annotation.ts';
import { summaryLines } from '../../src/report/terminal/summary.ts';
import { themeOf } from '../../src/report/terminal/theme.ts';
import type { Destination, Entry } from '../../src/engine/journal/entry.ts';
import type { Visibility } from '../../src/engine/journal/visible.ts';
import { assumptionsOf } from '../../src/report/assumptions.ts';
import { runMarkdown } from '../../src/report/markdown/run-comment.ts';
import { runReport } from '../../src/report/page/page.ts';
import { summaryOf } from '../../src/report/summary.ts';
import { live, orderInput, sandbox, started } from '../support/desk-setup.ts';
import { listedOn } from '../support/listed.ts';
import { tape } from '../support/tape.ts';

const looked = (orders: Visibility['orders'], because?: string): Visibility[] =>
  [...listedOn(live).values()].map((it) => ({ ...it, orders, ...(because && { because }) }));

function ran(learned: readonly Visibility[], destination: Destination = live): readonly Entry[] {
  const made = tape().add(started('r-1', destination), {
    kind: 'opened',
    step: 'ladder',
    items: ['61500.0'],
  });
  made.send({
    address: 'ladder[61500.0]',
    operation: 'futures/place-order',
    input: orderInput('61500.0'),
    outcome: { kind: 'done', output: { orderId: '1', clientOid: 'dh1' }, evidence: 'answered' },
  });
  for (const visibility of learned) made.add({ kind: 'visibility', ...visibility });
  return made.entries;
}

const states = (entries: readonly Entry[]): readonly string[] =>
  summaryOf(entries).bases.flatMap(({ assumptions }) => assumptions.map(({ state }) => state));

describe('the four assumptions', () => {
  test.each([
    ['open', []],
    ['open', looked('unknown', 'the lists cannot be read: 40084')],
    ['proved', looked('listed')],
    ['refuted', looked('unlisted', 'not in 5 looks')],
    ['proved', [...looked('unlisted', 'not in 5 looks'), ...looked('listed')]],
  ] as const)('of a live account: the last is %s', (state, learned) => {
    expect(states(ran(learned))).toEqual(['assumed', 'assumed', 'assumed', state]);
  });

  test('of a sandbox are satisfied by design', () => {
    expect(new Set(states(ran([], sandbox)))).toEqual(new Set(['proved']));
  });

  test('are omitted for a run that places no orders', () => {
    const [first, ...rest] = ran([]);
    if (first?.kind !== 'started') throw new Error('no start');
    expect(summaryOf([{ ...first, steps: [] }, ...rest.slice(0, 0)]).bases).toEqual([]);
  });

  test('name the order and the run that proved them', () => {
    const known = new Map(looked('listed').map((it) => [it.line, it]));
    expect(assumptionsOf(live, known)[3]).toMatchObject({
      number: 4,
      because: expect.stringMatching(
        /^the lists show first \(order 1, USDT-FUTURES\) of run r-earlier, 20\d\d-/,
      ),
    });
  });
});

describe('lists that do not show an accepted order', () => {
  const entries = ran(looked('unlisted', 'not in 5 looks at open and history orders'));
  const warning = 'the lists of mm-main do not show its orders';

  test('are a warning in every report and on every screen', () => {
    expect(summaryOf(entries).bases[0]?.warning?.text).toContain(warning);
    expect(runReport(entries, { program: 'test' })).toContain(warning);
    expect(runMarkdown(entries)).toContain(`- ! **${warning}`);
    expect(summaryLines(summaryOf(entries), themeOf({ isTTY: false }, {})).join('\n')).toContain(
      `! ${warning}`,
    );
    const [first] = entries;
    if (first?.kind !== 'started') throw new Error('no start');
    const annotations = entries.map((entry) => annotation(entry, first)).join('\n');
    expect(annotations).toContain('::warning file=playbooks/desk-setup.yaml,line=1,');
  });

  test('are no longer reported once a list has shown one', () => {
    const later = ran([...looked('unlisted'), ...looked('listed')]);
    expect(runReport(later, { program: 'test' })).not.toContain(warning);
    expect(runReport(later, { program: 'test' })).toContain('A4 the lists of orders show');
  });

  test('leave the order done', () => {
    expect(summaryOf(entries).tally).toMatchObject({ done: 1, inDoubt: 0, refused: 0 });
  });
});

test('the lookup after an order is not part of its duration', () => {
  const before = summaryOf(ran([])).steps.find(({ id }) => id === 'ladder')?.ms;
  const waited = ran([]).concat(
    [...Array(4).keys()].map((n) => ({
      kind: 'waited' as const,
      address: 'ladder[61500.0]',
      operation: 'order/list-open' as const,
      why: 'look-up' as const,
      ms: 3_000,
      seq: 10 + n,
      at: 1_795_000_000_000 + n * 3_000,
    })),
  );
  expect(summaryOf(waited).steps.find(({ id }) => id === 'ladder')?.ms).toBe(before);
  expect(summaryOf(waited).longestWait).toBeUndefined();
});
