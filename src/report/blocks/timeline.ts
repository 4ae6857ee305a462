/** The timeline of a run as data: a row for each step and item, with requests, waits and pauses. */
import type { Millis } from '../../base/clock.ts';
import { count, plainText, spoken, moreText } from '../../base/text.ts';
import { onAccounts } from '../accounts.ts';
import { axisStepOf, axisTicksOf, type AxisTick } from '../axis-ticks.ts';
import { spansOf, type Span, type SpanKind } from '../spans.ts';
import type { StepLine } from '../step-lines.ts';
import type { ActionStory, StepStory, Story } from '../story.ts';
import type { Summary } from '../summary.ts';
import { elapsedOf, extentOf, type Elapsed, type Extent } from '../timing.ts';
import { stateWord } from '../states.ts';
import { waitPhrases } from '../waits.ts';
import type { ActionState } from '../words.ts';

/** A timeline. All times are relative to the start of the run, without the pauses between its attempts. */
export interface Timeline {
  readonly whole: Millis;
  /** The length of time between two ticks of the axis. */
  readonly step: Millis;
  readonly ticks: readonly AxisTick[];
  readonly resumed: readonly Millis[];
  readonly rows: readonly TimelineRow[];
  /** The kinds of spans in the timeline, in the order of a legend. */
  readonly kinds: readonly SpanKind[];
}

export interface TimelineRow {
  /** The level of the row; `more` is a number of items without a row. */
  readonly level: 'step' | 'item' | 'more';
  readonly state: string;
  readonly name: string;
  readonly uses: string;
  readonly note: string;
  /** The content of the row as text for screen readers. */
  readonly reading: string;
  /** Whether anything was sent or waited for. */
  readonly isSent: boolean;
  /** The spans of the row; empty for a for-each, which has `extent`. */
  readonly spans: readonly Span[];
  readonly extent?: Extent;
}

export function timelineOf(story: Story, { steps, tookMs }: Summary): Timeline {
  const elapsed = elapsedOf(story);
  const scale: Scale = { elapsed, whole: Math.max(1, tookMs) };
  const used = new Set(
    story.steps.flatMap(({ actions }) =>
      actions.flatMap((action) => spansOf(action, elapsed).map(({ kind }) => kind)),
    ),
  );
  return {
    whole: scale.whole,
    step: axisStepOf(scale.whole),
    ticks: axisTicksOf(scale.whole),
    resumed: story.attempts.slice(1).map(({ from }) => elapsed(from)),
    rows: story.steps.flatMap((step, index) => stepRows(step, steps[index], scale)),
    kinds: legend.filter((kind) => used.has(kind)),
  };
}

export const kindWords: Readonly<Record<SpanKind, string>> = {
  request: 'request',
  refused: 'refused request',
  lost: 'request without a response',
  ...waitPhrases,
};

const legend: readonly SpanKind[] = [
  'request',
  'limit',
  'retry',
  'poll',
  'lost',
  'look-up',
  'refused',
];

interface Scale {
  readonly elapsed: Elapsed;
  readonly whole: Millis;
}

const itemsMax = 12; // rows of one step; of longer ones only the notable ones

function stepRows(step: StepStory, line: StepLine | undefined, scale: Scale): TimelineRow[] {
  const head = stepRow(step, line, scale);
  if (!step.isForEach) return [head];
  const notable = step.actions.length <= itemsMax ? step.actions : step.actions.filter(isNotable);
  const shown = notable.slice(0, itemsMax);
  const rest = step.actions.length - shown.length;
  const states = new Map(line?.items.map((item) => [item.address, item]));
  const items = shown.map((action) =>
    itemRow(action, states.get(plainText(action.address, 120)), scale),
  );
  return [head, ...items, ...(rest === 0 ? [] : [moreRow(rest)])];
}

function moreRow(rest: number): TimelineRow {
  const name = moreText(rest);
  return { ...empty, level: 'more', state: 'not-sent', name, note: '', reading: '' };
}

const empty = { uses: '', isSent: false, spans: [] } as const;

/** Whether an item waited, was retried or did not succeed. */
function isNotable({ waits, outcome }: ActionStory): boolean {
  return waits.length > 0 || (outcome !== undefined && outcome.kind !== 'done');
}

function stepRow(step: StepStory, line: StepLine | undefined, scale: Scale): TimelineRow {
  const spans = step.actions.flatMap((action) => spansOf(action, scale.elapsed));
  const extent = step.isForEach ? extentOf(step.actions, scale.elapsed) : undefined;
  return {
    level: 'step',
    state: line?.status ?? 'not-sent',
    name: `${line?.id ?? ''}${onAccounts(line ? [line] : [])}`,
    uses: line?.uses ?? '',
    note: noteOf(line, spans),
    reading: readingOf(spans, scale),
    isSent: spans.length > 0,
    spans: step.isForEach ? [] : spans,
    ...(extent && { extent }),
  };
}

function itemRow(
  action: ActionStory,
  item: StepLine['items'][number] | undefined,
  scale: Scale,
): TimelineRow {
  const spans = spansOf(action, scale.elapsed);
  const state = item?.state ?? 'not-sent';
  const time = spans.length === 0 ? undefined : spoken(item?.ms ?? 0);
  const words = [outcomeWord(action, state), time, ...waitsWords(spans)];
  return {
    level: 'item',
    state,
    name: `${item?.what ?? ''}${onAccounts(item ? [item] : [])}`,
    uses: '',
    note: words.filter((word) => word !== undefined).join(' · '),
    reading: readingOf(spans, scale),
    isSent: spans.length > 0,
    spans,
  };
}

function outcomeWord({ outcome }: ActionStory, state: ActionState): string | undefined {
  if (state !== 'done') return state === 'found' ? 'from the ledger' : stateWord(state);
  const evidence = outcome?.kind === 'done' ? outcome.evidence : undefined;
  if (evidence === 'by-person') return 'a person says';
  if (evidence === 'from-plan') return 'from the plan';
  return evidence === 'looked-up' ? 'looked up' : undefined;
}

function noteOf(line: StepLine | undefined, spans: readonly Span[]): string {
  if (line === undefined || line.status === 'not-sent') return 'not sent';
  const words = [
    spoken(line.ms),
    line.detail,
    ...(line.items.length === 0 ? waitsWords(spans) : []),
  ];
  return words.filter((word) => word !== '').join(' · ');
}

function waitsWords(spans: readonly Span[]): string[] {
  const words: string[] = [];
  const total = (kind: SpanKind): Millis =>
    spans.reduce((sum, span) => (span.kind === kind ? sum + span.to - span.from : sum), 0);
  const times = (kind: SpanKind): number => spans.filter((span) => span.kind === kind).length;
  if (times('limit') > 0) words.push(`waited ${spoken(total('limit'))} for a slot`);
  if (times('retry') > 0) words.push(count(times('retry'), 'retry', 'retries'));
  if (times('poll') > 0) words.push(`asked ${count(times('poll') + 1, 'time')}`);
  if (times('look-up') > 0) words.push(count(times('look-up'), 'look-up'));
  return words;
}

function readingOf(spans: readonly Span[], { whole }: Scale): string {
  if (spans.length === 0) return 'nothing was sent';
  const first = spans[0]?.from ?? 0;
  const last = spans.reduce((latest, { to }) => Math.max(latest, to), 0);
  const kinds = [...new Set(spans.map(({ kind }) => kind))].map((kind) => kindWords[kind]);
  return `from ${spoken(first)} to ${spoken(Math.min(last, whole))}: ${kinds.join(', ')}`;
}
