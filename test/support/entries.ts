/** Journals of invented runs: done, stopped, in doubt, interrupted, killed, resumed. */
import { doubtText } from '../../src/engine/journal/doubt.ts';
import type { Millis } from '../../src/base/clock.ts';
import { sha256, type Json } from '../../src/base/json.ts';
import type { Address, Entry, Event, Outcome } from '../../src/engine/journal/entry.ts';
import { clientOidOf, lineOf, live, orderIdOf, orderInput, prices, started } from './desk-setup.ts';
import { done, startOfRuns, tape, type Tape } from './tape.ts';

function subsAndLeverage(on: Tape): Tape {
  on.add({ kind: 'opened', step: 'subs', items: ['alpha', 'bravo', 'charlie'] });
  for (const [index, username] of ['alpha', 'bravo', 'charlie'].entries()) {
    on.send({
      address: `subs[${username}]`,
      operation: 'account/create-sub',
      input: { username, accountMode: 'unified' },
      outcome: done({ username: `${username}@virtual.example`, subUid: `90365${index}` }),
      ms: 180 + 20 * index,
    });
  }
  on.add({ kind: 'closed', step: 'subs', status: 'done' });
  return on
    .add({ kind: 'opened', step: 'leverage' })
    .send({
      address: 'leverage',
      operation: 'futures/set-all-leverage',
      input: { productType: 'USDT-FUTURES', leverage: '5' },
      outcome: done('success'),
      ms: 410,
    })
    .add({ kind: 'closed', step: 'leverage', status: 'done' })
    .add({ kind: 'opened', step: 'ladder', items: [...prices] });
}

function place(on: Tape, index: number, size?: string): Tape {
  const price = prices[index] ?? '';
  return on.send({
    address: `ladder[${price}]`,
    operation: 'futures/place-order',
    input: orderInput(price, size),
    outcome: done({ orderId: orderIdOf(index), clientOid: clientOidOf(price) }),
  });
}

const waited = (
  address: Address,
  why: 'limit' | 'retry' | 'poll' | 'look-up',
  ms: Millis,
  because?: string,
): Event => ({
  kind: 'waited',
  address,
  operation: why === 'look-up' || why === 'poll' ? 'order/list-open' : 'futures/place-order',
  why,
  ms,
  ...(because !== undefined && { because }),
});

function openOrders(count: number): Json {
  const list = prices.slice(0, count).map((price, index) => ({
    orderId: orderIdOf(index),
    clientOid: clientOidOf(price),
    symbol: 'BTCUSDT',
    orderStatus: 'live',
    qty: '0.010',
    price,
  }));
  return { list, cursor: '' };
}

/** Everything went well, with one wait for a rate limit slot, one retry, a poll and an unmet warning. */
export function doneRun(): Entry[] {
  const on = subsAndLeverage(tape().add(started('r-7k2m')).wait(12));
  place(on, 0);
  place(on, 1);
  on.add(waited('ladder[61000.0]', 'limit', 820)).wait(820);
  place(on, 2);
  on.add(
    { ...intent('60750.0'), attempt: 1, signedAt: startOfRuns + 2000 },
    answer('60750.0', 429, '429'),
    waited('ladder[60750.0]', 'retry', 640, 'the exchange answered 429'),
  );
  on.wait(640);
  place(on, 3);
  place(on, 4);
  on.add({ kind: 'closed', step: 'ladder', status: 'done' });
  on.add({ kind: 'opened', step: 'verify' }).wait(85);
  on.add({ ...answer('', 200, '00000'), address: 'verify', operation: 'order/list-open' });
  on.add(waited('verify', 'poll', 1000)).wait(1000);
  on.read('verify', 'order/list-open', openOrders(5));
  on.add({ kind: 'closed', step: 'verify', status: 'done' });
  return volumeStep(on).add(finished('done', 0)).entries;
}

/** The fifth order was refused; what comes after it was not sent. */
export function stoppedRun(): Entry[] {
  const on = subsAndLeverage(tape().add(started('r-8p0a')).wait(12));
  for (const index of [0, 1, 2, 3]) place(on, index);
  const message = 'The order size is greater than the max open size';
  return on
    .send({
      address: 'ladder[60500.0]',
      operation: 'futures/place-order',
      input: orderInput('60500.0', '9.000'),
      outcome: {
        kind: 'refused',
        code: '40762',
        message,
        hint: 'lower the size or fund the account',
        exit: 1,
      },
      code: '40762',
      status: 400,
    })
    .add({ kind: 'closed', step: 'ladder', status: 'refused', because: message })
    .add(finished('stopped', 1)).entries;
}

/** The answer to the third order was lost, and looking it up proved nothing. */
export function doubtRun(): Entry[] {
  const on = subsAndLeverage(tape().add(started('r-9d1f', live)).wait(12));
  place(on, 0);
  place(on, 1);
  on.add({ ...intent('61000.0'), signedAt: startOfRuns + 2000 }).wait(900);
  for (let look = 0; look < 4; look++) {
    const because = `clientOid ${clientOidOf('61000.0')} is not there yet`;
    on.add(waited('ladder[61000.0]', 'look-up', 3000, because)).wait(3000);
  }
  const because = 'the connection was reset before an answer';
  const until = startOfRuns + 14_900;
  const lists = [
    { list: 'order/list-open', until },
    { list: 'order/list-history', until },
  ] as const;
  const outcome = { kind: 'doubt', because, lookup: { looks: 5, lists } } as const;
  return on
    .add({ kind: 'settled', address: 'ladder[61000.0]', outcome })
    .add({ kind: 'closed', step: 'ladder', status: 'doubt', because: doubtText(outcome) })
    .add(finished('doubt', 6)).entries;
}

