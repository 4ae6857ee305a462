/** The timeline of a run as data: a row for each step and item, with requests, waits and pauses. */
import type { Millis } from '../../base/clock.ts';
import { count, plainText, spoken, moreText } from '../../base/text.ts';
import { onAccounts } from '../accounts.ts';
import { axisStepOf, axisTicksOf, type AxisTick } from '../axis-ticks.ts';
import { spansOf, type Span, type SpanKind } from '../spans.ts';
import type { StepLine } from '../step-lines.ts';
import type { ActionStory, StepStory, Story } from '../story.ts';
import type { Summary } from '../summary.ts';
import { extentsOf, lengthOf, type Extents } from '../extents.ts';
import { elapsedOf, type Elapsed, type Extent } from '../timing.ts';
import { stateWord } from '../states.ts';
import { readingOf, type Sent } from './timeline-reading.ts';
import { waitPhrases } from '../waits.ts';
import { stateOf, type ActionState } from '../words.ts';
import { placesOrders } from '../../exchange/api/meant-order.ts';

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
  /** The step or action; of `more` the step whose rows are omitted. */
  readonly address: string;
  /** The number of enclosing rows: those whose playbook or for-each the row belongs to. */
  readonly depth: number;
  readonly state: string;
  readonly name: string;
  readonly uses: string;
  readonly note: string;
  /** The content of the row as text for screen readers. */
  readonly reading: string;
  /** Whether the row has marks. */
  readonly hasMarks: boolean;
  /** The spans of requests and waits; empty for a row that has `extent`. */
  readonly spans: readonly Span[];
  /**
   * The extent from start to end, for a for-each, a nested playbook, or a step that sends no
   * request.
   */
  readonly extent?: Extent;
}

/** A part of a timeline. Default: all steps of the run's playbook, with all rows below them. */
export interface TimelinePart {
  readonly steps?: readonly StepStory[];
  /** Maximum number of rows for one of these steps and what it runs. */
  readonly rowsMax?: number;
  /** Whether a process executes the run: open steps are not over. */
  readonly isRunning?: boolean;
}

