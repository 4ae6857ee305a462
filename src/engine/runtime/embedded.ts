/** The engine inside the process: an interpreter's port over any journal. */
import { setMaxListeners } from 'node:events';
import type { Clock, Millis } from '../../base/clock.ts';
import { digestOf, type Json } from '../../base/json.ts';
import type { Attempt, Effect, Effects } from '../effects/effect.ts';
import { unrecorded } from '../journal/doubt.ts';
import type { Entry, Event, Outcome } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import { longRecord } from '../journal/record-bound.ts';
import { isSaidAbsent, provenAt, replay, type Proven, type Replay } from '../journal/replay.ts';
import type { Body, Durable, Handle, Jobs, TaskEnd } from '../interpreter/durable.ts';
import { abandonedIn } from '../interpreter/outcome.ts';
import { done } from './done.ts';
import { fullRecord } from './full-record.ts';
import { requireJson } from './plain.ts';
import { RecordedTime } from './recorded-time.ts';
import { Recorder } from './recorder.ts';
import { ReusedKeyError } from './reused.ts';
import { Signals } from './signals.ts';
import { endOf, TaskRegistry } from './task-registry.ts';

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
  /** Called with every entry, in order, after it is on the disk. */
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
  /** Ends the run: results of pending attempts are ignored. */
  readonly end: () => void;
}

export function embeddedEngine<J extends Jobs>(options: EngineOptions<J>): Engine<J> {
  const { drain, halt, earlier } = options;
  const tasks = new TaskRegistry([drain, halt]);
  const recorder = new Recorder(options, (error) => tasks.breakOff(error));
  const signals = new Signals(earlier, recorder, tasks);
  const executor = new TaskExecutor(options, { tasks, recorder, signals });
  return {
    durable: executor.durable(''),
    entries: recorder.entries,
    caughtUp: () => recorder.caughtUp(),
    record: (event) => recorder.record(event),
    deliver: (name, payload) => signals.deliver(name, payload),
    end: () => recorder.end(),
  };
}

/** The state that the tasks of a run share. */
interface Shared {
  readonly tasks: TaskRegistry;
  readonly recorder: Recorder;
  readonly signals: Signals;
}

/** An effect to execute. */
interface EffectTask<I> {
  readonly key: string;
  /** The digest of the effect and its input; `former` is that of older versions. */
  readonly of: string;
  readonly former: string | undefined;
  readonly effect: Effect<I>;
  readonly input: I;
}

/** Executes the tasks of a run that its journal does not prove to be done. */
class TaskExecutor<J extends Jobs> {
  readonly #options: EngineOptions<J>;
  readonly #tasks: TaskRegistry;
  readonly #recorder: Recorder;
  readonly #signals: Signals;
  readonly #time: RecordedTime;
  readonly #known: Replay;
  /** Aborted when tasks no longer wait for a time or a signal. */
  readonly #stopped: AbortSignal;

