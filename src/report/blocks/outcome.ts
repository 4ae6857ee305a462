/** The outcome of a run as rows: doubts and refusals, which need a person, come first and are never cut off.
 */
import { groupLines, type Group } from '../achievements.ts';
import type { Doubt, Refusal } from '../answers.ts';
import type { Summary } from '../summary.ts';
import { doubtLine } from './doubt.ts';
import { showCommand, type Column, type Inline, type Table } from './block.ts';

interface OutcomeRow {
  readonly state: string;
  readonly what: string;
  readonly detail: Inline;
}

/**
 * Doubts and refusals are single actions; the others are groups.
 * @param max rows of doubts, and of refusals; more are not read one by one, unless they are in pages
 */
export function outcomeTable(summary: Summary, max = 100): Table<OutcomeRow> {
  const { done, refused, inDoubt, notSent, skipped, run } = summary;
  const groups = (state: string, all: readonly Group[]): OutcomeRow[] =>
    groupLines(all).map(({ text, detail }) => ({ state, what: text, detail }));
  const rows = [
    ...first(
      { run, max },
      inDoubt.map((it) => single('doubt', it, doubtLine(it))),
    ),
    ...first(
      { run, max },
      refused.map((it) => {
        const state = it.by === 'exchange' ? 'refused' : 'failed';
        return single(state, it, [{ code: it.code }, ' ', it.message]);
      }),
    ),
    ...groups('done', done),
    ...groups('not-sent', notSent),
    ...groups('skipped', skipped),
  ];
  return { columns, rows, rest: [': ', { code: showCommand(run) }] };
}

const columns: readonly Column<OutcomeRow>[] = [
  { name: 'State', cell: ({ state }) => ({ state }) },
  { name: 'What', cell: ({ what }) => ({ strong: what }) },
  { name: 'Detail', wraps: true, cell: ({ detail }) => ({ dim: detail }) },
];

/** The row of a doubt or a refusal, with its clientOid to look it up, or else its address in the playbook. */
function single(state: string, { what, ...it }: Doubt | Refusal, why: Inline): OutcomeRow {
  const name = it.clientOid === undefined ? '' : 'clientOid ';
  return { state, what, detail: [why, `, ${name}`, { code: it.clientOid ?? it.address }] };
}

function first(
  { run, max }: { readonly run: string; readonly max: number },
  rows: readonly OutcomeRow[],
): readonly OutcomeRow[] {
  const left = rows.length - max;
  if (left <= 0) return rows;
  const state = rows[0]?.state ?? '';
  return [
    ...rows.slice(0, max),
    { state, what: `${left} more`, detail: { code: showCommand(run) } },
  ];
}
