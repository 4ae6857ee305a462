/** Three machines over one simulated database: two checkouts as they should be, and one that somebody changed. */
import type { Clock } from '../../src/base/clock.ts';
import { noGuard } from '../../src/lock/guard.ts';
import type { Entry } from '../../src/journal/entry.ts';
import type { Jobs } from '../../src/state-store/jobs.ts';
import type { JobQueue } from '../../src/state-store/queue.ts';
import { sharedStore } from '../../src/state-store/shared/store.ts';
import { storedTail } from '../../src/cli/worker/stored-tail.ts';
import { Desk, type Ask } from '../jobs/desk.ts';
import type { Stage } from '../jobs/stage.ts';
import { simulatedPlans } from '../state-store/shared/simulated-plans.ts';
import { SimulatedFiles } from '../state-store/shared/simulated-files.ts';
import { SimulatedQueue, type QueueDefect } from '../state-store/shared/simulated-queue.ts';
import { SimulatedDatabase } from '../state-store/shared/simulated.ts';
import { lease } from '../state-store/shared/machines.ts';
import { limitOrder } from '../support/order.ts';

const ladder = `playbook: 1
name: ladder
account: main
steps:
  - id: rungs
    for-each: ["40000", "39000", "38000"]
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}', size: '0.001', force: 'post_only' })}
`;
const single = `playbook: 1
name: single
account: main
steps:
  - id: one
    uses: futures/place-order
    with:${limitOrder({ price: '37000', size: '0.001', force: 'post_only' })}
`;

/** Orders of each playbook. */
export const ordersOf = { ladder: 3, single: 1 } as const;
export type Name = keyof typeof ordersOf;
export const names: readonly Name[] = ['ladder', 'single'];

const config = `profile: main
profiles: { main: { base-url: "http://127.0.0.1:8801", secrets: { env: MAIN } } }
state: { store: postgres, url: { env: DB }, lease: 6s }
`;

export interface Fleet {
  /** The last one has another checkout. */
  readonly machines: readonly [Desk, Desk, Desk];
  /** The entries of a run that the database has. */
  readonly entriesOf: (run: string) => Promise<readonly Entry[]>;
  readonly queue: JobQueue;
  /** Orders of each playbook, as the exchange has them. */
  readonly placed: (name: Name) => number;
  /** The next questions to the store get no answer. */
  readonly cut: (questions: number) => void;
  readonly close: () => void;
}

export function openFleet(stage: Stage, defect?: QueueDefect): Fleet {
  stage.renew();
  const { clock } = stage;
  const database = new SimulatedDatabase(clock);
  const queue = new SimulatedQueue(clock, defect);
  const files = new SimulatedFiles(clock);
  const plans = simulatedPlans();
  let cut = 0;
  const fault = (): 'unreachable' | undefined => (cut-- > 0 ? 'unreachable' : undefined);
  const shared = (
    stateDir: string,
    ask: Ask,
  ): { store: ReturnType<typeof sharedStore>; jobs: Jobs } => {
    const runs = gated(database.connect(fault), ask);
    const store = sharedStore({
      stateDir,
      runs,
      files: gated(files.connect(), ask),
      name: 'simulated',
      lease,
      clock: clock as Clock,
      guard: noGuard,
      every: () => () => undefined,
    });
    const own = gated(queue.connect(fault), ask, ['wake']);
    return { store, jobs: { queue: own, runs, plans, lease, close: async () => undefined } };
  };
  const machine = (text: string): Desk =>
    new Desk({
      stage,
      files: { 'deskhand.yaml': config, 'ladder.yaml': text, 'single.yaml': single },
      env: { DB: 'postgres://127.0.0.1:1/none' },
      wrap: (transport) => transport,
      shared,
      pollMs: 3,
      isShared: false,
    });
  const machines = [
    machine(ladder),
    machine(ladder),
    machine(ladder.replace('38000', '36000')),
  ] as const;
  const uid = stage.accounts[0]?.uid ?? '';
  return {
    machines: [...machines],
    queue: queue.connect(),
    entriesOf: (run) => storedTail(run, database.connect()).added(),
    placed: (name) => {
      const { open, closed } = Object(stage.sandbox.control('GET', 'orders', { uid }));
      const isOf = ({ price }: { readonly price: string }): boolean =>
        Number(price) === 37_000 ? name === 'single' : name === 'ladder';
      return [...open, ...closed].filter(isOf).length;
    },
    cut: (questions) => (cut = questions),
    close: () => {
      for (const each of machines) each.close();
    },
  };
}

/** Every method is an act of its process, but those that only wait. */
function gated<T extends object>(one: T, ask: Ask, waits: readonly string[] = []): T {
  return Object.fromEntries(
    Object.entries(one).map(([name, method]) =>
      waits.includes(name) || typeof method !== 'function'
        ? [name, method]
        : [name, (...args: unknown[]) => ask(() => method(...args))],
    ),
  ) as T; // eslint-disable-line
}
