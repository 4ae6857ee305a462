/** A run as spans of a trace: a span for each attempt, its steps, and their requests. */
import type { Millis } from '../../base/clock.ts';
import { plainText } from '../../base/text.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { stepOf } from '../step-of.ts';
import { requestSpan, waitEvent, type Request, type Wait } from './request-span.ts';
import { spanIdOf, type Span } from './span.ts';

type EntryOf<K extends Entry['kind']> = Extract<Entry, { readonly kind: K }>;

const spansMax = 20_000; // of an attempt; a span in memory and on the wire takes about 1 KB

/**
 * The spans of the last attempt of a run, and of earlier ones that have no end: their process
 * crashed, and could not send them. Ids are derived from the run, so that all machines agree.
 * @param entries a whole journal, in order
 */
export function spansOf(entries: readonly Entry[]): Span[] {
  const [started] = entries;
  if (started?.kind !== 'started') return [];
  const attempts = attemptsIn(entries);
  const ended = attempts.findLastIndex(
    (attempt, at) => at < attempts.length - 1 && attempt.some(({ kind }) => kind === 'finished'),
  );
  return attempts
    .slice(ended + 1)
    .flatMap((attempt, at) => spansOfAttempt(attempt, ended + 1 + at, started));
}

/** A resume starts another one. */
function attemptsIn(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const attempts: Entry[][] = [];
  for (const entry of entries) {
    if (attempts.length === 0 || entry.kind === 'resumed') attempts.push([]);
    attempts.at(-1)?.push(entry);
  }
  return attempts;
}

function spansOfAttempt(
  entries: readonly Entry[],
  number: number,
  started: EntryOf<'started'>,
): Span[] {
  const { run, playbook, destination, scheduledFor } = started;
  const traceId = spanIdOf(run, 32);
  const root = spanIdOf(`${run} attempt 0`);
  const spanId = spanIdOf(`${run} attempt ${number}`);
  const extent = extentOf(entries);
  const finished = entries.findLast((entry) => entry.kind === 'finished');
  const isFailed = finished?.status === 'stopped' || finished?.status === 'doubt';
  const { spans, dropped } = childrenOf(entries, {
    traceId,
    parentSpanId: spanId,
    started,
    number,
  });
  const own: Span = {
    traceId,
    spanId,
    ...(number > 0 && { parentSpanId: root }),
    name: `${number === 0 ? 'run' : 'resume'} ${plainText(playbook.name, 80)}`,
    kind: 'internal',
    ...extent,
    attributes: {
      'deskhand.run': plainText(run, 64),
      'deskhand.playbook': plainText(playbook.name, 80),
      'deskhand.profile': plainText(destination.profile, 64),
      'deskhand.target': destination.target,
      'deskhand.attempt': number + 1,
      'deskhand.status': finished?.status ?? 'unfinished',
      ...(scheduledFor !== undefined && {
        'deskhand.scheduled_for': new Date(scheduledFor).toISOString(),
      }),
      ...(dropped > 0 && { 'deskhand.dropped_spans': dropped }),
    },
    events: [],
    ...(isFailed && { error: finished.status === 'doubt' ? 'in doubt' : 'stopped' }),
  };
  return [own, ...spans];
}

interface Parent {
  readonly traceId: string;
  readonly parentSpanId: string;
  readonly started: EntryOf<'started'>;
  readonly number: number;
}

