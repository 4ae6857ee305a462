/** The engine inside the process: an interpreter's port over any journal. */
import { setMaxListeners } from 'node:events';
import type { Clock, Millis } from '../../base/clock.ts';
import { digestOf, type Json } from '../../base/json.ts';
import type { Attempt, Effect, Effects } from '../effects/effect.ts';
import { unrecorded } from '../journal/doubt.ts';
import type { Entry, Event, Outcome } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import { isSaidAbsent, provenAt, replay, type Proven } from '../journal/replay.ts';
import {
  InterruptedError,
  type Body,
  type Durable,
  type TaskEnd,
  type Jobs,
} from '../interpreter/durable.ts';
import { abandonedIn } from '../interpreter/outcome.ts';
import { endOf, taskRegistry } from './task-registry.ts';
import { requireJson } from './plain.ts';
import { ReusedKeyError } from './reused.ts';

export interface EngineOptions<J extends Jobs> {
  readonly runId: string;
  readonly journal: Journal;
  /** Entries of the journal if the run is resumed; empty for a new one. */
  readonly earlier: readonly Entry[];
  readonly effects: Effects<J>;
  /** The body that children run. */
  readonly body: Body<J>;
  readonly clock: Clock;
  /** The time that `now` returns. */
  readonly time: (signal: AbortSignal) => Promise<Millis>;
  /** Aborted when nothing new may start. */
  readonly drain: AbortSignal;
  /** Aborted when responses are no longer awaited. */
  readonly halt: AbortSignal;
  /** Called with every entry, in order, when it is on the disk. */
  readonly onEntry: (entry: Entry) => void;
}

export interface Engine<J extends Jobs> {
  readonly durable: Durable<J>;
  readonly entries: readonly Entry[];
  /** Resolves when all events so far are on the disk, and in the entries. @throws DiskError */
  readonly caughtUp: () => Promise<void>;
  /** Resolves when the event is on the disk. @throws DiskError */
  record(event: Event): Promise<void>;
  /** Delivers a signal; an earlier one is kept. @throws DiskError */
  readonly deliver: (name: string, payload: Json) => Promise<void>;
  /** The run has ended: results of pending attempts are ignored. */
  readonly end: () => void;
}

