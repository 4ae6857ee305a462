/** A run as spans of a trace: a span for each attempt, its steps, and their requests. */
import type { Millis } from '../../base/clock.ts';
import { plainText } from '../../base/text.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { stepOf } from '../step-of.ts';
import { requestSpan, waitEvent, type Request, type Wait } from './request-span.ts';
import { spanIdOf, type Span } from './span.ts';
import { stateWord } from '../states.ts';

type EntryOf<K extends Entry['kind']> = Extract<Entry, { readonly kind: K }>;

const spansMax = 20_000; // of an attempt; a span in memory and on the wire takes about 1 KB

/**
 * The spans of the last attempt of a run, and of earlier attempts that have no end: their process crashed,
 * and could not send them. Ids are derived from the run, so that all machines agree.
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

/** The entries of each attempt of a run: a resume starts another one. */
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
    ...(isFailed && { error: stateWord(finished.status) }),
  };
  return [own, ...spans];
}

interface Parent {
  readonly traceId: string;
  readonly parentSpanId: string;
  readonly started: EntryOf<'started'>;
  readonly number: number;
}

/** The spans of steps and their requests, up to `spansMax`. */
function childrenOf(entries: readonly Entry[], parent: Parent): Children {
  const builder = new SpanBuilder(parent);
  for (const entry of entries) builder.add(entry);
  return builder.end(extentOf(entries).to);
}

interface Children {
  readonly spans: readonly Span[];
  readonly dropped: number;
}

/** Builds the spans of one attempt from its entries, in order. */
class SpanBuilder {
  readonly #parent: Parent;
  readonly #steps = new Map<string, StepDraft>();
  /** Waits before the next request of each action. */
  readonly #waits = new Map<string, Wait[]>();
  /** Requests that have no response so far. */
  readonly #open = new Map<string, EntryOf<'intended'>>();
  readonly #requests: Span[] = [];
  #dropped = 0;

  constructor(parent: Parent) {
    this.#parent = parent;
  }

  add(entry: Entry): void {
    switch (entry.kind) {
      case 'opened':
        this.#steps.set(entry.step, draft(entry, this.#parent));
        return;
      case 'closed': {
        const step = this.#steps.get(entry.step);
        if (step) step.closed = entry;
        return;
      }
      case 'waited': {
        const waits = this.#waits.get(entry.address);
        if (waits) waits.push(entry);
        else this.#waits.set(entry.address, [entry]);
        return;
      }
      case 'intended':
        if (entry.since !== undefined) return; // another machine may have sent it
        this.#addLost(entry);
        this.#open.set(entry.address, entry);
        return;
      case 'answered':
        return this.#addRequest({ ...entry, to: entry.at, answer: entry });
      case 'settled':
        return this.#addLost(entry);
      default:
    }
  }

  /** Ends the attempt and returns its spans. @param to when the attempt ended */
  end(to: Millis): Children {
    for (const lost of this.#open.values()) this.#addRequest({ ...lost, to });
    for (const [address, left] of this.#waits) this.#stepOf(address)?.waits.push(...left);
    const steps = [...this.#steps.values()].map((step) => {
      const parentSpanId = outerStep(step.opened.step, this.#steps)?.spanId;
      return stepSpan(step, to, { ...this.#parent, ...(parentSpanId && { parentSpanId }) });
    });
    return { spans: [...steps, ...this.#requests], dropped: this.#dropped };
  }

  /** Adds the request of an action that has no response. */
  #addLost({ address, at }: EntryOf<'intended' | 'settled'>): void {
    const lost = this.#open.get(address);
    if (lost) this.#addRequest({ ...lost, to: at });
  }

  #addRequest(request: Request): void {
    const { address } = request;
    const waits = this.#waits.get(address) ?? [];
    this.#waits.delete(address);
    this.#open.delete(address);
    if (this.#requests.length >= spansMax) {
      this.#dropped++;
      return;
    }
    const parentSpanId = this.#stepOf(address)?.spanId ?? this.#parent.parentSpanId;
    this.#requests.push(requestSpan(request, waits, { ...this.#parent, parentSpanId }));
  }

  #stepOf(address: string): StepDraft | undefined {
    return this.#steps.get(stepOf(address, (id) => this.#steps.has(id)));
  }
}

/** The id of the step with the nested playbook: `desks` for `desks[a]/ladder`. A key may contain any text. */
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
  /** Waits of the action that no request followed. */
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

/** The time range of an attempt. The wall clock may jump back, but an attempt never ends before it starts. */
function extentOf(entries: readonly Entry[]): { readonly from: Millis; readonly to: Millis } {
  const from = entries[0]?.at ?? 0;
  return { from, to: entries.reduce((last, { at }) => Math.max(last, at), from) };
}
