/** `approve`: nothing that follows is sent before people approved it, and then exactly what they were shown. */
import { describe, expect, test } from 'vitest';
import { hour } from '../../../src/base/clock.ts';
import type { Answered, Answers } from '../../../src/engine/effects/people.ts';
import type { Answer } from '../../../src/engine/journal/people-answers.ts';
import { differenceFrom } from '../../../src/engine/interpreter/let-go.ts';
import { openQuestions } from '../../../src/engine/journal/questions.ts';
import type { Entry } from '../../../src/engine/journal/entry.ts';
import { limitOrder } from '../../support/order.ts';
import {
  entriesOf,
  live,
  liveOn,
  openHarness,
  ordersPlaced,
  planOn,
  playbookFrom,
  type CrashPoint,
  type Harness,
} from '../../support/harness.ts';

const ben: Answer = { who: 'ben@desk.example', key: 'SHA256:ben', at: 0, text: 'signed' };

/** People who answer in the same way, after some time. */
function people(answer: Answered | undefined, harness: Harness, after = hour / 2): Answers {
  return {
    wait: async (_asked, ms, stopped) => {
      await harness.clock.sleep(Math.min(ms, after), stopped);
      return after < ms ? answer : undefined;
    },
    confirm: () => Promise.resolve(),
  };
}

const yes: Answered = { verdict: 'approve', answers: [ben] };
const no: Answered = { verdict: 'decline', answer: { ...ben, comment: 'too large' } };

const text = `playbook: 1
name: gated
steps:
  - id: market
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
    outputs: { price: "{{ floorTo (mul response.0.lastPrice 0.9) 0.1 }}" }
  - id: consent
    uses: approve
    with: { text: "Two bids at {{ steps.market.outputs.price }}?", for: 2h }
  - id: later
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
    outputs: { price: "{{ floorTo (mul response.0.lastPrice 0.8) 0.1 }}" }
  - id: bids
    for-each: ["0.010", "0.020"]
    uses: futures/place-order
    with:${limitOrder({ price: '{{ steps.market.outputs.price }}', size: '{{ each.value }}' })}
  - id: lower
    uses: futures/place-order
    with:${limitOrder({ price: '{{ steps.later.outputs.price }}', size: '0.010' })}
on-failure:
  - id: note
    uses: report/page
    with: { file: out/why.md, parts: [{ text: "{{ failure.code }}" }] }
`;

const gated = playbookFrom(text);

type Asked = Extract<Entry, { readonly kind: 'asked' }>;

function questionsOf(harness: Harness): readonly Asked[] {
  return entriesOf(harness).flatMap((entry) => (entry.kind === 'asked' ? [entry] : []));
}

/** How many orders the run placed: the account has others. */
async function sent(harness: Harness): Promise<number> {
  return [...(await ordersPlaced(harness)).keys()].filter((name) => name.startsWith('dh')).length;
}

/** What a run did, without the times at which it did so. */
function told(harness: Harness): readonly unknown[] {
  return entriesOf(harness).flatMap((entry) => {
    if (entry.kind === 'settled') return [[entry.address, entry.outcome.kind]];
    return entry.kind === 'closed' ? [[entry.step, entry.status]] : [];
  });
}

