/** Machines remove, resume, start and fetch runs in the middle of each other's work. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { standingClock, type StandingClock } from '../../../src/base/clock.ts';
import { DeskhandError, UsageError } from '../../../src/base/error.ts';
import { sha256 } from '../../../src/base/json.ts';
import type { Entry, Event } from '../../../src/engine/journal/entry.ts';
import { LockedError } from '../../../src/engine/journal/lock.ts';
import { emptyTrash, pruneDecisions, removeRun } from '../../../src/engine/journal/prune.ts';
import { everyName, everyRun } from '../../../src/engine/journal/run-list.ts';
import { createRun, openRun, readRun } from '../../../src/engine/journal/runs.ts';
import { HeldError, type Hold } from '../../../src/stores/store.ts';
import { account, start, wanted } from '../machines.ts';
import { lease, machineOn, type SharedMachine } from './machines.ts';
import { SimulatedDatabase, type Defect } from './simulated.ts';

const kinds = ['start', 'resume', 'prune', 'sync', 'empty', 'pass'] as const;
type Act = {
  readonly kind: (typeof kinds)[number];
  readonly machine: number;
  readonly run: number;
  /** Whether the run sends its order; otherwise it stops before. */
  readonly sends: boolean;
};

/** Another machine acts before the n-th question of this act to the database. */
type Interrupted = Act & { readonly nth: number; readonly meanwhile: readonly Act[] };

const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom(...kinds, 'prune', 'resume'),
  machine: fc.nat(2),
  run: fc.constantFrom(0, 0, 0, 1),
  sends: fc.boolean(),
});

/** A run stopped before it sent anything, and another machine has a copy of it. */
const alone = { run: 0, nth: 0, meanwhile: [] } as const;
const before: readonly Interrupted[] = [
  { ...alone, kind: 'start', machine: 0, sends: false },
  { ...alone, kind: 'sync', machine: 1, sends: false },
];

const story = fc
  .array(
    fc
      .tuple(act, fc.integer({ min: 1, max: 7 }), fc.array(act, { maxLength: 2 }))
      .map(([own, nth, meanwhile]): Interrupted => ({ ...own, nth, meanwhile })),
    { minLength: 2, maxLength: 5 },
  )
  .map((acts) => [...before, ...acts]);

const acts = (
  kind: Act['kind'],
  machine: number,
  more: Partial<Interrupted> = {},
): Interrupted => ({
  ...alone,
  kind,
  machine,
  sends: true,
  ...more,
});

/** One machine removes the run in the middle of what another does with it, and the reverse. */
const examples: [readonly Interrupted[]][] = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((nth) => {
  const [prune, resume] = [acts('prune', 2), acts('resume', 1)];
  return [
    [[...before, { ...resume, nth, meanwhile: [prune] }]],
    [[...before, { ...prune, nth, meanwhile: [resume] }]],
    [[...before, prune, acts('empty', 0), { ...resume, nth, meanwhile: [acts('pass', 0)] }]],
    [[...before, prune, acts('start', nth % 3, { run: 1 })]],
  ];
});

const text = 'playbook: 1\nname: ladder\n';
const startOf = (run: string): Event => ({
  kind: 'started',
  run,
  playbook: { name: 'ladder', file: 'ladder.yaml', text, digest: sha256(text) },
  destination: account,
  plan: 'p-1',
  inputs: {},
  time: start,
  program: 'test',
  steps: [{ id: 'order', uses: 'futures/place-order', line: 1 }],
});
const intent: Event = {
  kind: 'intended',
  address: 'order',
  operation: 'futures/place-order',
  input: {},
  identity: 'i',
  attempt: 1,
  signedAt: start,
};
const endOf = (status: 'done' | 'stopped'): Event => ({
  kind: 'finished',
  status,
  exit: status === 'done' ? 0 : 1,
  outputs: null,
});

/** Two runs of one plan, and three machines; each run has the same order to place. */
class World {
  readonly #time: StandingClock = standingClock(0);
  readonly #clock = standingClock(start);
  readonly #database: SimulatedDatabase;
  readonly #machines: readonly SharedMachine[];
  #pending: { left: number; readonly acts: readonly Act[] } | undefined;
  /** The run of each order that the exchange has. */
  readonly placed: string[] = [];
  pruned = 0;

  constructor(defect?: Defect) {
    this.#database = new SimulatedDatabase(this.#time, defect);
    const retention = this.#interrupted(this.#database.retention());
    const runs = this.#interrupted(this.#database.connect());
    this.#machines = [0, 1, 2].map(() => machineOn(() => runs, this.#clock, undefined, retention));
  }

