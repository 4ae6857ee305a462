/** Leverage is compared with what the account shows: in plans, before and after it is set, and by drift. */
import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../src/exchange/api/exchange.ts';
import type { Input, OperationName } from '../../../src/exchange/api/operations/index.ts';
import type { Entry } from '../../../src/engine/journal/entry.ts';
import { writesIn } from '../../../src/engine/journal/writes.ts';
import { driftOf } from '../../../src/engine/plan/drift.ts';
import { observerOf } from '../../../src/engine/plan/observe.ts';
import type { Plan } from '../../../src/engine/plan/plan.ts';
import { planLines } from '../../../src/report/plan-line.ts';
import { clientOf, openHarness, playbookFrom, type Harness } from '../../support/harness.ts';
import { answer, success } from '../../support/scripted.ts';
import { fileOf, goOn, reviewedOn, runFile } from '../../support/reviewed.ts';

/** A playbook that sets these leverages of BTCUSDT, one after another. */
const classic = (...leverages: readonly number[]) =>
  setting(
    'futures/set-leverage',
    'productType: USDT-FUTURES, symbol: BTCUSDT, marginCoin: USDT',
    leverages,
  );
const unified = (...leverages: readonly number[]) =>
  setting('account/set-leverage', 'category: USDT-FUTURES, symbol: BTCUSDT', leverages);
const all = (...leverages: readonly number[]) =>
  setting('futures/set-all-leverage', 'productType: USDT-FUTURES', leverages);

function setting(uses: string, fields: string, leverages: readonly number[]) {
  const steps = leverages.map(
    (leverage, n) =>
      `  - { id: set-${n}, uses: ${uses}, with: { ${fields}, leverage: "${leverage}" } }\n`,
  );
  return playbookFrom(`\nplaybook: 1\nname: leverage\naccount: main\nsteps:\n${steps.join('')}`);
}

async function set<N extends OperationName>(harness: Harness, name: N, input: Input<N>) {
  await clientOf(harness).call(name, input);
}

const setOne = (harness: Harness, leverage: string, symbol = 'BTCUSDT') =>
  set(harness, 'futures/set-leverage', {
    productType: 'USDT-FUTURES',
    symbol,
    marginCoin: 'USDT',
    leverage,
  });

/** A desk whose account has 5× for BTCUSDT. */
async function atFive(): Promise<Harness> {
  const harness = await openHarness();
  await setOne(harness, '5');
  return harness;
}

async function leverageOf(harness: Harness): Promise<string> {
  const account = await clientOf(harness).call('futures/get-account', {
    productType: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    marginCoin: 'USDT',
  });
  return String(account.crossedMarginLeverage);
}

/** The lines of a plan: sign, details and certainty. */
const linesOf = (plan: Plan): readonly string[] =>
  planLines(plan).map(
    ({ sign, details, certainty }) => `${sign} ${details.join(', ')}; ${certainty}`,
  );

const sentIn = (entries: readonly Entry[]): readonly unknown[] =>
  entries.flatMap((entry) =>
    entry.kind === 'intended' ? [Reflect.get(Object(entry.input), 'leverage')] : [],
  );

const outcomesIn = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.kind === 'settled' ? [entry.outcome] : []));

const isSetting = (operation: string): boolean => operation.endsWith('set-leverage');

/** Accepts a leverage and sets it only when its state was read so many times. */
function setAfter(reads: number): (transport: Transport) => Transport {
  let left = reads;
  let held: (() => Promise<unknown>) | undefined;
  return (transport) => async (request, signal) => {
    if (isSetting(request.operation)) {
      held = () => transport(request, signal);
      return success({ symbol: 'BTCUSDT' });
    }
    left -= 1;
    if (held !== undefined && left === 0) await held();
    return transport(request, signal);
  };
}

/** Refuses an operation as the exchange refuses it to keys of the other account family. */
function refusing(operation: string): (transport: Transport) => Transport {
  return (transport) => async (request, signal) =>
    request.operation === operation
      ? answer({ code: '40085' }, { status: 400 })
      : transport(request, signal);
}

const withoutPositions =
  (transport: Transport): Transport =>
  async (request, signal) =>
    /list-(?:positions|adl-ranks)$/.test(request.operation)
      ? success([])
      : transport(request, signal);

describe('a plan', () => {
  test.each([
    ['futures/set-leverage', classic],
    ['account/set-leverage', unified],
  ])('shows what %s changes, or that nothing is to be done', async (_, playbook) => {
    const harness = await atFive();
    expect(linesOf(await reviewedOn(harness, playbook(7)))).toEqual([
      '~ 5× → 7×; read with the plan, no undo',
    ]);
    const same = await reviewedOn(harness, playbook(5));
    expect(linesOf(same)).toEqual(['= 5×, read just now; read with the plan']);
    expect(same.totals).toMatchObject({ set: 0, unchanged: 1 });
  });

  test('shows the leverage of every position, and nothing where there is none', async () => {
    const harness = await openHarness();
    const empty = await reviewedOn(harness, all(7), { wrap: withoutPositions });
    expect(linesOf(empty)).toEqual([
      '~ ? → 7×, no symbol has an open position now: nothing would change; cannot be read back, no undo',
    ]);
    await setOne(harness, '5');
    await setOne(harness, '7', 'ETHUSDT');
    expect(linesOf(await reviewedOn(harness, all(7)))[0]).toContain(
      '~ 5× and 7× → 7×, takes effect',
    );
    await setOne(harness, '7');
    expect(linesOf(await reviewedOn(harness, all(7)))).toEqual([
      '= 7×, read just now; read with the plan',
    ]);
  });

  test('keeps the order of steps that set one state: 5, 7, 5 ends at 5', async () => {
    const harness = await atFive();
    const playbook = classic(5, 7, 5);
    const plan = await reviewedOn(harness, playbook);
    expect(linesOf(plan)).toEqual([
      '= 5×, read just now; read with the plan',
      '~ 5× → 7×; read with the plan, no undo',
      '~ 7× → 5×, set to 7× by set-1, earlier in this plan; cannot be read back, no undo',
    ]);
    const { entries } = await runFile(harness, fileOf(plan), playbook);
    expect(sentIn(entries)).toEqual(['7', '5']);
    expect(await leverageOf(harness)).toBe('5');
  });

  test('shows what runs recorded where the account refuses the read', async () => {
    const harness = await atFive();
    const wrap = refusing('futures/get-account');
    const plan = await reviewedOn(harness, classic(5), { wrap });
    expect(linesOf(plan)).toEqual(['~ ? → 5×; cannot be read back, no undo']);
    const { entries } = await runFile(harness, fileOf(plan), classic(5), { wrap });
    expect(outcomesIn(entries)).toMatchObject([{ kind: 'done', evidence: 'answered' }]);
  });
});

