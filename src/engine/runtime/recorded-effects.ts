/** Effects that return what a run recorded, and the end of that run. */
import { exits } from '../../base/error.ts';
import { digestOf, type Json } from '../../base/json.ts';
import type { Effect } from '../effects/effect.ts';
import { InterruptedError } from '../interpreter/durable.ts';
import type { ApprovalJob, RunJobs, StepJob, WriteJob } from '../interpreter/jobs.ts';
import type { Entry, Event, Outcome } from '../journal/entry.ts';
import { provenAt, replay } from '../journal/replay.ts';

/** A difference from the recorded run. */
export interface Difference {
  /** A step, an action, or `run`. */
  readonly at: string;
  readonly was: string;
  readonly is: string;
}

type EntryOf<K extends Event['kind']> = Extract<Entry, { readonly kind: K }>;

export type RecordedJobs = RunJobs & { readonly wait: Json };

/** Effects that return the recorded results. */
export function recordedEffects(
  recorded: readonly Entry[],
  report: (difference: Difference) => void,
): { readonly [N in keyof RecordedJobs]: Effect<RecordedJobs[N]> } {
  const outcomeAt = outcomesOf(recorded, report);
  const step: Effect<StepJob | ApprovalJob | Json> = {
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
    approve: step,
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

/**
 * The end of a run that was not interrupted. One that was interrupted while the outcome of a write was
 * open has finished in doubt: no step that ended tells so.
 */
export function wholeEnd(recorded: readonly Entry[]): EntryOf<'finished'> | undefined {
  const last = recorded.at(-1);
  if (last?.kind !== 'finished' || last.status === 'interrupted') return undefined;
  const statuses = lastAttempt(recorded).flatMap((entry) =>
    entry.kind === 'closed' ? [entry.status] : [],
  );
  const isOpen = last.status === 'doubt' && !statuses.includes('doubt');
  return isOpen || statuses.includes('interrupted') ? undefined : last;
}

/** The last attempt of the run: before it, steps may have ended differently. */
export function lastAttempt(recorded: readonly Entry[]): readonly Entry[] {
  return recorded.slice(recorded.findLastIndex(({ kind }) => kind === 'resumed') + 1);
}

function textOf(value: Json): string {
  return JSON.stringify(value);
}
