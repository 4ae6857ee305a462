/** Two machines over one simulated database, and what must be true when they have ended. */
import { expect } from 'vitest';
import { minute, standingClock, type Millis, type StandingClock } from '../../../src/base/clock.ts';
import type { SharedRuns } from '../../../src/state-store/shared/shared-runs.ts';
import type { Harness } from '../../support/harness.ts';
import { booksOf, desks, judge, moveMarket, openMarket, ordersIn, toldBy } from '../market.ts';
import { entriesOn, noActs, runProcess, type Act } from '../machine-process.ts';
import { lease, machineOn, type SharedMachine } from './machines.ts';
import { SimulatedDatabase, type Defect, type Fault } from './simulated.ts';

export interface Stage {
  readonly harness: Harness;
  readonly database: SimulatedDatabase;
  readonly a: SharedMachine;
  readonly b: SharedMachine;
  /** The lease of A ends, and the exchange's clock moves on. */
  readonly pass: (ms?: Millis, moves?: boolean) => void;
}

/** @param faults of A's questions */
export async function stage(
  defect?: Defect,
  faults?: (method: keyof SharedRuns) => Fault | undefined,
): Promise<Stage> {
  const harness = await openMarket();
  const time: StandingClock = standingClock(0); // an hour and a day apart from any other clock
  const database = new SimulatedDatabase(time, defect);
  return {
    harness,
    database,
    a: machineOn(() => database.connect(faults), harness.clock),
    b: machineOn(() => database.connect(), harness.clock),
    pass: (ms = minute, moves = true) => {
      time.advance(lease + 1);
      harness.clock.advance(ms);
      if (moves) moveMarket(harness);
    },
  };
}

/** What is wrong after B has continued, by the exchange's own books. */
export async function continued({ harness, b }: Stage): Promise<readonly string[]> {
  await b.store.sync();
  const isKnown = (await entriesOn(b).catch(() => [])).length > 0;
  if (!isKnown) {
    const { total } = await booksOf(harness);
    return total > 0 ? ['orders stand, and no one was notified of the run'] : [];
  }
  const result = await runProcess(b, harness, desks, { isResumed: true });
  return judge(result, await booksOf(harness), await toldBy(b), 'resend');
}

export async function ends(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

export async function lengthOf(): Promise<Record<Act, number>> {
  const counts = noActs();
  const { harness, a } = await stage();
  expect(await runProcess(a, harness, desks, { counts })).toMatchObject({ status: 'done' });
  expect((await booksOf(harness)).total).toBe(ordersIn);
  return counts;
}
