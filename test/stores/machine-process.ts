/** What the command line does around a run, on a machine that may die at any act of its own. */
import { setImmediate } from 'node:timers/promises';
import type { Millis } from '../../src/base/clock.ts';
import type { Transport } from '../../src/exchange/api/exchange.ts';
import type { OnDoubt } from '../../src/engine/effects/effect-context.ts';
import { run } from '../../src/engine/runtime/run.ts';
import type { Entry } from '../../src/engine/journal/entry.ts';
import type { AppendFile } from '../../src/engine/journal/file.ts';
import { itself, type Journal } from '../../src/engine/journal/journal.ts';
import type { Ledger } from '../../src/engine/journal/ledger.ts';
import { createRun, openRun, readRun } from '../../src/engine/journal/runs.ts';
import { Moment } from '../../src/language/expression/value.ts';
import { resolveInputs } from '../../src/language/inputs.ts';
import type { Playbook } from '../../src/language/playbook.ts';
import { documentRenderer } from '../../src/report/renderer.ts';
import type { RunResult } from '../../src/engine/interpreter/interpret.ts';
import type { StateStore } from '../../src/stores/store.ts';
import { clientOf, destination, Crashed, type Harness } from '../support/harness.ts';
import type { Acting } from './machines.ts';

/** A line of the journal, a request, a push or a question to a shared database. */
export type Act = 'journal' | 'request' | 'push';

/** The n-th act of this kind is the last thing the machine does, or what it never comes to. */
export interface Death {
  readonly at: Act;
  readonly nth: number;
  readonly when: 'before' | 'after';
  /** Counts requests of this path alone. */
  readonly path?: string;
}

/** A process is suspended at an act, and continues with it later. */
export interface Pause extends Death {
  /** Called when it is suspended; it continues when the promise resolves. */
  readonly until: () => Promise<void>;
}

/** What a process needs of its machine. */
export interface ProcessMachine {
  readonly stateDir: string;
  storeFor(push: Acting): StateStore;
  /** Sees what its processes send; default: nothing does. */
  readonly wire?: (own: Transport) => Transport;
}

export interface ProcessOptions {
  readonly dies?: Death | undefined;
  readonly pauses?: Pause;
  readonly isResumed?: boolean;
  readonly onDoubt?: OnDoubt;
  /** Called when an outcome is known, before it is on the disk. */
  readonly onSettled?: (address: string) => void;
  readonly ledger?: Ledger;
  readonly runId?: string;
  /** Default: now. */
  readonly observedAt?: Millis;
  /** Wrapped around the wire. */
  readonly wire?: (transport: Transport) => Transport;
  /** Counts what was done; filled as it goes. */
  readonly counts?: Record<Act, number>;
}

/** Claim, journal, run, report back. @throws Died, somewhere inside, when it dies */
export async function runProcess(
  one: ProcessMachine,
  harness: Harness,
  playbook: Playbook,
  options: ProcessOptions = {},
): Promise<RunResult> {
  const { isResumed = false, onDoubt = 'resend', onSettled, runId: id = 'r-1' } = options;
  const life = lifeOf(options);
  const { wire = (transport) => transport } = options;
  const { wire: watched = (own: Transport) => own } = one;
  const exchange = clientOf(harness, (transport) => life.wire(wire(watched(transport))));
  const store = one.storeFor(life.push);
  if (isResumed) await store.sync();
  const hold = await store.claim({
    run: id,
    playbook: playbook.name,
    accounts: [destination],
    isResumed,
    now: () => exchange.serverTime(),
    observedAt: options.observedAt ?? harness.clock.now(),
  });
  const over = (file: AppendFile): AppendFile => (hold.over ?? itself)(withoutAlarm(file));
  const { journal: disk, entries: known } = isResumed
    ? await openRun(one.stateDir, id, harness.clock, [], over)
    : {
        journal: await createRun(
          one.stateDir,
          headerOf(id, playbook, harness),
          harness.clock,
          over,
        ),
        entries: [],
      };
  leftOpen.push(disk);
  const { journal, entries, unreported } = await hold.open({
    journal: life.journal(disk),
    entries: known,
  });
  const started = entries.find((entry) => entry.kind === 'started');
  const time = started?.kind === 'started' ? started.time : await exchange.serverTime();
  const result = await run({
    playbook,
    inputs: resolveInputs(playbook, new Map(), { time: new Moment(time) }).inputs,
    runId: id,
    account: { destination, exchange, onDoubt },
    journal: {
      ...journal,
      append: (event, sync) => {
        if (event.kind === 'settled') onSettled?.(event.address);
        return journal.append(event, sync);
      },
    },
    earlier: entries,
    ...(unreported && { unreported }),
    ledger: options.ledger ?? new Map(),
    clock: harness.clock,
    time,
    accounts: [],
    guards: {},
    origin: { program: 'test' },
    world: {
      workspace: harness.workspace,
      documents: documentRenderer('test'),
      secret: (name) => name,
    },
    drain: hold.lost ?? new AbortController().signal,
    halt: new AbortController().signal,
    onEntry: () => undefined,
  });
  await journal.close();
  await hold.release();
  return result;
}

