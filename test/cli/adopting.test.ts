/** Edge cases of imports: orders that are missing or too old, nested places, and an interrupted import. */
import { describe, expect, test } from 'vitest';
import { day } from '../../src/base/clock.ts';
import { endingOf, knownBy, placeAt, recordImport } from '../../src/app/running/adopting.ts';
import { EvidenceError } from '../../src/engine/effects/evidence.ts';
import { shownOf } from '../../src/engine/effects/adopt.ts';
import type { Entry } from '../../src/engine/journal/entry.ts';
import type { Journal } from '../../src/engine/journal/journal.ts';
import { ledgerOf } from '../../src/engine/journal/ledger.ts';
import { hasOpenWrite } from '../../src/engine/journal/replay.ts';
import { readRun } from '../../src/engine/journal/runs.ts';
import type { Hold } from '../../src/stores/store.ts';
import {
  clientOf,
  destination,
  openHarness,
  planOn,
  playbookFrom,
  type Harness,
} from '../support/harness.ts';
import { limitInput, limitOrder } from '../support/order.ts';

const input = limitInput({ price: '40000.0' });
const { signal } = new AbortController();

async function shown(harness: Harness, id: string): Promise<string> {
  const wanted = { address: 'bid', operation: 'futures/place-order', input } as const;
  try {
    const found = await shownOf(wanted, id, { exchange: clientOf(harness), destination }, signal);
    return found.kind === 'order' ? 'order' : found.because;
  } catch (error) {
    if (error instanceof EvidenceError) return error.message;
    throw error;
  }
}

test('a canceled order is refused, and an order older than the lists requires a statement', async () => {
  const harness = await openHarness();
  const placed = { ...input, clientOid: 'by-hand' };
  const orderId = String((await clientOf(harness).call('futures/place-order', placed)).orderId);
  expect([await shown(harness, orderId), await shown(harness, 'by-hand')]).toEqual([
    'order',
    'order',
  ]);
  harness.sandbox.control('POST', 'orders/cancel', { orderId });
  expect(await shown(harness, orderId)).toContain('it was canceled');
  harness.sandbox.control('POST', 'clock/advance', { ms: 91 * day });
  expect(await shown(harness, orderId)).toBe(`no list shows USDT-FUTURES ${orderId}`);
});

const child = `playbook: 1
name: child
inputs: { price: { type: decimal } }
steps:
  - id: bids
    for-each: { "a/b": "0.001", "c]/d": "0.002" }
    once-per: playbook
    uses: futures/place-order
    with:${limitOrder({ price: '{{ inputs.price }}', size: '{{ each.value }}' })}
`;
const nested = `playbook: 1
name: outer
steps:
  - id: part
    for-each: { "x/bids": "40000.0", "y]/z": "41000.0" }
    uses: ./child.yaml
    with: { price: "{{ each.value }}" }
`;

describe('an action of a nested playbook under for-each', () => {
  test('is found with any characters in its keys, each as a separate write', async () => {
    const harness = await openHarness();
    const playbook = playbookFrom(nested, { 'child.yaml': child });
    const plan = await planOn(harness, playbook);
    const addresses = plan.steps
      .filter(({ uses }) => uses === 'futures/place-order')
      .flatMap(({ actions }) => actions.map(({ address }) => address));
    expect(addresses).toHaveLength(4);
    const known = addresses.map((address) => {
      const place = placeAt(plan, playbook, address);
      return knownBy(place, playbook, plan.destination).identity;
    });
    expect(new Set(known).size).toBe(4);
  });
});

test('an import that was cut off records nothing or everything, and can be ended', async () => {
  const harness = await openHarness();
  const playbook = playbookFrom(
    child.replace('type: decimal', 'type: decimal, default: "40000.0"'),
  );
  const made = await planOn(harness, playbook);
  const place = placeAt(made, playbook, 'bids[a/b]');
  const known = knownBy(place, playbook, made.destination);
  const stateDir = harness.workspace;
  const seen: string[] = [];
  for (let kept = 1; kept <= 6; kept++) {
    const plan = { ...made, run: `r-cut${kept}` };
    const outcome = {
      kind: 'done',
      output: { orderId: '1', clientOid: 'by-hand' },
      evidence: 'looked-up',
    } as const;
    const job = { plan, playbook, place, known, input: place.input, outcome, now: plan.observedAt };
    await recordImport(job, dyingAfter(kept), { stateDir, clock: harness.clock }).catch(
      (error: unknown) => expect(String(error)).toContain('killed'),
    );
    const entries = await readRun(stateDir, plan.run);
    const ended = [...entries, ...endingOf(entries).map(numbered)];
    const kinds = [entries, ended].map((all) => [...ledgerOf(plan.run, all).values()][0]?.kind);
    seen.push(`${entries.length} ${kinds.join(' ')} ${hasOpenWrite(ended)} ${statusOf(ended)}`);
  }
  expect(seen).toEqual([
    '1   false stopped',
    '2   false stopped',
    '3   false stopped',
    '4 done done false done',
    '5 done done false done',
    '6 done done false done',
  ]);
});

/** A process that is killed after some entries. */
function dyingAfter(kept: number): Hold {
  let left = kept;
  return {
    open: async ({ journal, entries }) => {
      const append: Journal['append'] = async (event) => {
        if (left === 0) throw new Error('killed');
        left -= 1;
        return journal.append(event);
      };
      return { journal: { ...journal, append }, entries };
    },
    release: async () => undefined,
  };
}

const numbered = (event: ReturnType<typeof endingOf>[number]): Entry => ({
  ...event,
  seq: 0,
  at: 0,
});

function statusOf(entries: readonly Entry[]): string {
  const last = entries.at(-1);
  return last?.kind === 'finished' ? last.status : 'cut off';
}