describe('a saved plan', () => {
  test('that sets 7× is run whatever the value before it is now', async () => {
    for (const now of ['9', '7']) {
      const harness = await atFive();
      const plan = await reviewedOn(harness, classic(7));
      await setOne(harness, now);
      const { entries } = await runFile(harness, fileOf(plan), classic(7));
      expect(sentIn(entries)).toEqual(['7']);
      expect(await leverageOf(harness)).toBe('7');
    }
  });

  test('that has nothing to do is refused when the leverage changed', async () => {
    const harness = await atFive();
    const plan = await reviewedOn(harness, classic(5));
    await setOne(harness, '9');
    await expect(runFile(harness, fileOf(plan), classic(5))).rejects.toThrow(
      'set-0 was nothing to do: 5×, read just now and is to be set',
    );
    expect(await leverageOf(harness)).toBe('9');
  });

  test('sets nothing that nobody reviewed when the leverage changes during the run', async () => {
    const harness = await atFive();
    const plan = await reviewedOn(harness, classic(5));
    let reads = 0;
    const wrap = (transport: Transport): Transport => {
      return async (request, signal) => {
        if (request.operation === 'futures/get-account') reads += 1;
        if (reads === 2) await setOne(harness, '9');
        return transport(request, signal);
      };
    };
    const { entries } = await runFile(harness, fileOf(plan), classic(5), { wrap });
    expect(outcomesIn(entries)).toMatchObject([
      {
        kind: 'failed',
        code: 'stale-plan',
        message: 'set-0: the plan found nothing to do, but the leverage is 9× now',
      },
    ]);
    expect(sentIn(entries)).toEqual([]);
  });
});

describe('a run', () => {
  const run = async (wrap: (transport: Transport) => Transport) => {
    const harness = await atFive();
    const plan = await reviewedOn(harness, classic(7));
    const began = harness.clock.monotonic();
    const { entries } = await runFile(harness, fileOf(plan), classic(7), { wrap });
    return { harness, entries, tookMs: harness.clock.monotonic() - began };
  };

  test('waits until the account shows what it accepted', async () => {
    const { harness, entries } = await run(setAfter(6)); // two reads before it is sent
    expect(outcomesIn(entries)).toMatchObject([{ kind: 'done', evidence: 'answered' }]);
    expect(await leverageOf(harness)).toBe('7');
  });

  test('does not believe an accepted leverage that the account does not show', async () => {
    const { entries, tookMs } = await run(setAfter(Infinity));
    expect(outcomesIn(entries)).toMatchObject([
      {
        kind: 'failed',
        code: 'not-set',
        message: 'the exchange accepted 7×, and the account still shows 5×',
      },
    ]);
    expect(tookMs).toBeLessThan(12_000);
  });

  test('that ends after any entry is resumed to the same state', async () => {
    const whole = await atFive();
    const playbook = classic(5, 7, 5);
    const plan = await reviewedOn(whole, playbook);
    const { entries } = await runFile(whole, fileOf(plan), playbook);
    for (let n = 1; n < entries.length; n++) {
      const harness = await atFive();
      const before = entries.slice(0, n);
      for (const sent of sentIn(before)) await setOne(harness, String(sent));
      const rest = await goOn(harness, playbook, before, ['set-0']);
      expect(await leverageOf(harness), `after ${n} entries`).toBe('5');
      expect(outcomesIn(rest).map(({ kind }) => kind)).toEqual(['done', 'done', 'done']);
    }
  });
});

test('drift compares a leverage with what the account shows', async () => {
  const harness = await atFive();
  const plan = await reviewedOn(harness, classic(7));
  const { entries } = await runFile(harness, fileOf(plan), classic(7));
  const drift = async (wrap?: (transport: Transport) => Transport) => {
    const exchange = clientOf(harness, wrap);
    const observer = observerOf(exchange, new AbortController().signal);
    const {
      lines: [line],
    } = await driftOf({
      writes: writesIn('r-test', entries),
      sentHere: async () => new Set(),
      endedHere: async () => new Map(),
      accounts: [{ profile: 'main', observer }],
      now: await exchange.serverTime(),
    });
    return `${line?.kind}: ${line?.recorded} | ${line?.shown}`;
  };
  expect(await drift()).toBe('same: USDT-FUTURES BTCUSDT 7×, done | 7×');
  await setOne(harness, '9');
  expect(await drift()).toBe('differs: USDT-FUTURES BTCUSDT 7×, done | 9×');
  expect(await drift(refusing('futures/get-account'))).toContain(
    'unreadable: USDT-FUTURES BTCUSDT 7×, done | it cannot be read: 40085',
  );
});
