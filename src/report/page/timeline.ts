/** Draws the timeline: a row for each step and item, to scale. */
import type { Millis } from '../../base/clock.ts';
import { spoken } from '../../base/text.ts';
import { percentOfAxis } from '../drawings.ts';
import { toneOf } from '../states.ts';
import { showCommand } from '../blocks/block.ts';
import { kindWords, timelineOf, type Timeline, type TimelineRow } from '../blocks/timeline.ts';
import type { Span } from '../spans.ts';
import type { Story } from '../story.ts';
import type { Summary } from '../summary.ts';
import { html, type Html } from './html.ts';
import { sign } from './marks.ts';

export function timeline(story: Story, summary: Summary): Html {
  const time = timelineOf(story, summary);
  const tick = `--tick:${percentOfAxis(time.step, time.whole)}`;
  return html`<section class="panel" aria-labelledby="time">
    <h2 id="time">Time line</h2>
    <div class="time" style="${tick}" role="table" aria-label="Steps and items over time">
      ${axis(time)} ${time.rows.map((row) => rowOf(row, time.whole, restOf(summary)))}
    </div>
    ${legend(time)}
  </section>`;
}

function axis({ whole, ticks, resumed }: Timeline): Html {
  const marks = ticks.map(
    ({ at, label }) => html`<span style="left:${percentOfAxis(at, whole)}">${label}</span>`,
  );
  const resumes = resumed.map(
    (at) => html`<em style="left:${percentOfAxis(at, whole)}">resumed</em>`,
  );
  return html`<div class="${resumes.length === 0 ? 'axis' : 'axis tall'}" aria-hidden="true">
    <div></div>
    <div class="track">${marks}${resumes}</div>
    <div></div>
  </div>`;
}

/** Where the items without a row are: the orders of a run have a table. */
function restOf({ orders, run }: Summary): (name: string) => Html {
  return (name) =>
    orders.length > 0
      ? html`<a href="#orders">${name}</a>`
      : html`${name}: <code>${showCommand(run)}</code>`;
}

function rowOf(row: TimelineRow, whole: Millis, rest: (name: string) => Html): Html {
  switch (row.level) {
    case 'step':
      return stepRow(row, whole);
    case 'item':
      return itemRow(row, whole);
    case 'more':
      return html`<div class="row item" role="row" style="--depth:${String(row.depth)}">
        <div role="cell" class="dim">${rest(row.name)}</div>
        <div role="cell"></div>
        <div role="cell"></div>
      </div>`;
  }
}

function stepRow(row: TimelineRow, whole: Millis): Html {
  const { state, name, uses, note, spans, extent } = row;
  const bracket = extent && html`<i class="whole" style="${place(extent, whole)}"></i>`;
  return html`<div
    class="row step${markClass(row)}"
    role="row"
    style="--depth:${String(row.depth)}"
  >
    <div role="rowheader">
      ${sign(toneOf(state))}<b>${name}</b> <span class="dim">${uses}</span>
    </div>
    <div class="track" role="cell">
      <span class="unseen">${row.reading}</span>${bracket ?? spans.map((span) => bar(span, whole))}
    </div>
    <div class="dim" role="cell">${note}</div>
  </div>`;
}

function itemRow(row: TimelineRow, whole: Millis): Html {
  return html`<div
    class="row item ${toneOf(row.state)}${markClass(row)}"
    role="row"
    style="--depth:${String(row.depth)}"
  >
    <div role="rowheader">${row.name}</div>
    <div class="track" role="cell">
      <span class="unseen">${row.reading}</span>${row.spans.map((span) => bar(span, whole))}
    </div>
    <div class="dim" role="cell">${row.note}</div>
  </div>`;
}

/** The class of a row: one without marks needs no track on a narrow screen. */
function markClass({ hasMarks }: TimelineRow): string {
  return hasMarks ? '' : ' unsent';
}

function bar(span: Span, whole: Millis): Html {
  const title = `${kindWords[span.kind]}, ${spoken(span.to - span.from)}`;
  return html`<i class="${span.kind}" style="${place(span, whole)}" title="${title}"></i>`;
}

function place(
  { from, to }: { readonly from: Millis; readonly to: Millis },
  whole: Millis,
): string {
  return `left:${percentOfAxis(from, whole)};width:${percentOfAxis(Math.max(0, to - from), whole)}`;
}

function legend({ kinds }: Timeline): Html | undefined {
  if (kinds.length === 0) return undefined;
  return html`<p class="legend" aria-hidden="true">
    ${kinds.map((kind) => html`<span><i class="${kind}"></i>${kindWords[kind]}</span>`)}
  </p>`;
}