describe('what is asked', () => {
  test('a step shows its text, and every effect that the approval lets go', async () => {
    const harness = await openHarness();
    const result = await live(harness, gated, { answers: people(yes, harness) });
    expect(result.status).toBe('done');
    const [asked] = questionsOf(harness);
    expect(asked?.text).toMatch(/^Two bids at \d+\.\d\?$/);
    expect(asked?.until).toBe((asked?.time ?? 0) + 2 * hour);
    expect(asked?.effects.map(({ address, uses, after }) => [address, uses, after])).toEqual([
      ['bids[0.010]', 'futures/place-order', undefined],
      ['bids[0.020]', 'futures/place-order', undefined],
      ['lower', 'futures/place-order', undefined],
    ]);
    expect(asked?.effects[2]?.input).toMatchObject({
      price: { 'known-after': 'later' },
      size: '0.010',
    });
    expect(openQuestions(entriesOf(harness))).toEqual([]);
    expect(await sent(harness)).toBe(3);
  });

  test('a plan shows the step, and reads after it are those of the run', async () => {
    const harness = await openHarness();
    const plan = await planOn(harness, gated);
    const [lower] = plan.steps.find(({ id }) => id === 'lower')?.actions ?? [];
    expect(lower?.input).toMatchObject({ price: { 'known-after': 'later' } });
    expect(plan.steps.find(({ id }) => id === 'consent')?.actions[0]).toMatchObject({
      change: { kind: 'local' },
      input: { for: '2h' },
    });
  });

  test('the clock of a wait is that of the exchange, and the end the same after each resume', async () => {
    const harness = await openHarness();
    const drain = new AbortController();
    const interrupted: Answers = {
      wait: async (_asked, _ms, stopped) => {
        await harness.clock.sleep(hour, stopped);
        drain.abort();
        await harness.clock.sleep(hour, stopped);
        return undefined;
      },
      confirm: () => Promise.resolve(),
    };
    const first = await live(harness, gated, { answers: interrupted, drain: drain.signal });
    expect(first.status).toBe('interrupted');
    const waits: number[] = [];
    const patient: Answers = {
      wait: async (_asked, ms) => {
        waits.push(ms);
        return yes;
      },
      confirm: () => Promise.resolve(),
    };
    expect((await live(harness, gated, { answers: patient })).status).toBe('done');
    expect(questionsOf(harness)).toHaveLength(1);
    expect(waits).toEqual([hour]);
  });
});

describe('without an approval', () => {
  test('a decision ends the step, its failure is final, and nobody is asked again', async () => {
    const harness = await openHarness();
    const first = await live(harness, gated, { answers: people(no, harness) });
    expect(first).toMatchObject({ status: 'stopped', exit: 5 });
    const never: Answers = {
      wait: () => Promise.reject(new Error('asked again')),
      confirm: () => Promise.reject(new Error('asked again')),
    };
    expect((await live(harness, gated, { answers: never })).status).toBe('stopped');
    expect(told(harness).slice(0, 5)).toEqual([
      ['market', 'done'],
      ['market', 'done'],
      ['consent', 'failed'],
      ['consent', 'failed'],
      ['note', 'done'],
    ]);
    expect(await sent(harness)).toBe(0);
  });

  test('the end of the time is a decision, too, however late the run is resumed', async () => {
    const harness = await openHarness();
    const drain = new AbortController();
    const gone: Answers = {
      wait: async (_asked, _ms, stopped) => {
        drain.abort();
        await harness.clock.sleep(hour, stopped);
        return yes;
      },
      confirm: () => Promise.resolve(),
    };
    await live(harness, gated, { answers: gone, drain: drain.signal });
    await harness.clock.sleep(3 * hour);
    const late = await live(harness, gated, { answers: people(yes, harness, 0) });
    expect(late).toMatchObject({ status: 'stopped', exit: 5 });
    const [last] = entriesOf(harness).filter(
      (entry) => entry.kind === 'settled' && entry.address === 'consent',
    );
    expect(last).toMatchObject({ outcome: { code: 'unanswered' } });
    expect(await sent(harness)).toBe(0);
  });

  test('with on-error: continue, only steps that do not wait for the approval run', async () => {
    const harness = await openHarness();
    const playbook = playbookFrom(
      text
        .replace('uses: approve\n', 'uses: approve\n    on-error: continue\n')
        .replace('  - id: lower\n', '  - id: lower\n    needs: [market]\n')
        .replace('steps.later.outputs.price', 'steps.market.outputs.price'),
    );
    const result = await live(harness, playbook, { answers: people(no, harness) });
    expect(result.status).toBe('stopped');
    expect(told(harness)).toEqual(
      expect.arrayContaining([
        ['lower', 'done'],
        ['later', 'skipped'],
        ['bids', 'skipped'],
      ]),
    );
    expect(await sent(harness)).toBe(1);
  });

  test('an approval that its condition skips is not needed', async () => {
    const harness = await openHarness();
    const playbook = playbookFrom(
      text.replace('uses: approve\n', 'uses: approve\n    if: "{{ eq run.id \'other\' }}"\n'),
    );
    expect((await live(harness, playbook)).status).toBe('done');
    expect(questionsOf(harness)).toEqual([]);
    expect(await sent(harness)).toBe(3);
  });

  test('nobody can answer in a run without a list of signers', async () => {
    const harness = await openHarness();
    expect((await live(harness, gated)).status).toBe('stopped');
    expect(await sent(harness)).toBe(0);
  });
});

