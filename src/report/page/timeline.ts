/** The timeline: a row for each step and item, with requests, waits and pauses to scale. */
import type { Millis } from '../../base/clock.ts';
import { count, plainText, spoken } from '../../base/text.ts';
import { toneOf } from '../blocks/block.ts';
import { spansOf, type Span, type SpanKind } from '../spans.ts';
import type { StepLine } from '../step-lines.ts';
import type { ActionStory, StepStory, Story } from '../story.ts';
import type { Summary } from '../summary.ts';
import { elapsedOf, extentOf, type Elapsed } from '../timing.ts';
import type { ActionState } from '../words.ts';
import { html, type Html } from './html.ts';
import { sign } from './marks.ts';
import { axisStepOf, axisTicksOf } from './axis-ticks.ts';

export function timeline(story: Story, { steps, tookMs }: Summary): Html {
  const elapsed = elapsedOf(story);
  const scale: Scale = { elapsed, whole: Math.max(1, tookMs) };
  const rows = story.steps.map((step, index) => stepRows(step, steps[index], scale));
  const tick = `--tick:${percent(axisStepOf(scale.whole), scale.whole)}`;
  const used = new Set(
    story.steps.flatMap(({ actions }) =>
      actions.flatMap((action) => spansOf(action, elapsed).map(({ kind }) => kind)),
    ),
  );
  return html`<section class="panel" aria-labelledby="time">
    <h2 id="time">Time line</h2>
    <div class="time" style="${tick}" role="table" aria-label="Steps and items over time">
      ${axis(story, scale)} ${rows}
    </div>
    ${legend(used)}
  </section>`;
}

interface Scale {
  readonly elapsed: Elapsed;
  readonly whole: Millis;
}

function axis({ attempts }: Story, { elapsed, whole }: Scale): Html {
  const ticks = axisTicksOf(whole).map(
    ({ at, label }) => html`<span style="left:${percent(at, whole)}">${label}</span>`,
  );
  const resumed = attempts
    .slice(1)
    .map(({ from }) => html`<em style="left:${percent(elapsed(from), whole)}">resumed</em>`);
  return html`<div class="${resumed.length === 0 ? 'axis' : 'axis tall'}" aria-hidden="true">
    <div></div>
    <div class="track">${ticks}${resumed}</div>
    <div></div>
  </div>`;
}

const itemsMax = 12; // rows of one step; of longer ones only the notable ones

function stepRows(step: StepStory, line: StepLine | undefined, scale: Scale): Html {
  if (!step.isForEach) return row(step.actions, step, line, scale);
  const notable = step.actions.length <= itemsMax ? step.actions : step.actions.filter(isTelling);
  const shown = notable.slice(0, itemsMax);
  const rest = step.actions.length - shown.length;
  const more =
    rest === 0
      ? undefined
      : html`<div class="row item" role="row">
          <div role="cell" class="dim">${'…'} ${rest} more</div>
          <div role="cell"></div>
          <div role="cell"></div>
        </div>`;
  const states = new Map(line?.items.map((item) => [item.address, item]));
  return html`${row(step.actions, step, line, scale)}${shown.map((action) => {
    const item = states.get(plainText(action.address, 120));
    return itemRow(action, item, scale);
  })}${more}`;
}

/** An item that waited, was retried or did not succeed. */
function isTelling({ waits, outcome }: ActionStory): boolean {
  return waits.length > 0 || (outcome !== undefined && outcome.kind !== 'done');
}

function row(
  actions: readonly ActionStory[],
  step: StepStory,
  line: StepLine | undefined,
  scale: Scale,
): Html {
  const state = line?.status ?? 'not-sent';
  const spans = actions.flatMap((action) => spansOf(action, scale.elapsed));
  const extent = extentOf(actions, scale.elapsed);
  const bracket =
    step.isForEach && extent
      ? html`<i class="whole" style="${place({ ...extent }, scale)}"></i>`
      : undefined;
  const bars = step.isForEach ? bracket : spans.map((span) => bar(span, scale));
  const note = noteOf(line, spans);
  return html`<div class="row step${sentClass(spans)}" role="row">
    <div role="rowheader">
      ${sign(toneOf(state))}<b>${line?.id}</b> <span class="dim">${line?.uses}</span>
    </div>
    <div class="track" role="cell">
      <span class="unseen">${spanText(spans, scale)}</span>${bars}
    </div>
    <div class="dim" role="cell">${note}</div>
  </div>`;
}

