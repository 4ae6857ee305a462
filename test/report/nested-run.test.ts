/** What every screen shows of nested playbooks, of steps without requests, and of doubts settled later. */
import { expect, test } from 'vitest';
import type { Entry, Event } from '../../src/engine/journal/entry.ts';
import { minute } from '../../src/base/clock.ts';
import { runFacts } from '../../src/report/blocks/facts.ts';
import { timelineOf } from '../../src/report/blocks/timeline.ts';
import { eventLine } from '../../src/report/event-lines.ts';
import { storyOf } from '../../src/report/story.ts';
import { summaryOf } from '../../src/report/summary.ts';
import { orderInput, started } from '../support/desk-setup.ts';
import { done, tape, type Tape } from '../support/tape.ts';

const steps = [
  { id: 'cool', uses: 'wait', line: 3 },
  { id: 'desks', uses: './child.yaml', line: 6 },
  { id: 'table', uses: 'report/table', line: 9 },
];

function begin(): Tape {
  const start = { ...started('r-1'), steps } as Event;
  return tape()
    .add(start, { kind: 'opened', step: 'cool' })
    .add({ kind: 'clock', address: 'cool', time: 0, ms: 1_500 })
    .wait(1_500)
    .add({ kind: 'settled', address: 'cool', outcome: done({ waited: 1_500 }) })
    .add({ kind: 'closed', step: 'cool', status: 'done' })
    .add({ kind: 'opened', step: 'desks', items: ['a/b', 'c'] });
}

/** The playbook of one item: a pause of 500 ms, then an order. */
function child(on: Tape, key: string): Tape {
  const pause = `desks[${key}]/pause`;
  return on
    .add({ kind: 'opened', step: pause, uses: 'wait' })
    .wait(500)
    .add({ kind: 'settled', address: pause, outcome: done({ waited: 500 }) })
    .add({ kind: 'closed', step: pause, status: 'done' })
    .add({ kind: 'opened', step: `desks[${key}]/bid`, uses: 'futures/place-order' });
}

function placed(on: Tape, key: string): Tape {
  const address = `desks[${key}]/bid`;
  const input = orderInput('60750.0');
  const outcome = done({ orderId: '1', clientOid: `oid-${key}` });
  return on
    .send({ address, operation: 'futures/place-order', input, outcome, ms: 100 })
    .add({ kind: 'closed', step: address, status: 'done' })
    .add({ kind: 'settled', address: `desks[${key}]`, outcome: done({}) });
}

function nestedRun(): Entry[] {
  const on = begin();
  placed(child(on, 'a/b'), 'a/b');
  placed(child(on, 'c'), 'c');
  return on
    .add({ kind: 'closed', step: 'desks', status: 'done' }, { kind: 'opened', step: 'table' })
    .wait(40)
    .add({ kind: 'settled', address: 'table', outcome: done({}) })
    .add({ kind: 'closed', step: 'table', status: 'done' })
    .add({ kind: 'finished', status: 'done', exit: 0, outputs: null }).entries;
}

/** The order of `c` is in doubt; the run ends. */
function doubtfulRun(): Tape {
  const on = begin();
  placed(child(on, 'a/b'), 'a/b');
  const address = 'desks[c]/bid';
  const operation = 'futures/place-order';
  const identity = '2'.repeat(26);
  const reason = 'the connection was reset';
  const sent = { address, operation, input: orderInput('60750.0'), identity, attempt: 1 } as const;
  const lists = 'history orders could not be read: the read ended with “HTTP 503”';
  child(on, 'c')
    .add({ kind: 'intended', ...sent, signedAt: on.entries.at(-1)?.at ?? 0 })
    .wait(3_000)
    .add({
      kind: 'settled',
      address,
      outcome: {
        kind: 'doubt',
        because: reason,
        lookup: { looks: 0, lists: [{ list: 'order/list-history', unread: 'HTTP 503' }] },
      },
    })
    .add({ kind: 'closed', step: address, status: 'doubt', because: `${reason}; ${lists}` });
  const at = { step: address, address };
  return on
    .add({
      kind: 'settled',
      address: 'desks[c]',
      outcome: { kind: 'doubt', because: `${address}: ${reason}; ${lists}`, at },
    })
    .add({ kind: 'closed', step: 'desks', status: 'doubt', because: `${reason}; ${lists}` })
    .add({ kind: 'finished', status: 'doubt', exit: 6, outputs: null });
}