  /** The same with what happens meanwhile. */
  #interrupted<T extends object>(port: T): T {
    return new Proxy(port, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        return async (...values: unknown[]): Promise<unknown> => {
          const pending = this.#pending;
          if (pending !== undefined && --pending.left === 0) {
            this.#pending = undefined;
            for (const each of pending.acts) await this.#attempt(each);
          }
          return Reflect.apply(method, target, values);
        };
      },
    });
  }

  async tell(acts: readonly Interrupted[]): Promise<void> {
    for (const each of acts) {
      this.#pending = { left: each.nth, acts: each.meanwhile };
      await this.#attempt(each);
      this.#pending = undefined;
    }
    this.#time.advance(lease + 1);
  }

  /** Being refused is an outcome; damage is not. */
  async #attempt(each: Act): Promise<void> {
    try {
      await this.#perform(each);
    } catch (error) {
      const isRefused = [HeldError, LockedError, UsageError].some((kind) => error instanceof kind);
      const isLost = error instanceof DeskhandError && error.code === 'locked';
      if (!isRefused && !isLost) throw error;
    }
  }

  async #perform({ kind, machine, run, sends }: Act): Promise<void> {
    const one = this.#machines[machine];
    if (one === undefined) return;
    const { stateDir } = one;
    const store = one.storeFor((work) => work()); // of another process than what it interrupts
    const id = `r-${run}`;
    switch (kind) {
      case 'start': {
        const hold = await store.claim(wanted(id, { plan: 'p-1' }));
        const header = { run: id, playbook: 'ladder', destination: account };
        const more = { createdAt: start, program: 'test' };
        await this.#inHold(
          hold,
          async () => {
            const all = { ...header, ...more };
            const journal = await createRun(stateDir, all, this.#clock, hold.over);
            return { journal, entries: [] };
          },
          id,
          sends,
        );
        return;
      }
      case 'resume': {
        await store.sync();
        const [begun] = await readRun(stateDir, id);
        if (begun === undefined) return;
        const hold = await store.claim(wanted(id, { isResumed: true }));
        await this.#inHold(
          hold,
          () => openRun(stateDir, id, this.#clock, [], hold.over),
          id,
          sends,
        );
        return;
      }
      case 'prune': {
        await store.sync();
        const { retention } = store;
        const places = await retention?.known(await everyName(stateDir));
        const placeOf = (name: string) => places?.get(name);
        const options = { before: Infinity, keep: 0, placeOf };
        for (const { header, because } of await pruneDecisions(stateDir, options)) {
          if (because !== undefined && because !== 'it is the newest with its key') continue;
          const kept = await removeRun(stateDir, header.run, retention?.remove);
          if (kept === undefined) this.pruned += 1;
        }
        await emptyTrash(stateDir);
        return;
      }
      case 'sync':
        await store.sync();
        return;
      case 'empty':
        await this.#database.retention().empty();
        return;
      case 'pass':
        this.#time.advance(lease + 1);
    }
  }

  /** Places the order once, however often the run is continued. */
  async #inHold(
    hold: Hold,
    openJournal: () => Promise<Parameters<Hold['open']>[0]>,
    run: string,
    sends: boolean,
  ): Promise<void> {
    let isOpen: { close(): Promise<void> } | undefined;
    try {
      const opened = await openJournal();
      isOpen = opened.journal;
      const { journal, entries } = await hold.open(opened);
      await journal.append(entries.length === 0 ? startOf(run) : { kind: 'resumed' });
      const isSent = entries.some(({ kind }) => kind === 'intended');
      if (sends && !isSent) {
        await journal.append(intent);
        this.placed.push(run);
      }
      await journal.append(endOf(sends ? 'done' : 'stopped'));
    } finally {
      await isOpen?.close();
      await hold.release();
    }
  }

  /** What is wrong at the end. */
  async broken(): Promise<readonly string[]> {
    const broken = this.placed.length > 1 ? [`placed by ${this.placed.join(' and ')}`] : [];
    for (const run of this.placed) {
      const isKnown = this.#database.text(run).includes('"intended"');
      const lines = await this.#database.connect().lines(run, 0);
      if (!isKnown || lines === undefined) broken.push(`the lines of ${run} are gone`);
    }
    for (const { store, stateDir } of this.#machines) {
      await store.sync();
      for (const { run } of await everyRun(stateDir)) {
        const entries: readonly Entry[] = await readRun(stateDir, run);
        if (entries.length === 0) broken.push(`${run} has no entries`);
      }
    }
    return broken;
  }
}

/** @returns what is wrong, with errors that are not refusals */
async function outcomeOf(acts: readonly Interrupted[], defect?: Defect): Promise<World | string> {
  const world = new World(defect);
  try {
    await world.tell(acts);
    const broken = await world.broken();
    return broken.length > 0 ? broken.join('; ') : world;
  } catch (error) {
    return String(error);
  }
}

const seed = 20_261_123;

test('an order is placed once, and a run that placed it is never removed', async () => {
  let pruned = 0;
  let placed = 0;
  await fc.assert(
    fc.asyncProperty(story, async (acts) => {
      const outcome = await outcomeOf(acts);
      if (!(outcome instanceof World)) throw new Error(outcome);
      pruned += outcome.pruned;
      placed += outcome.placed.length;
    }),
    { numRuns: examples.length + 30, seed, examples },
  );
  expect(pruned).toBeGreaterThan(20);
  expect(placed).toBeGreaterThan(10);
});

test.each(['prune-forgets', 'prune-taken', 'prune-unseen', 'take-pruned'] as const)(
  'the planted defect %s is noticed',
  async (defect) => {
    const check = fc.asyncProperty(story, async (acts) => {
      const outcome = await outcomeOf(acts, defect);
      if (!(outcome instanceof World)) throw new Error(outcome);
    });
    const { failed } = await fc.check(check, { numRuns: 300, seed, examples, endOnFailure: true });
    expect(failed).toBe(true);
  },
  120_000,
);