function itemRow(
  action: ActionStory,
  item: StepLine['items'][number] | undefined,
  scale: Scale,
): Html {
  const spans = spansOf(action, scale.elapsed);
  const state = item?.state ?? 'not-sent';
  const time = spans.length === 0 ? undefined : spoken(item?.ms ?? 0);
  const words = [stateWord(action, state), time, ...waitsWords(spans)];
  return html`<div class="row item ${toneOf(state)}${sentClass(spans)}" role="row">
    <div role="rowheader">${item?.what}</div>
    <div class="track" role="cell">
      <span class="unseen">${spanText(spans, scale)}</span>${spans.map((span) => bar(span, scale))}
    </div>
    <div class="dim" role="cell">${words.filter((word) => word !== undefined).join(' · ')}</div>
  </div>`;
}

/** A row without marks needs no track on a narrow screen. */
function sentClass(spans: readonly Span[]): string {
  return spans.length === 0 ? ' unsent' : '';
}

function stateWord({ outcome }: ActionStory, state: ActionState): string | undefined {
  if (state !== 'done') return stateWords[state];
  const evidence = outcome?.kind === 'done' ? outcome.evidence : undefined;
  if (evidence === 'by-person') return 'a person says';
  if (evidence === 'from-plan') return 'from the plan';
  return evidence === 'looked-up' ? 'looked up' : undefined;
}

const stateWords = {
  found: 'from the ledger',
  skipped: 'skipped',
  refused: 'refused',
  failed: 'failed',
  doubt: 'in doubt',
  'not-sent': 'not sent',
} as const;

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

/** The same as text for screen readers. */
function spanText(spans: readonly Span[], { whole }: Scale): string {
  if (spans.length === 0) return 'nothing was sent';
  const first = spans[0]?.from ?? 0;
  const last = spans.reduce((latest, { to }) => Math.max(latest, to), 0);
  const kinds = [...new Set(spans.map(({ kind }) => kind))].map((kind) => kindWords[kind]);
  return `from ${spoken(first)} to ${spoken(Math.min(last, whole))}: ${kinds.join(', ')}`;
}

function bar(span: Span, scale: Scale): Html {
  const title = `${kindWords[span.kind]}, ${spoken(span.to - span.from)}`;
  return html`<i class="${span.kind}" style="${place(span, scale)}" title="${title}"></i>`;
}

function place(
  { from, to }: { readonly from: Millis; readonly to: Millis },
  { whole }: Scale,
): string {
  return `left:${percent(from, whole)};width:${percent(Math.max(0, to - from), whole)}`;
}

function percent(part: Millis, whole: Millis): string {
  return `${Math.min(100, (part / whole) * 100).toFixed(2)}%`;
}

const kindWords: Readonly<Record<SpanKind, string>> = {
  request: 'request',
  refused: 'refused request',
  lost: 'request without a response',
  limit: 'waiting for a slot of the rate limit',
  retry: 'pause before another attempt',
  poll: 'pause before the next poll',
  'look-up': 'pause before the next lookup',
};

function legend(used: ReadonlySet<SpanKind>): Html | undefined {
  if (used.size === 0) return undefined;
  const known: readonly SpanKind[] = [
    'request',
    'limit',
    'retry',
    'poll',
    'lost',
    'look-up',
    'refused',
  ];
  const entries = known.filter((kind) => used.has(kind));
  return html`<p class="legend" aria-hidden="true">
    ${entries.map((kind) => html`<span><i class="${kind}"></i>${kindWords[kind]}</span>`)}
  </p>`;
}
