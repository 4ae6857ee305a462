/** Replays a recorded run offline: the interpreter with the journal's responses. */
import type { Clock } from '../../base/clock.ts';
import { InternalError } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import type { Entry } from '../journal/entry.ts';
import { decisionsIn } from '../journal/decisions.ts';
import { beginningIn } from '../plan/call.ts';
import { LimitTracker } from '../plan/limit-tracker.ts';
import type { Value } from '../../language/expression/value.ts';
import type { Playbook } from '../../language/playbook.ts';
import type { Durable } from '../interpreter/durable.ts';
import { interpreterOf, type Interpreter } from '../interpreter/interpret.ts';
import type { RunJobs } from '../interpreter/jobs.ts';
import type { StepResult } from '../interpreter/outcome.ts';
import { embeddedEngine, type Engine } from './embedded.ts';
import { memoryJournal } from './memory.ts';
import {
  lastAttempt,
  recordedEffects,
  wholeEnd,
  type Difference,
  type RecordedJobs,
} from './recorded-effects.ts';

export interface PlaybackOptions {
  /** Parsed again from the text recorded at the run's start. */
  readonly playbook: Playbook;
  readonly inputs: Readonly<Record<string, Value>>;
  /** All entries of the journal. */
  readonly entries: readonly Entry[];
  readonly clock: Clock;
}

/**
 * Replays and compares. Reads no file, makes no requests, sends nothing.
 * @throws InternalError for a journal that does not start with the start of a run
 */
export async function playAgain(options: PlaybackOptions): Promise<readonly Difference[]> {
  const differences: Difference[] = [];
  const { recorded, played, interpreter, engine } = playbackOf(options, (difference) =>
    differences.push(difference),
  );
  const { status, exit, outputs } = await interpreter.main(withRecordedTime(engine.durable));
  await engine.record({ kind: 'finished', status, exit, outputs });
  return [...differences, ...compared(recorded, played)];
}

/**
 * The results of the steps of a run, as it recorded them, also of those beside or after one that failed: what ran at
 * the same time has no order in a record. A step that was not reached may be among them. Reads no file, makes no
 * requests, sends nothing.
 */
export async function recordedResults(
  options: PlaybackOptions,
): Promise<ReadonlyMap<string, StepResult>> {
  const { interpreter, engine } = playbackOf(options, () => undefined, true);
  const { results } = await interpreter.walk(withRecordedTime(engine.durable));
  return results;
}

interface Playback {
  readonly recorded: readonly Entry[];
  /** The entries that the replayed run records. */
  readonly played: readonly Entry[];
  readonly interpreter: Interpreter;
  readonly engine: Engine<RecordedJobs>;
}

function playbackOf(
  options: PlaybackOptions,
  report: (difference: Difference) => void,
  isReading = false,
): Playback {
  const { playbook, inputs, clock } = options;
  const recorded = toItsEnd(options.entries);
  const [started] = recorded;
  if (started?.kind !== 'started') throw new InternalError('a journal starts with `started`');
  const { destination, accounts = [], time, scheduledFor, run: runId, reused } = started;
  const played: Entry[] = [];
  const never = new AbortController().signal;
  const interpreter = interpreterOf({
    playbook: { ...playbook, steps: playbook.steps.filter(wasTouched(recorded)) },
    inputs,
    runId,
    destination,
    time,
    scheduledFor,
    accounts: accounts.map((other) => ({ destination: other })),
    sent: new Map(),
    limits: new LimitTracker({}, { at: time }),
    reused,
    decisions: decisionsIn(beforeLastAttempt(recorded)),
    began: beginningIn(recorded),
    isReading,
    drain: never,
  });
  const { child } = interpreter;
  const engine = embeddedEngine<RecordedJobs>({
    runId,
    journal: memoryJournal(clock, played),
    earlier: [],
    effects: recordedEffects(recorded, report),
    body: (durable, plan, input) => child(withRecordedTime(durable), plan, input),
    clock,
    time: () => Promise.resolve(time),
    drain: never,
    halt: never,
    onEntry: () => undefined,
  });
  return { recorded, played, interpreter, engine };
}

/** An engine on which waits end immediately, with their recorded duration. */
function withRecordedTime(durable: Durable<RecordedJobs>): Durable<RunJobs> {
  return { ...durable, sleep: (key) => durable.start(key, 'wait', null) };
}

