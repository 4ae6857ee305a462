/** Two machines over one simulated database, and what must be true when they have ended. */
import { expect } from 'vitest';
import { minute, standingClock, type Millis, type StandingClock } from '../../../src/base/clock.ts';
import type { Transport } from '../../../src/exchange/api/exchange.ts';
import type { AnswerForms } from '../../../src/sandbox/world/world-settings.ts';
import type { SharedRuns } from '../../../src/stores/shared/shared-runs.ts';
import type { Harness } from '../../support/harness.ts';
import { booksOf, desks, judge, moveMarket, openMarket, ordersIn, toldBy } from '../market.ts';
import { entriesOn, noActs, runProcess, type Act } from '../machine-process.ts';
import { lease, machineOn, type SharedMachine } from './machines.ts';
import { SimulatedDatabase, type Defect, type Fault } from './simulated.ts';
import { SharedTracer } from './tracer.ts';

export interface Stage {
  readonly harness: Harness;
  readonly database: SimulatedDatabase;
  readonly a: SharedMachine;
  readonly b: SharedMachine;
  /** What their processes store and send. */
  readonly tracer: SharedTracer;
  /** The lease of A ends, and the exchange's clock moves on. */
  readonly pass: (ms?: Millis, moves?: boolean) => void;
}

/** @param faults of A's questions */
export async function stage(
  defect?: Defect,
  faults?: (method: keyof SharedRuns) => Fault | undefined,
  answers?: AnswerForms,
): Promise<Stage> {
  const harness = await openMarket(answers);
  const time: StandingClock = standingClock(0); // an hour and a day apart from any other clock
  const database = new SimulatedDatabase(time, defect);
  const tracer = new SharedTracer();
  database.onRestored = () => tracer.restored(database.text('r-1'));
  const traced = (name: string, faultsOf?: typeof faults): SharedMachine => {
    let processes = 0;
    const actor = (): string => `${name}${processes}`;
    const connect = (): SharedRuns => {
      processes += 1;
      return database.connect(faultsOf, tracer.watch(actor()));
    };
    const wire = (own: Transport): Transport => tracer.wire(own, actor);
    return { ...machineOn(connect, harness.clock), wire };
  };
  return {
    harness,
    database,
    tracer,
    a: traced('a', faults),
    b: traced('b'),
    pass: (ms = minute, moves = true) => {
      time.advance(lease + 1);
      harness.clock.advance(ms);
      if (moves) moveMarket(harness);
    },
  };
}

/** What is wrong after B has continued, by the exchange's own books and the transitions of the model. */
export async function continued({ harness, b, tracer }: Stage): Promise<readonly string[]> {
  await b.store.sync();
  const isKnown = (await entriesOn(b).catch(() => [])).length > 0;
  if (!isKnown) {
    const { total } = await booksOf(harness);
    return total > 0 ? ['orders stand, and no one was notified of the run'] : [];
  }
  const result = await runProcess(b, harness, desks, { isResumed: true });
  const broken = judge(result, await booksOf(harness), await toldBy(b), 'resend');
  return [...broken, ...tracer.broken];
}

/** What a run says, and the orders that its doubts name. */
export async function toldWithStrangers(one: SharedMachine): ReturnType<typeof toldBy> {
  const { done, doubts } = await toldBy(one);
  const named = (await entriesOn(one)).flatMap((entry) =>
    entry.kind === 'settled' && entry.outcome.kind === 'doubt'
      ? (entry.outcome.because.match(/dh[a-z2-7]{26}/g) ?? [])
      : [],
  );
  return { done, doubts: new Set([...doubts, ...named]) };
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