export function timelineOf(
  story: Story,
  { steps, tookMs }: Summary,
  {
    steps: shown = story.steps.filter(({ parent }) => parent === undefined),
    rowsMax = Infinity,
    isRunning = false,
  }: TimelinePart = {},
): Timeline {
  const elapsed = elapsedOf(story);
  const whole = Math.max(1, tookMs);
  const used = new Set(
    story.steps.flatMap(({ actions }) =>
      actions.flatMap((action) => spansOf(action, elapsed).map(({ kind }) => kind)),
    ),
  );
  const lines = new Map(story.steps.map((step, index) => [step.id, steps[index]]));
  const scale: Scale = { elapsed, whole, lines, extents: extentsOf(story), isRunning };
  return {
    whole,
    step: axisStepOf(whole),
    ticks: axisTicksOf(whole),
    resumed: story.attempts.slice(1).map(({ from }) => elapsed(from)),
    rows: shown.flatMap((step) => atMost(rowsMax, stepRows(step, 0, scale), step)),
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
  readonly lines: ReadonlyMap<string, StepLine | undefined>;
  readonly extents: Extents;
  readonly isRunning: boolean;
}

const itemsMax = 12; // rows of one step; of longer ones only the notable ones

/** The row of a step, and below it those of its items and of the playbooks that it runs. */
function stepRows(step: StepStory, depth: number, scale: Scale): TimelineRow[] {
  const line = scale.lines.get(step.id);
  const head = stepRow(step, line, depth, scale);
  if (!step.isForEach) return [head, ...step.actions.flatMap((each) => below(each, depth, scale))];
  const isShort = step.actions.length <= itemsMax;
  const notable = isShort ? step.actions : step.actions.filter(isNotable);
  const shown = notable.slice(0, itemsMax);
  const rest = step.actions.length - shown.length;
  const states = new Map(line?.items.map((item) => [item.address, item]));
  const items = shown.flatMap((action) => [
    itemRow(action, step, states.get(plainText(action.address, 120)), depth + 1, scale),
    ...below(action, depth + 1, scale),
  ]);
  return [head, ...items, ...(rest === 0 ? [] : [moreRow(moreText(rest), step, depth + 1)])];
}

/** The first rows of a step, and how many more it has. */
function atMost(max: number, rows: readonly TimelineRow[], step: StepStory): TimelineRow[] {
  const shown = rows.slice(0, max);
  const rest = rows.length - shown.length;
  return rest === 0 ? shown : [...shown, moreRow(moreText(rest, 'row'), step, 1)];
}

function below(action: ActionStory, depth: number, scale: Scale): TimelineRow[] {
  return scale.extents.below(action).flatMap((step) => stepRows(step, depth + 1, scale));
}

function moreRow(name: string, { id: address }: StepStory, depth: number): TimelineRow {
  const state = 'not-sent';
  return { ...empty, level: 'more', address, depth, state, name, note: '', reading: '' };
}

const empty = { uses: '', hasMarks: false, spans: [] } as const;

/** Whether an item waited, was retried or did not succeed. */
function isNotable({ waits, outcome }: ActionStory): boolean {
  return waits.length > 0 || (outcome !== undefined && outcome.kind !== 'done');
}

function stepRow(
  step: StepStory,
  line: StepLine | undefined,
  depth: number,
  scale: Scale,
): TimelineRow {
  const sent = sentBy(step, scale);
  const own = step.actions.flatMap((action) => spansOf(action, scale.elapsed));
  const extent = scale.extents.step(step);
  const isWhole = step.isForEach || own.length === 0;
  return {
    level: 'step',
    address: step.id,
    depth,
    state: line?.status ?? 'not-sent',
    name: `${shortName(step)}${onAccounts(line ? [line] : [])}`,
    uses: line?.uses ?? '',
    note: noteOf(line, own, scale),
    reading: readingOf(extent, sent, scale.whole),
    hasMarks: extent !== undefined,
    spans: isWhole ? [] : own,
    ...(isWhole && extent && { extent }),
  };
}

/** The id of a step in its own playbook, whose row is above it. */
function shortName({ id, parent }: StepStory): string {
  return plainText(parent === undefined ? id : id.slice(parent.length + 1), 60);
}

function itemRow(
  action: ActionStory,
  step: StepStory,
  item: StepLine['items'][number] | undefined,
  depth: number,
  scale: Scale,
): TimelineRow {
  const spans = spansOf(action, scale.elapsed);
  const extent = scale.extents.action(action, step);
  const state = item?.state ?? 'not-sent';
  const time = extent === undefined ? undefined : spoken(lengthOf(extent));
  const isBegun = scale.extents.below(action).some(({ isOpened }) => isOpened);
  const outcome = isBegun && state === 'not-sent' ? 'not finished' : outcomeWord(action, state);
  const words = [outcome, time, ...waitsWords(spans)];
  return {
    level: 'item',
    address: action.address,
    depth,
    state,
    name: `${item?.what ?? ''}${onAccounts(item ? [item] : [])}`,
    uses: '',
    note: words.filter((word) => word !== undefined).join(' · '),
    reading: readingOf(extent, sentOf(action, step, scale), scale.whole),
    hasMarks: extent !== undefined,
    spans,
    ...(spans.length === 0 && extent && { extent }),
  };
}

/** The requests that a step sent, with those of the playbooks that it runs. */
function sentBy(step: StepStory, scale: Scale): readonly Sent[] {
  return step.actions.flatMap((action) => sentOf(action, step, scale));
}

function sentOf(action: ActionStory, step: StepStory, scale: Scale): readonly Sent[] {
  const state = stateOf(action, step);
  const isOrder = placesOrders(action.operation) && (state === 'done' || state === 'found');
  return [
    { kinds: spansOf(action, scale.elapsed).map(({ kind }) => kind), isOrder },
    ...scale.extents.below(action).flatMap((each) => sentBy(each, scale)),
  ];
}

function outcomeWord({ outcome }: ActionStory, state: ActionState): string | undefined {
  if (state !== 'done') return state === 'found' ? 'from the ledger' : stateWord(state);
  const evidence = outcome?.kind === 'done' ? outcome.evidence : undefined;
  if (evidence === 'by-person') return 'a person says';
  if (evidence === 'from-plan') return 'from the plan';
  return evidence === 'looked-up' ? 'looked up' : undefined;
}

function noteOf(line: StepLine | undefined, spans: readonly Span[], { isRunning }: Scale): string {
  if (line === undefined || line.status === 'not-sent') return 'not sent';
  const words = [
    isRunning && line.status === 'open' ? 'running' : spoken(line.ms),
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
