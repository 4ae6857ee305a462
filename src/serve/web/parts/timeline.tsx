/** The time line of a run: a row for each step and item, with requests and waits to scale. */
import type { JSX } from 'preact';
import { spoken } from '../../../base/text.ts';
import { percentOfAxis } from '../../../report/drawings.ts';
import type { Answer } from '../api.ts';
import { inZone } from '../zone.ts';
import { Icon } from './icon.tsx';
import { liveTone } from './pill.tsx';

type Time = Answer<'GET /runs/{run}'>['progress']['timeline'];
type Row = Time['rows'][number];

export function Timeline({
  time,
  linkOf,
}: {
  readonly time: Time;
  /** The address of the page of a step or an item. */
  readonly linkOf: (address: string) => string;
}): JSX.Element {
  const { whole, ticks, resumed, rows, legend } = time;
  return (
    <>
      <div class="time" role="table" aria-label="Steps and items over time">
        <div class={resumed.length === 0 ? 'axis' : 'axis tall'} aria-hidden="true">
          <div />
          <div class="track">
            {ticks.map(({ at, label }) => (
              <span style={{ left: percentOfAxis(at, whole) }}>{label}</span>
            ))}
            {resumed.map((at) => (
              <em style={{ left: percentOfAxis(at, whole) }}>resumed</em>
            ))}
          </div>
          <div />
        </div>
        {rows.map((row) => (
          <TimeRow key={`${row.level} ${row.address}`} row={row} whole={whole} linkOf={linkOf} />
        ))}
      </div>
      <p class="legend" aria-hidden="true">
        {legend.map(({ kind, words }) => (
          <span>
            <i class={kind} />
            {words}
          </span>
        ))}
      </p>
    </>
  );
}

function TimeRow({
  row,
  whole,
  linkOf,
}: {
  readonly row: Row;
  readonly whole: number;
  readonly linkOf: (address: string) => string;
}): JSX.Element {
  const { level, address, depth, state, name, uses, note, reading, spans, extent } = row;
  return (
    <div class={`row ${level}`} role="row" style={{ '--depth': String(depth) }}>
      <div role="rowheader">
        {level === 'step' && <Icon name={liveTone(state)} />}
        <span>
          <a href={linkOf(address)}>{level === 'step' ? <b>{name}</b> : inZone(name)}</a>{' '}
          <span class="dim">{uses}</span>
        </span>
      </div>
      <div class="track" role="cell">
        <span class="unseen">{reading}</span>
        {extent !== undefined && <i class="whole" style={placeOf(extent, whole)} />}
        {spans.map((span) => (
          <i
            class={span.kind}
            style={placeOf(span, whole)}
            title={`${span.title}, ${spoken(span.to - span.from)}`}
          />
        ))}
      </div>
      <div class="dim" role="cell">
        {inZone(note)}
      </div>
    </div>
  );
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function placeOf({ from, to }: Range, whole: number): { left: string; width: string } {
  return { left: percentOfAxis(from, whole), width: percentOfAxis(Math.max(0, to - from), whole) };
}