/** A person's statement after the last record of a run is not replayed. */
function toItsEnd(entries: readonly Entry[]): readonly Entry[] {
  const last = entries.findLastIndex(({ kind }) => kind === 'finished');
  const hasGoneOn = entries.slice(last + 1).some(({ kind }) => kind === 'resumed');
  return last === -1 || hasGoneOn ? entries : entries.slice(0, last + 1);
}

/** Whether the run touched a step: a run of selected steps has the others only in its text. */
function wasTouched(recorded: readonly Entry[]): (step: { readonly id: string }) => boolean {
  const ids = new Set(
    recorded.flatMap((entry) => {
      if (entry.kind === 'started') return entry.steps.map(({ id }) => id);
      return entry.kind === 'closed' ? [entry.step] : [];
    }),
  );
  return ({ id }) => ids.has(id);
}

/** The entries before the last attempt of the run. */
function beforeLastAttempt(recorded: readonly Entry[]): readonly Entry[] {
  return recorded.slice(
    0,
    Math.max(
      0,
      recorded.findLastIndex(({ kind }) => kind === 'resumed'),
    ),
  );
}

function compared(recorded: readonly Entry[], played: readonly Entry[]): Difference[] {
  const isWhole = wholeEnd(recorded) !== undefined;
  const end = played.at(-1);
  // Without a recorded response the run does not reach its rest: this is reported once, not for every step.
  const isLost = isWhole && end?.kind === 'finished' && end.status === 'interrupted';
  const rest = [traitsOfSteps, traitsOfExpectations, ...(isWhole ? [traitsOfEnd] : [])];
  const items = sidesOf(traitsOfItems, recorded, played);
  if (isLost) return differencesOf({ ...items, was: onlyIn(items.is, items.was) }, false);
  return [items, ...rest.map((traits) => sidesOf(traits, recorded, played))].flatMap((sides) =>
    differencesOf(sides, isWhole),
  );
}

function onlyIn(other: Traits, traits: Traits): Traits {
  return new Map([...traits].filter(([at]) => other.has(at)));
}

function sidesOf(
  traits: (entries: readonly Entry[]) => Traits,
  recorded: readonly Entry[],
  played: readonly Entry[],
): Sides {
  return { was: traits(lastAttempt(recorded)), ever: traits(recorded), is: traits(played) };
}

/** The properties to compare, each with its text. */
type Traits = ReadonlyMap<string, string>;

interface Sides {
  readonly was: Traits;
  /** A result of an earlier attempt that was not repeated. */
  readonly ever: Traits;
  readonly is: Traits;
}

function differencesOf({ was, ever, is }: Sides, isWhole: boolean): Difference[] {
  const places = [...was.keys(), ...[...is.keys()].filter((at) => isWhole && !was.has(at))];
  return places.flatMap((at) => {
    const [before = 'nothing', now = 'nothing'] = [was.get(at) ?? ever.get(at), is.get(at)];
    return before === now ? [] : [{ at, was: before, is: now }];
  });
}

function traitsOfSteps(entries: readonly Entry[]): Traits {
  return new Map(
    entries.flatMap((entry) =>
      entry.kind === 'closed' && entry.status !== 'interrupted' ? [[entry.step, entry.status]] : [],
    ),
  );
}

function traitsOfItems(entries: readonly Entry[]): Traits {
  return new Map(
    entries.flatMap((entry) =>
      entry.kind === 'opened' && entry.items
        ? [[`items of ${entry.step}`, textOf(entry.items)]]
        : [],
    ),
  );
}

function traitsOfExpectations(entries: readonly Entry[]): Traits {
  return new Map(
    entries.flatMap((entry) =>
      entry.kind === 'unmet' ? [[`${entry.address}, line ${entry.line}`, entry.message]] : [],
    ),
  );
}

function traitsOfEnd(entries: readonly Entry[]): Traits {
  const last = entries.at(-1);
  if (last?.kind !== 'finished') return new Map();
  const { status, exit, outputs } = last;
  return new Map([
    ['run', `${status}, exit ${exit}`],
    ['outputs', textOf(outputs)],
  ]);
}

function textOf(value: Json): string {
  return JSON.stringify(value);
}
