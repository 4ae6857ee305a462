/** Replays a recorded run offline: the interpreter with the journal's responses. */
import type { Clock } from '../../base/clock.ts';
import { exits, InternalError } from '../../base/error.ts';
import { digestOf, type Json } from '../../base/json.ts';
import type { Entry, Event, Outcome } from '../journal/entry.ts';
import { decisionsIn } from '../journal/decisions.ts';
import { provenAt, replay } from '../journal/replay.ts';
import { beginningIn } from '../plan/call.ts';
import { LimitTracker } from '../plan/limit-tracker.ts';
import type { Value } from '../../language/expression/value.ts';
import type { Playbook } from '../../language/playbook.ts';
import type { Effect } from '../effects/effect.ts';
import { InterruptedError, type Durable } from '../interpreter/durable.ts';
import { interpreterOf } from '../interpreter/interpret.ts';
import type { RunJobs, StepJob, WriteJob } from '../interpreter/jobs.ts';
import { embeddedEngine } from './embedded.ts';
import { memoryJournal } from './memory.ts';

/** A difference from the recorded run. */
export interface Difference {
  /** A step, an action, or `run`. */
  readonly at: string;
  readonly was: string;
  readonly is: string;
}

export interface PlaybackOptions {
  /** Parsed again from the text recorded at the run's start. */
  readonly playbook: Playbook;
  readonly inputs: Readonly<Record<string, Value>>;
  /** All entries of the journal. */
  readonly entries: readonly Entry[];
  readonly clock: Clock;
}

type EntryOf<K extends Event['kind']> = Extract<Entry, { readonly kind: K }>;

/**
 * Replays and compares. Reads no file, makes no requests, sends nothing.
 * @throws InternalError for a journal that does not start with the start of a run
 */
export async function playAgain(options: PlaybackOptions): Promise<readonly Difference[]> {
  const { playbook, inputs, clock } = options;
  const recorded = toItsEnd(options.entries);
  const [started] = recorded;
  if (started?.kind !== 'started') throw new InternalError('a journal starts with `started`');
  const { destination, accounts = [], time, scheduledFor, run: runId } = started;
  const differences: Difference[] = [];
  const played: Entry[] = [];
  const never = new AbortController().signal;
  const { main, child } = interpreterOf({
    playbook: { ...playbook, steps: playbook.steps.filter(wasTouched(recorded)) },
    inputs,
    runId,
    destination,
    time,
    scheduledFor,
    accounts: accounts.map((other) => ({ destination: other })),
    sent: new Map(),
    limits: new LimitTracker({}, { at: time }),
    decisions: decisionsIn(beforeLastAttempt(recorded)),
    began: beginningIn(recorded),
    drain: never,
  });
  const engine = embeddedEngine<RecordedJobs>({
    runId,
    journal: memoryJournal(clock, played),
    earlier: [],
    effects: recordedEffects(recorded, (difference) => differences.push(difference)),
    body: (durable, plan, input) => child(withRecordedTime(durable), plan, input),
    clock,
    time: () => Promise.resolve(time),
    drain: never,
    halt: never,
    onEntry: () => undefined,
  });
  const { status, exit, outputs } = await main(withRecordedTime(engine.durable));
  await engine.record({ kind: 'finished', status, exit, outputs });
  return [...differences, ...compared(recorded, played)];
}

type RecordedJobs = RunJobs & { readonly wait: Json };

/** An engine on which waits end immediately, with their recorded duration. */
function withRecordedTime(durable: Durable<RecordedJobs>): Durable<RunJobs> {
  return { ...durable, sleep: (key) => durable.start(key, 'wait', null) };
}

/** Effects that return the recorded results. */
function recordedEffects(
  recorded: readonly Entry[],
  report: (difference: Difference) => void,
): { readonly [N in keyof RecordedJobs]: Effect<RecordedJobs[N]> } {
  const outcomeAt = outcomesOf(recorded, report);
  const step: Effect<StepJob | Json> = {
    class: 'read',
    execute: async (_job, { key }) => outcomeAt(key),
  };
  const write: Effect<WriteJob> = {
    class: 'read',
    execute: async ({ call }, { key }) => outcomeAt(key, call),
  };
  return {
    wait: step,
    'exchange/read': step,
    'exchange/export': step,
    'exchange/set': write,
    'exchange/keyed': write,
    'exchange/once': write,
    'report/table': step,
    'report/chart': step,
    'report/page': step,
    'notify/webhook': step,
    'shell/run': step,
  };
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

/** The outcome of an action, and whether the same request would be made now. */
function outcomesOf(
  recorded: readonly Entry[],
  report: (difference: Difference) => void,
): (address: string, call?: WriteJob['call']) => Outcome {
  const known = replay(recorded);
  const intents = lastIntents(recorded);
  const end = wholeEnd(recorded);
  return (address, call) => {
    const intent = intents.get(address);
    if (call && intent && digestOf(intent.input) !== digestOf(call.input)) {
      report({ at: address, was: textOf(intent.input), is: textOf(call.input) });
    }
    const { outcome } = provenAt(known, address);
    if (outcome !== undefined) return outcome;
    const closed = closingOf(address, recorded);
    const failed = closed && failureIn(closed, end);
    if (failed !== undefined) return failed;
    if (end !== undefined) report({ at: address, was: 'never reached', is: 'reached' });
    throw new InterruptedError();
  };
}

/** The last end of an address's step; a key may contain brackets and slashes. */
function closingOf(address: string, recorded: readonly Entry[]): EntryOf<'closed'> | undefined {
  return recorded
    .filter((entry) => entry.kind === 'closed')
    .filter(({ step }) => address === step || address.startsWith(`${step}[`))
    .toSorted((a, b) => a.step.length - b.step.length || a.seq - b.seq)
    .at(-1);
}

/** The failure of a read from the end of its step, because older records have no outcome of a failed read. */
function failureIn(
  { status, because = '' }: EntryOf<'closed'>,
  end: EntryOf<'finished'> | undefined,
): Outcome | undefined {
  if (status !== 'refused' && status !== 'failed') return undefined;
  return { kind: status, code: 'recorded', message: because, exit: end?.exit ?? exits.stopped };
}

/** The last intent of each address. */
function lastIntents(recorded: readonly Entry[]): ReadonlyMap<string, EntryOf<'intended'>> {
  return new Map(
    recorded.flatMap((entry) => (entry.kind === 'intended' ? [[entry.address, entry]] : [])),
  );
}

/** The last attempt of the run: before it, steps may have ended differently. */
function lastAttempt(recorded: readonly Entry[]): readonly Entry[] {
  return recorded.slice(recorded.findLastIndex(({ kind }) => kind === 'resumed') + 1);
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

/**
 * The end of a run that was not interrupted. One that was interrupted while the outcome of a write was
 * open has finished in doubt: no step that ended tells so.
 */
function wholeEnd(recorded: readonly Entry[]): EntryOf<'finished'> | undefined {
  const last = recorded.at(-1);
  if (last?.kind !== 'finished' || last.status === 'interrupted') return undefined;
  const statuses = lastAttempt(recorded).flatMap((entry) =>
    entry.kind === 'closed' ? [entry.status] : [],
  );
  const isOpen = last.status === 'doubt' && !statuses.includes('doubt');
  return isOpen || statuses.includes('interrupted') ? undefined : last;
}

function compared(recorded: readonly Entry[], played: readonly Entry[]): Difference[] {
  const isWhole = wholeEnd(recorded) !== undefined;
  const end = played.at(-1);
  // Without a recorded response the rest is not reached: reported once, not for every step.
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