/** Ctrl-C after the second order. */
export function interruptedRun(): Entry[] {
  const on = subsAndLeverage(tape().add(started('r-2c4x')).wait(12));
  place(on, 0);
  place(on, 1);
  return on
    .add({ kind: 'closed', step: 'ladder', status: 'interrupted' })
    .add(finished('interrupted', 130)).entries;
}

/** Killed while the third order was in progress: its intent is the last line. */
export function killedRun(): Entry[] {
  const on = subsAndLeverage(tape().add(started('r-5t8w')).wait(12));
  place(on, 0);
  place(on, 1);
  return on.add({ ...intent('61000.0'), signedAt: startOfRuns + 2000 }).entries;
}

/** The killed run, resumed an hour later: the order was found, and the rest was done. */
export function resumedRun(): Entry[] {
  const on = tape(killedRun());
  on.wait(3_600_000).add({ kind: 'resumed' });
  on.add({ kind: 'opened', step: 'ladder', items: [...prices] }).wait(130);
  const output = { orderId: orderIdOf(2), clientOid: clientOidOf('61000.0') };
  const outcome: Outcome = { kind: 'done', output, evidence: 'looked-up' };
  on.add({ kind: 'settled', address: 'ladder[61000.0]', outcome });
  place(on, 3);
  place(on, 4);
  on.add({ kind: 'closed', step: 'ladder', status: 'done' });
  on.add({ kind: 'opened', step: 'verify' });
  on.read('verify', 'order/list-open', openOrders(5));
  on.add({ kind: 'closed', step: 'verify', status: 'done' });
  return volumeStep(on).add(finished('done', 0)).entries;
}

function volumeStep(on: Tape): Tape {
  on.add({ kind: 'opened', step: 'volume' });
  for (let page = 0; page < 3; page++) {
    on.wait(110).add({ ...answer('', 200, '00000'), address: 'volume', ...volumePage });
  }
  return on
    .add({
      kind: 'wrote',
      step: 'volume',
      file: 'out/volume-2026-11-20.csv',
      rows: 214,
      bytes: 18_304,
      sha256: sha256('volume'),
      pages: 3,
      clamped: { asked: startOfRuns - 91 * 86_400_000, from: startOfRuns - 90 * 86_400_000 },
    })
    .add({
      kind: 'settled',
      address: 'volume',
      outcome: done({ file: 'out/volume-2026-11-20.csv', rows: 214 }),
    })
    .add({
      kind: 'unmet',
      address: 'volume',
      level: 'warn',
      message: 'gt rows 500 is false',
      line: lineOf('volume') + 5,
    })
    .add({ kind: 'closed', step: 'volume', status: 'done' });
}

const volumePage = { operation: 'agent/list-trade-volume', ms: 110 } as const;

function intent(price: string): Extract<Event, { kind: 'intended' }> {
  return {
    kind: 'intended',
    address: `ladder[${price}]`,
    operation: 'futures/place-order',
    input: orderInput(price),
    identity: clientOidOf(price),
    attempt: 1,
    signedAt: startOfRuns,
  };
}

function answer(price: string, status: number, code: string): Extract<Event, { kind: 'answered' }> {
  return {
    kind: 'answered',
    address: `ladder[${price}]`,
    operation: 'futures/place-order',
    attempt: 1,
    ms: 85,
    status,
    code,
  };
}

const finished = (
  status: Extract<Event, { kind: 'finished' }>['status'],
  exit: Extract<Event, { kind: 'finished' }>['exit'],
): Event => ({ kind: 'finished', status, exit, outputs: null });

/** What a run on a schedule, approved by two, depends on. */
export const approvedBasis = {
  commit: '4f1c2e9a0b77d1035566778899aabbccddeeff00',
  approvals: ['ana', 'ben'].map((name, index) => ({
    who: `${name}@desk.example`,
    key: `SHA256:${'ab'.charAt(index).repeat(3)}`,
    at: Date.UTC(2026, 10, 20, 0, 30 + index),
  })),
  scheduledFor: Date.UTC(2026, 10, 20, 0, 41),
};

export function approvedRun(): Entry[] {
  return doneRun().map((entry) =>
    entry.kind === 'started' ? { ...entry, ...approvedBasis } : entry,
  );
}

/** A run of one step with so many warnings. */
export function warnedRun(warnings: number): readonly Entry[] {
  const on = tape().add(started('r-warned'), { kind: 'opened', step: 'volume' });
  for (let line = 1; line <= warnings; line++) {
    on.add({ kind: 'unmet', address: 'volume', level: 'warn', message: 'nothing came', line });
  }
  on.add({ kind: 'closed', step: 'volume', status: 'done' });
  return on.add({ kind: 'finished', status: 'done', exit: 0, outputs: null }).entries;
}

/** A run of one step with many orders, all placed. */
export function longRun(orders: number): Entry[] {
  const price = (index: number): string => (70_000 - index).toFixed(1);
  const items = Array.from({ length: orders }, (_, index) => price(index));
  const on = tape().add(started('r-5m1k')).wait(12);
  on.add({ kind: 'opened', step: 'ladder', items });
  for (const [index, each] of items.entries()) {
    on.send({
      address: `ladder[${each}]`,
      operation: 'futures/place-order',
      input: orderInput(each),
      outcome: done({ orderId: orderIdOf(index), clientOid: clientOidOf(each) }),
    });
  }
  return on.add({ kind: 'closed', step: 'ladder', status: 'done' }, finished('done', 0)).entries;
}