export function embeddedEngine<J extends Jobs>(options: EngineOptions<J>): Engine<J> {
  const { runId, effects, body, clock, time, drain, halt } = options;
  const known = replay(options.earlier);
  const times = new Map(options.earlier.flatMap(timeIn));
  const signals = new Map(options.earlier.flatMap(signalIn));
  const entries = [...options.earlier];
  const tasks = taskRegistry([drain, halt]);
  const stopped = AbortSignal.any([drain, halt, tasks.broken]);
  setMaxListeners(0, drain, halt, stopped); // each item in progress listens, and there may be many
  let isOver = false;
  let observed: Promise<unknown> = Promise.resolve();

  const record = async (event: Event, sync?: 'later'): Promise<void> => {
    const entry = await options.journal.append(event, sync);
    entries.push(entry);
    options.onEntry(entry);
  };
  const note = (event: Event, sync?: 'later'): Promise<void> =>
    isOver ? Promise.reject(new InterruptedError()) : record(event, sync);
  /** A disk that fails meanwhile ends the run. */
  const noteLater = (event: Event): void => {
    const noted = note(event, 'later').catch(tasks.breakOff);
    observed = Promise.all([observed, noted]);
  };

  /** Executes an effect that was never done, and records its outcome, including a failure. */
  const settle = async (
    key: string,
    of: string,
    work: () => Promise<TaskEnd>,
    mayWait: (outcome: Outcome) => boolean = () => false,
  ): Promise<TaskEnd> => {
    const end = await work().catch((error: unknown) => endOf(error, [drain, halt]));
    requireJson(end, key);
    if (end.kind === 'interrupted') return end;
    const settled: Event = { kind: 'settled', address: key, outcome: end, of };
    if (mayWait(end)) noteLater(settled);
    else await note(settled);
    return end;
  };

  const execute = async <I>(effect: Effect<I>, input: I, attempt: Attempt): Promise<TaskEnd> => {
    if (effect.class === 'once' && isOpen(attempt.before)) return unrecorded();
    // What it shows to others must not be lost afterwards.
    if (effect.isSyncedLater === undefined) await options.journal.flush();
    return drain.aborted ? { kind: 'interrupted' } : effect.execute(input, attempt);
  };

  const sleep = async (key: string, ms: Millis): Promise<Outcome> => {
    const began = times.get(key);
    const left = began === undefined ? ms : Math.min(ms, began + ms - (await time(halt)));
    if (began === undefined) await mark(key, Math.max(0, ms));
    await clock.sleep(Math.max(0, left), stopped);
    return done({ waited: ms });
  };
  const mark = async (key: string, ms?: Millis): Promise<Millis> => {
    const now = times.get(key) ?? (await time(halt));
    const length = ms === undefined ? {} : { ms };
    if (!times.has(key)) await note({ kind: 'clock', address: key, time: now, ...length });
    times.set(key, now);
    return now;
  };

  const brought = async (name: string, payload: Json): Promise<Outcome> => {
    await note({ kind: 'signalled', name, payload });
    return done(payload);
  };

  const under = (prefix: string): Durable<J> => ({
    runId: prefix === '' ? runId : `${runId}/${prefix.slice(0, -1)}`,
    first: tasks.first,
    all: tasks.all,
    emit: noteLater,
    start: (name, effectName, input) => {
      const key = `${prefix}${name}`;
      requireJson(input, key);
      const effect = effects[effectName];
      const of = digestOfJob([effectName, effect.inputKey?.(input) ?? input]);
      const former = effect.formerly && digestOfJob([effectName, effect.formerly(input)]);
      return tasks.begin(key, of, async () => {
        const before = provenAt(known, key);
        if (before.of !== former) refuseOther(key, before, of);
        const attempt: Attempt = {
          key,
          before,
          signal: halt,
          note: (event) => note(event.kind === 'intended' ? { ...event, of } : event),
          noteLater,
        };
        const kept = isDoneAgain(effect, before) ? undefined : keptOf(before);
        const end =
          kept ??
          (await settle(
            key,
            of,
            () => execute(effect, input, attempt),
            (outcome) => effect.isSyncedLater?.(outcome, input) ?? false,
          ));
        if (end.kind !== 'interrupted') await effect.cleanup?.(input, end, attempt);
        return end;
      });
    },
    child: (name, plan, input) => {
      const key = `${prefix}${name}`;
      requireJson([plan, input], key);
      const of = digestOfJob([plan, input]);
      return tasks.begin(
        key,
        of,
        async () => {
          const before = provenAt(known, key);
          refuseOther(key, before, of);
          if (before.outcome?.kind === 'done') return before.outcome;
          return settle(key, of, () => body(under(`${key}/`), plan, input));
        },
        'waits',
      );
    },
    sleep: (name, ms) => {
      const key = `${prefix}${name}`;
      return tasks.begin(key, 'sleep', async () => {
        const before = provenAt(known, key);
        refuseOther(key, before, 'sleep');
        if (before.outcome?.kind === 'done') return before.outcome;
        return settle(key, 'sleep', () => sleep(key, ms));
      });
    },
    now: (name) => {
      const key = `${prefix}${name}`;
      return tasks.begin(`${key} now`, 'now', async () => done(await mark(key)));
    },
    signal: (name) =>
      tasks.begin(
        `signal ${name}`,
        name,
        () => signals.get(name) ?? untilAborted(stopped),
        'waits',
      ),
  });

  return {
    durable: under(''),
    entries,
    caughtUp: async () => {
      const noted = observed; // nobody may sync what is noted from now on
      await options.journal.flush();
      await noted;
    },
    record,
    deliver: async (name, payload) => {
      requireJson(payload, name);
      if (signals.has(name)) return;
      const noted = brought(name, payload);
      signals.set(name, noted);
      tasks.complete(`signal ${name}`, await noted);
    },
    end: () => {
      isOver = true;
    },
  };
}

function done(output: Json): Outcome {
  return { kind: 'done', output, evidence: 'answered' };
}

/** A read whose result stopped the run is not done: a resume reads again. */
function isDoneAgain(
  { isFresh, isReadAgain }: Pick<Effect<never>, 'isFresh' | 'isReadAgain'>,
  { isUnmet }: Proven,
): boolean {
  return isFresh === true || (isReadAgain === true && isUnmet === true);
}

/** What is not executed again: it is done, or a person abandoned it. */
function keptOf({ outcome }: Proven): Outcome | undefined {
  return outcome?.kind === 'done' || abandonedIn(outcome) !== undefined ? outcome : undefined;
}

/** It may have been executed, as far as known from the exchange and people. */
function isOpen({ openSince, outcome, unreported }: Proven): boolean {
  const mayBe = openSince.length > 0 || unreported?.forgets === true;
  return mayBe && !isSaidAbsent(outcome);
}

function refuseOther(key: string, before: Proven, of: string): void {
  if (before.of !== undefined && before.of !== of) throw new ReusedKeyError(key);
}

function digestOfJob(job: unknown): string {
  return digestOf(job).slice(0, 16);
}

function timeIn(entry: Entry): [string, Millis][] {
  return entry.kind === 'clock' ? [[entry.address, entry.time]] : [];
}

function signalIn(entry: Entry): [string, Promise<Outcome>][] {
  return entry.kind === 'signalled' ? [[entry.name, Promise.resolve(done(entry.payload))]] : [];
}

/** Ends without a result when responses are no longer awaited. */
function untilAborted(signal: AbortSignal): Promise<TaskEnd> {
  return new Promise((resolve) => {
    const end = (): void => resolve({ kind: 'interrupted' });
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
