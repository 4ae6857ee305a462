/** Rehearsals: the same seed is the same story, and what must never be is seen when it is. */
import { describe, expect, test } from 'vitest';
import type { Entry, Event } from '../../../src/engine/journal/entry.ts';
import { faultNames, type FaultName } from '../../../src/rehearsal/simulation/faults.ts';
import {
  NotRehearsedError,
  rehearse,
  type SeedResult,
} from '../../../src/rehearsal/simulation/rehearse.ts';
import { compareWithExchange } from '../../../src/rehearsal/simulation/verdict.ts';
import { documentRenderer } from '../../../src/report/renderer.ts';
import { playbookFrom } from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';

const playbook = playbookFrom(`
playbook: 1
name: ladder
inputs: { top: { type: decimal, default: "41000.0" } }
guards: { max-writes: 4 }
steps:
  - id: ladder
    for-each: "{{ ladder from=inputs.top to='40000.0' count=3 tick='0.1' total='0.006' lot='0.001' }}"
    key: "rung-{{ each.index }}"
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value.price }}', size: '{{ each.value.size }}' })}
  - id: hedge
    account: second
    uses: futures/set-all-leverage
    with: { productType: USDT-FUTURES, leverage: "5" }
`);

const play = (seed: number, faults: readonly FaultName[] = faultNames): Promise<SeedResult> =>
  rehearse(playbook, seed, {
    inputs: new Map(),
    faults,
    time: Date.UTC(2026, 0, 31, 8),
    program: 'deskhand test',
    documents: documentRenderer('deskhand test'),
  });

const nothing = { twice: [], lost: [], unreported: [] };

describe('a rehearsal', () => {
  test('ends with every order placed once, whatever happened', async () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const { status, verdict, broken, orders } = await play(seed);
      expect({ status, verdict, broken, orders }).toEqual({
        status: 'done',
        verdict: nothing,
        broken: [],
        orders: 3,
      });
    }
  });

  test.each(faultNames)('with %s only has no other faults', async (fault) => {
    const stories = [];
    for (const seed of [1, 2, 3]) {
      const { verdict, broken, story } = await play(seed, [fault]);
      expect([verdict, broken]).toEqual([nothing, []]);
      stories.push(...story.map((line) => line.split(' ')[0]));
    }
    const words: Readonly<Record<FaultName, readonly string[]>> = {
      'lost-answer': ['lost-answer'],
      'lost-request': ['lost-request', 'unreachable'],
      late: ['late-request', 'slow-answer'],
      '429': ['limit-429', 'page-429-after', 'code-45001-429-after', 'half-429-after'],
      '5xx': ['html-502', 'error-500-after', 'code-40010-after'],
      garbled: ['garbled', 'wrong-envelope'],
      clock: ['refused-time', 'time-ahead', 'time-behind'],
      'stale-lists': [],
      crash: ['crashed'],
    };
    expect(stories.filter((word) => !words[fault].includes(word ?? ''))).toEqual([]);
    expect(stories.length > 0).toBe(fault !== 'stale-lists');
  });

  test('of programs and other profiles starts none, and opens an account for each', async () => {
    const desks = playbookFrom(`
playbook: 1
name: desks
guards: { accounts: [main, alpha, bravo, delta] }
steps:
  - { id: told, uses: shell/run, with: { command: [no-such-program] } }
  - id: enter
    for-each: [alpha, bravo, delta]
    account: "{{ each.value }}"
    uses: futures/place-order
    with:${limitOrder({ price: '20000.0', size: '0.010' })}
`);
    const options = {
      inputs: new Map(),
      faults: [],
      time: Date.UTC(2026, 0, 31, 8),
      profile: 'main',
    };
    const named = { program: 'deskhand test', documents: documentRenderer('deskhand test') };
    const { status, verdict, orders } = await rehearse(desks, 1, { ...options, ...named });
    expect([status, verdict, orders]).toEqual(['done', nothing, 3]);
  });

  test('is the same for the same seed, and differs for another', async () => {
    const [one, again, other] = [await play(7), await play(7), await play(8)];
    expect(again).toEqual(one);
    expect(other.story).not.toEqual(one.story);
  });

  test('of a playbook that cannot be planned gives the reason', async () => {
    const inputs = new Map([['top', 'high']]);
    const options = {
      faults: [],
      time: 0,
      program: 'deskhand test',
      documents: documentRenderer('deskhand test'),
    };
    await expect(rehearse(playbook, 1, { ...options, inputs })).rejects.toThrow(NotRehearsedError);
  });
});

describe('the verdict', () => {
  const sent: Event = {
    kind: 'intended',
    address: 'ladder[1]',
    operation: 'futures/place-order',
    input: { clientOid: 'a' },
    identity: 'i',
    attempt: 1,
    signedAt: 1,
  };
  const settled = (outcome: Extract<Event, { kind: 'settled' }>['outcome']): Event => ({
    kind: 'settled',
    address: 'ladder[1]',
    outcome,
  });
  const done = settled({ kind: 'done', output: { orderId: '1' }, evidence: 'answered' });
  const failed = settled({ kind: 'failed', code: 'x', message: 'x', exit: 1 });
  const entries = (...events: Event[]): Entry[] =>
    events.map((event, index) => ({ ...event, seq: index + 1, at: index }));
  const order = (orderId: string): { orderId: string; clientOid: string } => ({
    orderId,
    clientOid: 'a',
  });

  test.each([
    ['one order, told as placed', [sent, done], [order('1')], nothing],
    ['two of one name', [sent, done], [order('1'), order('2')], { twice: 1 }],
    ['told as placed, and not there', [sent, done], [], { lost: 1 }],
    ['another id than told', [sent, done], [order('2')], { lost: 1 }],
    ['there, and told as failed', [sent, failed], [order('1')], { unreported: 1 }],
    ['there, and never told', [sent], [order('1')], { unreported: 1 }],
    ['in doubt', [sent, settled({ kind: 'doubt', because: 'x' })], [order('1')], nothing],
    ['of somebody else', [], [order('1')], nothing],
  ] as const)('of %s', (_name, events, orders, expected) => {
    const verdict = compareWithExchange(entries(...events), orders);
    const counts = Object.entries(verdict).filter(([, found]) => found.length > 0);
    expect(Object.fromEntries(counts.map(([name, found]) => [name, found.length]))).toEqual(
      expected === nothing ? {} : expected,
    );
  });
});