describe('every death', () => {
  const deaths = (harness: Harness): readonly CrashPoint[] =>
    (['journal', 'request'] as const).flatMap((at) =>
      Array.from({ length: harness.counts[at] }, (_, index) => index + 1).flatMap((nth) =>
        (['before', 'after'] as const).flatMap((when) => [
          { at, nth, when },
          ...(at === 'journal' ? [{ at, nth, when, isPowerCut: true }] : []),
        ]),
      ),
    );

  test.each([
    ['approved', yes],
    ['declined', no],
    ['unanswered', undefined],
  ])('a run that is %s and dies anywhere is the same run, and asks once', async (_name, answer) => {
    const unbroken = await openHarness();
    const whole = await live(unbroken, gated, { answers: people(answer, unbroken) });
    const orders = await sent(unbroken);
    for (const death of deaths(unbroken)) {
      const harness = await openHarness();
      const before: number[] = [];
      const answers = people(answer, harness);
      const watched: Answers = {
        ...answers,
        wait: async (...given) => {
          before.push(await sent(harness));
          return answers.wait(...given);
        },
      };
      const result = await liveOn(harness, gated, { death, answers: watched });
      expect({ death, status: result.status }).toEqual({ death, status: whole.status });
      expect(await sent(harness)).toBe(orders);
      expect(before.every((count) => count === 0)).toBe(true);
      const questions = questionsOf(harness);
      expect(
        new Set(questions.map(({ digest, until, time }) => [digest, until - time].join())),
      ).toEqual(new Set([[questionsOf(unbroken)[0]?.digest, 2 * hour].join()]));
      expect(questions.length).toBe(1);
    }
  });
});

describe('what is bound', () => {
  test('a step that would send something else sends nothing, and stops the run whatever on-error says', async () => {
    const harness = await openHarness();
    const playbook = playbookFrom(
      text.replace('  - id: bids\n', '  - id: bids\n    on-error: continue\n'),
    );
    const tampering: Answers = {
      wait: async ({ effects }) => {
        Object.assign(effects[0] ?? {}, { input: { ...Object(effects[0]?.input), size: '9' } });
        return yes;
      },
      confirm: () => Promise.resolve(),
    };
    const result = await live(harness, playbook, { answers: tampering });
    expect(result).toMatchObject({ status: 'stopped', exit: 5 });
    expect(told(harness)).toEqual(expect.arrayContaining([['bids', 'failed']]));
    expect(told(harness)).not.toEqual(expect.arrayContaining([['lower', 'done']]));
    expect(await sent(harness)).toBe(0);
  });

  const [bid] = gated.steps.filter(({ id }) => id === 'bids');
  const shown = {
    address: 'bids[0.010]',
    uses: 'futures/place-order',
    input: { price: '60000.0', size: { 'known-after': 'later' } },
  };
  const difference = (now: object): string | undefined =>
    bid && differenceFrom([shown], [{ ...shown, input: { price: '60000.0' }, ...now }], bid);

  test.each([
    ['another price', { input: { price: '60000.1' } }, 'price was "60000.0" and is "60000.1"'],
    ['another field', { input: { price: '60000.0', reduceOnly: 'YES' } }, 'reduceOnly was nothing'],
    ['another operation', { uses: 'account/create-sub' }, 'was futures/place-order'],
    ['another account', { account: 'other' }, 'another account'],
    ['one more item', { address: 'bids[0.030]' }, 'was not part of it'],
  ])('%s than was shown is refused', (_name, now, why) => {
    expect(difference(now)).toContain(why);
  });

  test('a value that was shown as known later may be any', () => {
    expect(difference({ input: { price: '60000.0', size: '0.5' } })).toBeUndefined();
  });
});