  constructor(options: EngineOptions<J>, { tasks, recorder, signals }: Shared) {
    const { drain, halt, earlier } = options;
    this.#options = options;
    this.#tasks = tasks;
    this.#recorder = recorder;
    this.#signals = signals;
    this.#time = new RecordedTime(options, recorder);
    this.#known = replay(earlier);
    this.#stopped = AbortSignal.any([drain, halt, tasks.broken]);
    setMaxListeners(0, drain, halt, this.#stopped); // each item in progress listens, and there may be many
  }

  /** The port for a body whose keys have a prefix. */
  durable(prefix: string): Durable<J> {
    const { runId } = this.#options;
    return {
      runId: prefix === '' ? runId : `${runId}/${prefix.slice(0, -1)}`,
      first: (handles) => this.#tasks.first(handles),
      all: (handles) => this.#tasks.all(handles),
      emit: (event) => this.#recorder.noteLater(event),
      start: (name, effect, input) => this.#start(`${prefix}${name}`, effect, input),
      child: (name, plan, input) => this.#child(`${prefix}${name}`, plan, input),
      sleep: (name, ms) => this.#sleep(`${prefix}${name}`, ms),
      now: (name) => this.#now(`${prefix}${name}`),
      signal: (name) => this.#signals.wait(name, this.#stopped),
    };
  }

  #start<N extends keyof J & string>(key: string, effectName: N, input: J[N]): Handle {
    requireJson(input, key);
    const effect = this.#options.effects[effectName];
    const of = digestOfJob([effectName, effect.inputKey?.(input) ?? input]);
    const former = effect.formerly && digestOfJob([effectName, effect.formerly(input)]);
    return this.#tasks.begin(key, of, () =>
      this.#executeEffect({ key, of, former, effect, input }),
    );
  }

  #child(key: string, plan: Json, input: Json): Handle {
    requireJson([plan, input], key);
    const of = digestOfJob([plan, input]);
    const body = (): Promise<TaskEnd> => this.#options.body(this.durable(`${key}/`), plan, input);
    return this.#tasks.begin(key, of, () => this.#unlessDone(key, of, body), 'waits');
  }

  #sleep(key: string, ms: Millis): Handle {
    const sleep = (): Promise<Outcome> => this.#time.sleep(key, ms, this.#stopped);
    return this.#tasks.begin(key, 'sleep', () => this.#unlessDone(key, 'sleep', sleep));
  }

  #now(key: string): Handle {
    return this.#tasks.begin(`${key} now`, 'now', async () => done(await this.#time.now(key)));
  }

  async #executeEffect<I>(task: EffectTask<I>): Promise<TaskEnd> {
    const { key, of, former, effect, input } = task;
    const before = provenAt(this.#known, key);
    if (before.of !== former) refuseOther(key, before, of);
    const attempt = this.#attemptOf(task, before);
    const kept = isDoneAgain(effect, before) ? undefined : keptOf(before);
    if (kept !== undefined) await effect.confirm?.(input, kept, attempt);
    const end =
      kept ??
      (await this.#settle(
        key,
        of,
        async () =>
          fullRecord(key, before, this.#recorder.length) ??
          this.#briefly(effect, input, await this.#execute(effect, input, attempt)),
        (outcome) => effect.isSyncedLater?.(outcome, input) ?? false,
      ));
    if (end.kind !== 'interrupted') await effect.cleanup?.(input, end, attempt);
    return end;
  }

  #attemptOf({ key, of }: Pick<EffectTask<unknown>, 'key' | 'of'>, before: Proven): Attempt {
    return {
      key,
      before,
      signal: this.#options.halt,
      stopped: this.#stopped,
      note: (event) => this.#recorder.note(event.kind === 'intended' ? { ...event, of } : event),
      noteLater: (event) => this.#recorder.noteLater(event),
    };
  }

  async #execute<I>(effect: Effect<I>, input: I, attempt: Attempt): Promise<TaskEnd> {
    if (effect.class === 'once' && isOpen(attempt.before)) return unrecorded();
    // What the effect shows to others must not be lost afterwards.
    if (effect.isSyncedLater === undefined) await this.#recorder.flush();
    const { drain } = this.#options;
    return drain.aborted ? { kind: 'interrupted' } : effect.execute(input, attempt);
  }

  #briefly<I>({ brief }: Effect<I>, input: I, end: TaskEnd): TaskEnd {
    const isLong = this.#recorder.length >= longRecord;
    return isLong && brief !== undefined && end.kind === 'done' ? brief(end, input) : end;
  }

  /** Executes work that is not an effect, unless its result is recorded. */
  async #unlessDone(key: string, of: string, work: () => Promise<TaskEnd>): Promise<TaskEnd> {
    const before = provenAt(this.#known, key);
    refuseOther(key, before, of);
    return before.outcome?.kind === 'done' ? before.outcome : this.#settle(key, of, work);
  }

  /** Executes a task that was never done, and records its outcome, including a failure. */
  async #settle(
    key: string,
    of: string,
    work: () => Promise<TaskEnd>,
    mayWait: (outcome: Outcome) => boolean = () => false,
  ): Promise<TaskEnd> {
    const { drain, halt } = this.#options;
    const end = await work().catch((error: unknown) => endOf(error, [drain, halt]));
    requireJson(end, key);
    if (end.kind === 'interrupted') return end;
    const settled: Event = { kind: 'settled', address: key, outcome: end, of };
    if (mayWait(end)) this.#recorder.noteLater(settled);
    else await this.#recorder.note(settled);
    return end;
  }
}

/**
 * Whether a task that is done is executed again: a read whose result stopped the run is read again by a
 * resume.
 */
function isDoneAgain(
  { isFresh, isReadAgain }: Pick<Effect<never>, 'isFresh' | 'isReadAgain'>,
  { isUnmet }: Proven,
): boolean {
  return isFresh === true || (isReadAgain === true && isUnmet === true);
}

/** The outcome of a write that is not executed again: it is done, or a person abandoned it. */
function keptOf({ outcome }: Proven): Outcome | undefined {
  return outcome?.kind === 'done' || abandonedIn(outcome) !== undefined ? outcome : undefined;
}

/** Whether a write may have been executed, as far as known from the exchange and people. */
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
