/** Once-per-playbook writes, and what other runs completed or left in doubt. */
import { expect, test } from 'vitest';
import { day, second } from '../../../src/base/clock.ts';
import type { Entry } from '../../../src/engine/journal/entry.ts';
import { ledgerFrom, type Ledger } from '../../../src/engine/journal/ledger.ts';
import type { Transport } from '../../../src/exchange/api/exchange.ts';
import {
  entriesOf,
  live,
  openHarness,
  ordersPlaced,
  playbookFrom,
  type Harness,
} from '../../support/harness.ts';
import { arrivingLate } from '../../support/lying.ts';
import { limitOrder } from '../../support/order.ts';

const playbook = playbookFrom(`
playbook: 1
name: one
steps:
  - id: bid
    once-per: playbook
    uses: futures/place-order
    with:${limitOrder({ price: '41000.0' })}
`);

/** Several runs on an exchange that accepts duplicate clientOids. */
class Runs {
  readonly harness: Harness;
  readonly #records: { readonly run: string; readonly entries: readonly Entry[] }[] = [];

  private constructor(harness: Harness) {
    this.harness = harness;
  }

  static async on(): Promise<Runs> {
    const harness = await openHarness();
    harness.sandbox.control('POST', 'config', { duplicateClientOid: 'accept' });
    return new Runs(harness);
  }

  get ledger(): Ledger {
    return ledgerFrom(this.#records, { standingOf: () => 'same' });
  }

  /** The next run, which knows the results of the others; it may crash after its order is sent. */
  async next(wrap: (transport: Transport) => Transport, dies = false): Promise<string> {
    const { harness, ledger } = this;
    const run = `r-${this.#records.length + 1}`;
    harness.disk = '';
    let times = 0;
    const dying: typeof wrap = (transport) => async (request, signal) => {
      if (dies && times > 0) throw new Error('it is dead');
      if (request.operation === 'futures/place-order') times += 1;
      return wrap(transport)(request, signal);
    };
    const ending = dies ? { onDoubt: 'ask' as const } : {};
    const { status } = await live(harness, playbook, {
      runId: run,
      ledger,
      wrap: dying,
      ...ending,
    });
    this.#records.push({ run, entries: entriesOf(harness) });
    return status;
  }

  async placed(): Promise<number> {
    const counts = [...(await ordersPlaced(this.harness))];
    return counts.filter(([id]) => id.startsWith('dh')).reduce((sum, [, each]) => sum + each, 0);
  }
}

const plain = (transport: Transport): Transport => transport;

test('a write of another run is done, even if no list shows it', async () => {
  const runs = await Runs.on();
  expect(await runs.next(plain)).toBe('done');
  const action = { kind: 'stale-reads', ms: 1_000 * day };
  runs.harness.sandbox.control('PUT', 'faults', { rules: [{ match: {}, action }] });
  expect(await runs.next(plain)).toBe('done');
  runs.harness.sandbox.control('PUT', 'faults', { rules: [] });
  expect(await runs.placed()).toBe(1);
});

test('an order that another run left in doubt and that is still in transit is waited for', async () => {
  const runs = await Runs.on();
  const delayed = arrivingLate(15 * second, runs.harness.clock);
  expect(await runs.next(delayed.wrap, true)).toBe('doubt');
  expect(await runs.next(delayed.wrap)).toBe('done');
  await delayed.arrive();
  expect(await runs.placed()).toBe(1);
});