/** Steps and their requests, up to `spansMax`. */
function childrenOf(
  entries: readonly Entry[],
  parent: Parent,
): { readonly spans: readonly Span[]; readonly dropped: number } {
  const steps = new Map<string, StepDraft>();
  const waits = new Map<string, Wait[]>();
  const open = new Map<string, EntryOf<'intended'>>();
  const requests: Span[] = [];
  let dropped = 0;
  const draftOf = (address: string): StepDraft | undefined =>
    steps.get(stepOf(address, (id) => steps.has(id)));
  const add = (request: Request): void => {
    const { address } = request;
    const own = waits.get(address) ?? [];
    waits.delete(address);
    open.delete(address);
    if (requests.length >= spansMax) dropped++;
    else {
      const parentSpanId = draftOf(address)?.spanId ?? parent.parentSpanId;
      requests.push(requestSpan(request, own, { ...parent, parentSpanId }));
    }
  };
  for (const entry of entries) {
    switch (entry.kind) {
      case 'opened':
        steps.set(entry.step, draft(entry, parent));
        break;
      case 'closed': {
        const step = steps.get(entry.step);
        if (step) step.closed = entry;
        break;
      }
      case 'waited': {
        const own = waits.get(entry.address);
        if (own) own.push(entry);
        else waits.set(entry.address, [entry]);
        break;
      }
      case 'intended': {
        if (entry.since !== undefined) break; // another machine may have sent it
        const lost = open.get(entry.address);
        if (lost) add({ ...lost, to: entry.at });
        open.set(entry.address, entry);
        break;
      }
      case 'answered':
        add({ ...entry, to: entry.at, answer: entry });
        break;
      case 'settled': {
        const lost = open.get(entry.address);
        if (lost) add({ ...lost, to: entry.at });
        break;
      }
      default:
    }
  }
  const { to } = extentOf(entries);
  for (const lost of open.values()) add({ ...lost, to });
  for (const [address, left] of waits) draftOf(address)?.waits.push(...left);
  const own = [...steps.values()].map((step) => {
    const outer = outerStep(step.opened.step, steps)?.spanId;
    return stepSpan(step, to, outer === undefined ? parent : { ...parent, parentSpanId: outer });
  });
  return { spans: [...own, ...requests], dropped };
}

/** The step with the nested playbook: `desks` for `desks[a]/ladder`. A key may contain any text. */
function outerStep(id: string, steps: ReadonlyMap<string, StepDraft>): StepDraft | undefined {
  for (let at = id.lastIndexOf('/'); at > 0; at = id.lastIndexOf('/', at - 1)) {
    const outer = steps.get(stepOf(id.slice(0, at), (known) => steps.has(known)));
    if (outer) return outer;
  }
  return undefined;
}

interface StepDraft {
  readonly opened: EntryOf<'opened'>;
  readonly spanId: string;
  closed?: EntryOf<'closed'>;
  /** Waits without a request after them. */
  readonly waits: Wait[];
}

function draft(opened: EntryOf<'opened'>, { started, number }: Parent): StepDraft {
  return {
    opened,
    spanId: spanIdOf(`${started.run} attempt ${number} step ${opened.step}`),
    waits: [],
  };
}

function stepSpan({ opened, closed, spanId, waits }: StepDraft, end: Millis, parent: Parent): Span {
  const { started, traceId, parentSpanId } = parent;
  const uses = opened.uses ?? started.steps.find(({ id }) => id === opened.step)?.uses;
  const status = closed?.status ?? 'unfinished';
  const isFailed = status === 'refused' || status === 'failed' || status === 'doubt';
  const name = plainText(opened.step, 120);
  return {
    traceId,
    spanId,
    parentSpanId,
    name: `step ${name}`,
    kind: 'internal',
    from: opened.at,
    to: Math.max(opened.at, closed?.at ?? end),
    attributes: {
      'deskhand.step': name,
      ...(uses !== undefined && { 'deskhand.uses': plainText(uses, 120) }),
      'deskhand.status': status,
      ...(opened.items && { 'deskhand.items': opened.items.length }),
    },
    events: waits.map(waitEvent),
    ...(isFailed && { error: plainText(closed?.because ?? status, 300) }),
  };
}

/** The wall clock may jump back: an attempt never ends before it starts. */
function extentOf(entries: readonly Entry[]): { readonly from: Millis; readonly to: Millis } {
  const from = entries[0]?.at ?? 0;
  return { from, to: entries.reduce((last, { at }) => Math.max(last, at), from) };
}
