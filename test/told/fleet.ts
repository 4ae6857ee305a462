/** Three machines over one store: two checkouts as they should be, and one that was changed. */
import type { Entry } from '../../src/engine/journal/entry.ts';
import { UnreachableError } from '../../src/stores/store.ts';
import { storedTail } from '../../src/app/queue/stored-tail.ts';
import { Desk, type Ask, type DeskParts } from '../jobs/desk.ts';
import type { Stage } from '../jobs/stage.ts';
import { lease } from '../stores/shared/machines.ts';
import { webhook } from '../app/notification/recipients.ts';
import { limitOrder } from '../support/order.ts';
import { pagesOver, type Shown } from './pages.ts';
import { fleetStore, type Connections, type OpenFleetStore } from './store.ts';

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
  - { id: leverage, uses: futures/set-all-leverage, with: { productType: USDT-FUTURES, leverage: 5 } }
  - id: one
    uses: futures/place-order
    with:${limitOrder({ price: '37000', size: '0.001', force: 'post_only' })}
`;

/** Orders of each playbook. */
export const ordersOf = { ladder: 3, single: 1 } as const;
export type Name = keyof typeof ordersOf;
export const names: readonly Name[] = ['ladder', 'single'];

const config = `profile: main
profiles:
  main: { base-url: "http://127.0.0.1:8801", secrets: { env: MAIN }, notify: { webhook: { url: { env: HOOK } } } }
state: { store: postgres, url: { env: DB }, lease: 6s }
`;

export interface Fleet {
  /** The last one has another checkout. */
  readonly machines: readonly [Desk, Desk, Desk];
  /** The entries of a run that the database has. */
  readonly entriesOf: (run: string) => Promise<readonly Entry[]>;
  /** Orders of each playbook, as the exchange has them. */
  readonly placed: (name: Name) => number;
  /** Questions to the store get no answer, after some that do; every second one has its effect. */
  readonly cut: (questions: number, after?: number) => void;
  /** Ids of the jobs that have not ended. */
  readonly jobs: () => Promise<readonly string[]>;
  /** What the pages of the first machine show of a run. */
  readonly page: (run: string) => Promise<Shown>;
  /** Notifications since they were read last. */
  readonly notices: () => readonly NoticeJson[];
  readonly close: () => Promise<void>;
}

/** What a person is notified of. */
export interface NoticeJson {
  readonly event: string;
  readonly run?: string;
  readonly text: string;
}

export async function openFleet(stage: Stage, openStore: OpenFleetStore): Promise<Fleet> {
  stage.renew();
  const { clock } = stage;
  const [state, hook] = await Promise.all([openStore(clock), webhook()]);
  let [cut, answered] = [0, 0];
  const question = async <T>(ask: () => Promise<T>): Promise<T> => {
    await state.tick();
    answered -= 1;
    if (cut <= 0 || answered >= 0) return ask();
    cut -= 1;
    if (cut % 2 === 1) await ask();
    throw new UnreachableError('the store gave no answer', 'try again');
  };
  const shared =
    ({ runs, files, plans, queue }: Connections): NonNullable<DeskParts['shared']> =>
    (stateDir, ask) => {
      const asked: Ask = (work) => ask(() => question(work));
      const claims = gated(runs, asked);
      const store = fleetStore(stateDir, { runs: claims, files: gated(files, asked) }, clock);
      const jobs = {
        queue: gated(queue, asked, ['wake']),
        runs: claims,
        plans: gated(plans, asked),
        lease,
        close: async () => undefined,
      };
      return { store, jobs };
    };
  const machine = (text: string): Desk =>
    new Desk({
      stage,
      files: { 'deskhand.yaml': config, 'ladder.yaml': text, 'single.yaml': single },
      env: {
        DB: 'postgres://127.0.0.1:1/none',
        HOOK: `http://127.0.0.1:${hook.port}/fleet-hook-1234567890`,
      },
      wrap: (transport) => transport,
      shared: shared(state.connect()),
      pollMs: state.pollMs,
      isShared: false,
    });
  const machines = [
    machine(ladder),
    machine(ladder),
    machine(ladder.replace('38000', '36000')),
  ] as const;
  const { runs, queue } = state.connect();
  const pages = await pagesOver(machines[0], state, lease, clock);
  const uid = stage.accounts[0]?.uid ?? '';
  return {
    machines: [...machines],
    entriesOf: async (run) => {
      await state.tick();
      return storedTail(run, runs).added();
    },
    placed: (name) => {
      const { open, closed } = Object(stage.sandbox.control('GET', 'orders', { uid }));
      const isOf = ({ price }: { readonly price: string }): boolean =>
        Number(price) === 37_000 ? name === 'single' : name === 'ladder';
      return [...open, ...closed].filter(isOf).length;
    },
    cut: (questions, after = 0) => {
      [cut, answered] = [questions, after];
    },
    jobs: async () => (await queue.list()).map(({ job }) => job.id),
    page: pages.of,
    notices: () => hook.posted.splice(0).map(({ body }): NoticeJson => JSON.parse(body)),
    close: async () => {
      pages.close();
      for (const each of machines) each.close();
      hook.close();
      await state.close();
    },
  };
}

/** Every method is a question, but those that only wait, and the end of a connection, which others use. */
function gated<T extends object>(one: T, ask: Ask, waits: readonly string[] = []): T {
  return Object.fromEntries(
    Object.entries(one).map(([name, method]) => {
      if (name === 'close') return [name, async () => undefined];
      if (waits.includes(name) || typeof method !== 'function') return [name, method];
      return [name, (...args: unknown[]) => ask(() => method(...args))];
    }),
  ) as T; // eslint-disable-line
}