/**
 * Entries that may wait are synced with the next one, not after some milliseconds: on a slow machine
 * a process would store its lines in more parts, and have more acts, than on a fast one.
 */
function withoutAlarm(file: AppendFile): AppendFile {
  return {
    write: (text) => file.write(text),
    sync: () => file.sync(),
    close: () => file.close(),
  };
}

/**
 * Journals of processes that died: they close nothing, as closing marks the end of a journal. Held
 * here, their files are closed with this process and not before.
 */
const leftOpen: Journal[] = [];

export const headerOf = (id: string, { name }: Playbook, harness: Harness) => ({
  run: id,
  playbook: name,
  destination,
  createdAt: harness.clock.now(),
  program: 'test',
});

export async function entriesOn(
  one: Pick<ProcessMachine, 'stateDir'>,
  run = 'r-1',
): Promise<readonly Entry[]> {
  return readRun(one.stateDir, run);
}

const turnsOfDisk = 40; // of the event loop

/** The acts of one process: nothing is done once it is over. */
function lifeOf({ dies, pauses, counts = noActs() }: ProcessOptions): {
  readonly journal: (own: Journal) => Journal;
  readonly wire: (own: Transport) => Transport;
  readonly push: Acting;
} {
  let isOver = false;
  let suspended: Promise<void> | undefined;
  let written: Promise<unknown> = Promise.resolve();
  const act = async <T>(kind: Act, work: () => Promise<T>, path = ''): Promise<T> => {
    const { path: counted } = dies ?? pauses ?? {};
    const isCounted = counted === undefined || path.includes(counted);
    if (isCounted) counts[kind] += 1;
    const isLast = isCounted && dies?.at === kind && dies.nth === counts[kind];
    if (isOver || (isLast && dies.when === 'before')) {
      isOver = true;
      throw new Crashed();
    }
    const isPaused = isCounted && pauses?.at === kind && pauses.nth === counts[kind];
    if (isPaused && pauses.when === 'before') suspended = pauses.until();
    await suspended;
    const done = await work();
    if (isPaused && pauses.when === 'after') suspended = pauses.until();
    await suspended;
    if (isLast) isOver = true;
    if (isOver) throw new Crashed();
    return done;
  };
  return {
    journal: (own) => ({
      append: (event, sync) => {
        // A disk is slower than what continues next to it: an entry is known long before it is there.
        const write = async (): Promise<{ readonly entry: Promise<Entry> }> => {
          for (let turn = 0; turn < turnsOfDisk; turn++) await setImmediate();
          return act('journal', async () => {
            const entry = own.append(event, sync);
            entry.catch(() => undefined); // whoever appended it hears of it
            if (sync !== 'later') await entry;
            return { entry };
          });
        };
        const writing = written.then(write);
        written = writing.catch(() => undefined);
        return writing.then(({ entry }) => entry);
      },
      length: () => own.length(),
      flush: async () => {
        await written;
        await own.flush();
      },
      close: () => own.close(),
    }),
    wire: (own) => (request, signal) => act('request', () => own(request, signal), request.path),
    push: (work) => act('push', work),
  };
}

export function noActs(): Record<Act, number> {
  return { journal: 0, request: 0, push: 0 };
}