function rowsOf(entries: readonly Entry[]): string[] {
  const { rows } = timelineOf(storyOf(entries), summaryOf(entries));
  return rows.map(
    ({ depth, state, name, note, reading, extent, spans }) =>
      `${'  '.repeat(depth)}${name} [${state}] ${note} | ${extent ? `${extent.from}–${extent.to}` : `${spans.length} spans`} | ${reading}`,
  );
}

test('steps of a nested playbook are below the item that runs them, which spans and counts them', () => {
  expect(rowsOf(nestedRun())).toMatchInlineSnapshot(`
    [
      "cool [done] 1.5 s | 0–1500 | from 0 ms to 1.5 s: no request",
      "desks [done] 1.2 s · 2 of 2 | 1500–2700 | from 1.5 s to 2.7 s: 2 orders placed, 2 requests",
      "  a/b [done] 0.6 s | 1500–2100 | from 1.5 s to 2.1 s: 1 order placed, 1 request",
      "    pause [done] 0.5 s | 1500–2000 | from 1.5 s to 2.0 s: no request",
      "    bid [done] 0.1 s · BTCUSDT open long 0.010 @ 60,750.0, post_only, crossed · placed | 1 spans | from 2.0 s to 2.1 s: 1 order placed, 1 request",
      "  c [done] 0.6 s | 2100–2700 | from 2.1 s to 2.7 s: 1 order placed, 1 request",
      "    pause [done] 0.5 s | 2100–2600 | from 2.1 s to 2.6 s: no request",
      "    bid [done] 0.1 s · BTCUSDT open long 0.010 @ 60,750.0, post_only, crossed · placed | 1 spans | from 2.6 s to 2.7 s: 1 order placed, 1 request",
      "table [done] 40 ms | 2700–2740 | from 2.7 s to 2.7 s: no request",
    ]
  `);
});

test('a step without requests took as long as it was open', () => {
  const took = summaryOf(nestedRun()).steps.map(({ id, ms }) => `${id} ${ms}`);
  expect(took).toMatchInlineSnapshot(`
    [
      "cool 1500",
      "desks 1200",
      "desks[a/b]/pause 500",
      "desks[a/b]/bid 100",
      "desks[c]/pause 500",
      "desks[c]/bid 100",
      "table 40",
    ]
  `);
});

test('the exchange answered only where a request was answered', () => {
  const entries = nestedRun();
  const asked = new Set(entries.flatMap((e) => (e.kind === 'answered' ? [e.address] : [])));
  const texts = entries
    .filter(({ kind }) => kind === 'settled')
    .map((entry) => eventLine(entry, asked))
    .map(({ address, text }) => `${address}: ${text}`);
  expect(texts).toMatchInlineSnapshot(`
    [
      "cool: ",
      "desks[a/b]/pause: ",
      "desks[a/b]/bid: answered by the exchange",
      "desks[a/b]: ",
      "desks[c]/pause: ",
      "desks[c]/bid: answered by the exchange",
      "desks[c]: ",
      "table: ",
    ]
  `);
});

test('a step in doubt names the write, and no words of a failed read', () => {
  const { entries } = doubtfulRun();
  const { steps: lines } = summaryOf(entries);
  expect(lines.map(({ id, status, detail }) => `${id} ${status}: ${detail}`))
    .toMatchInlineSnapshot(`
    [
      "cool done: ",
      "desks doubt: 1 of 2, 1 in doubt",
      "desks[a/b]/pause done: ",
      "desks[a/b]/bid done: BTCUSDT open long 0.010 @ 60,750.0, post_only, crossed · placed",
      "desks[c]/pause done: ",
      "desks[c]/bid doubt: the connection was reset",
      "table not-sent: not sent",
    ]
  `);
  const said = entries
    .filter(({ kind }) => kind === 'closed')
    .map((entry) => eventLine(entry).text);
  expect(said.join()).not.toContain('503');
});

test('after a doubt was settled later, state, sentence, steps and time line agree', () => {
  const { entries } = doubtfulRun()
    .wait(8 * minute)
    .add({
      kind: 'settled',
      address: 'desks[c]/bid',
      outcome: {
        kind: 'done',
        output: { orderId: '2', clientOid: 'oid-c' },
        evidence: 'looked-up',
      },
    });
  const { status, headline, lead, steps: lines, inDoubt } = summaryOf(entries);
  expect({ status, headline, lead, inDoubt }).toMatchInlineSnapshot(`
    {
      "headline": "not finished at step 2 of 3",
      "inDoubt": [],
      "lead": "What was in doubt is settled, and the run is not finished; nothing is in doubt.",
      "status": "unfinished",
    }
  `);
  expect(lines.map(({ id, status: state }) => `${id} ${state}`)).toMatchInlineSnapshot(`
    [
      "cool done",
      "desks open",
      "desks[a/b]/pause done",
      "desks[a/b]/bid done",
      "desks[c]/pause done",
      "desks[c]/bid open",
      "table not-sent",
    ]
  `);
  expect(rowsOf(entries)).toMatchInlineSnapshot(`
    [
      "cool [done] 1.5 s | 0–1500 | from 0 ms to 1.5 s: no request",
      "desks [open] 4.1 s · 1 of 2 | 1500–5600 | from 1.5 s to 5.6 s: 2 orders placed, 1 request, 1 request without a response",
      "  a/b [done] 0.6 s | 1500–2100 | from 1.5 s to 2.1 s: 1 order placed, 1 request",
      "    pause [done] 0.5 s | 1500–2000 | from 1.5 s to 2.0 s: no request",
      "    bid [done] 0.1 s · BTCUSDT open long 0.010 @ 60,750.0, post_only, crossed · placed | 1 spans | from 2.0 s to 2.1 s: 1 order placed, 1 request",
      "  c [not-sent] not finished · 3.5 s | 2100–5600 | from 2.1 s to 5.6 s: 1 order placed, 1 request without a response",
      "    pause [done] 0.5 s | 2100–2600 | from 2.1 s to 2.6 s: no request",
      "    bid [open] 3.0 s · settled; not finished | 1 spans | from 2.6 s to 5.6 s: 1 order placed, 1 request without a response",
      "table [not-sent] not sent | 0 spans | nothing was sent",
    ]
  `);
});

test('the delay of a person is not the duration of a run', () => {
  const took = (entries: readonly Entry[]): unknown =>
    runFacts(summaryOf(entries)).find(([name]) => name === 'took')?.[1];
  const settled = doubtfulRun()
    .wait(8 * minute)
    .add({
      kind: 'settled',
      address: 'desks[c]/bid',
      outcome: { kind: 'done', output: {}, evidence: 'by-person', person: { who: 'ann' } },
    });
  expect(took(doubtfulRun().entries)).toBe('5.6 s');
  expect(took(settled.entries)).toBe('5.6 s, open for 8 min');
  const resumed = settled
    .wait(2 * minute)
    .add({ kind: 'resumed' })
    .add({ kind: 'opened', step: 'cool' }, { kind: 'closed', step: 'cool', status: 'done' })
    .wait(1_000)
    .add({ kind: 'finished', status: 'done', exit: 0, outputs: null });
  expect(took(resumed.entries)).toBe('6.6 s in 2 sessions, open for 10 min');
  expect(summaryOf(resumed.entries).steps[0]).toMatchObject({ id: 'cool', ms: 1_500 });
});
