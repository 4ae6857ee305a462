/** A plan as a comment for a pull request: its changes, with the confidence of each line. */
import { signs } from '../../base/palette.ts';
import { decimal, isDecimalText } from '../../base/decimal.ts';
import { count } from '../../base/text.ts';
import { isWrite } from '../../engine/plan/effect.ts';
import type { Plan, PlannedAction, PlannedStep } from '../../engine/plan/plan.ts';
import { accountColumns, accountRows, openAfterWords } from '../account-totals.ts';
import { countUnchanged } from '../unchanged.ts';
import { unknownLines, unknownTitle, unknownWords } from '../unknown-orders.ts';
import { orphanLines, orphansHint, orphansWords } from '../orphans.ts';
import { unlistedWords } from '../assumptions.ts';
import { changesSince, sinceWords, type Approved, type ChangedLine } from '../plan-changes.ts';
import { numberColumns } from '../plan-columns.ts';
import { percentOf, planLine, type OrderNumbers } from '../plan-line.ts';
import { guardLines, guardName } from '../guard-lines.ts';
import { guardBlock, guardFacts } from '../blocks/guards.ts';
import { doubtsOfOthersLines, unfinishedLines, waysOn } from '../unfinished-runs.ts';
import { changeWords, costWords, laterReadWords, moment, money } from '../words.ts';
import { drawn, tableBlock } from './draw.ts';
import { fitted, rowsMax, type Block } from './fit.ts';
import { code, marker, moreIn, points, prose, tableHead, tableRow, wordList } from './text.ts';
import { targetWord } from '../states.ts';

/** The comment, at most 60,000 characters: rows that do not fit are omitted completely and counted. */
export function planMarkdown(plan: Plan, last?: Approved): string {
  return fitted([marker('plan', plan.playbook.file), ...blocksOf(plan, last)]);
}

/** The comment for one plan. */
export function blocksOf(plan: Plan, last: Approved | undefined): Block[] {
  const { playbook, id } = plan;
  return [
    `### Plan ${code(id)}: ${prose(playbook.name)}`,
    facts(plan),
    totals(plan),
    ...accountTotals(plan),
    ...unlisted(plan),
    ...notes(plan),
    ...unfinished(plan),
    ...doubtsOfOthersLines(plan.doubts).map((line) => `**! ${prose(line)}**`),
    ...guards(plan),
    ...unknown(plan),
    changes(plan),
    ...later(plan),
    ...orphaned(plan),
    ...writtenBy(plan),
    `Created and set items cannot be undone here. ${useWords(plan)} Plan digest ${code(plan.digest)}.`,
    ...since(plan, last),
  ];
}

/** The differences from the last approved plan. */
function since(plan: Plan, last: Approved | undefined): Block[] {
  if (last === undefined) return [];
  const lines = changesSince(last, plan);
  return changesTable(sinceWords(last, lines), lines, ['Now', 'Then']);
}

/** The differences of two plans, below a sentence about both. */
export function changesTable(
  sentence: string,
  lines: readonly ChangedLine[],
  names: readonly [now: string, then: string],
): Block[] {
  const words = prose(sentence);
  if (lines.length === 0) return [words];
  return [
    {
      before: words,
      head: tableHead(['', ...names]),
      rows: lines.map(({ sign, text, was = '' }) => {
        const cells = sign === '-' ? ['', code(text)] : [code(text), code(was)];
        return tableRow([`\`${sign}\``, ...cells]);
      }),
      more: moreIn('deskhand plan FILE --full'),
    },
  ];
}

/** Open orders of earlier runs that are no longer in the playbook. */
function orphaned({ orphans = [] }: Plan): string[] {
  if (orphans.length === 0) return [];
  return [
    `**! ${prose(orphansWords(orphans.length))}**: ${prose(orphansHint)}`,
    points(orphanLines(orphans).map((line) => code(line))),
  ];
}

/** Values that are not stored in the plan, because the run reads them later. */
function later({ readLater = [] }: Plan): string[] {
  if (readLater.length === 0) return [];
  const shown = readLater.slice(0, laterMax).map((read) => code(laterReadWords(read)));
  const more = readLater.length - shown.length;
  const rest = more > 0 ? ` and ${more} more` : '';
  return [`Read during the run, not part of the plan: ${shown.join(', ')}${rest}.`];
}

const laterMax = 20;

function writtenBy({ authors, commit }: Plan): string[] {
  if (authors.length === 0) return [];
  return [
    `Written by ${wordList(authors.map(code))}${commit === undefined ? '' : ` at ${code(commit.slice(0, 12))}`}`,
  ];
}

function unlisted({ unlisted: profiles = [] }: Plan): string[] {
  return profiles.map((profile) => `**! ${prose(unlistedWords(profile))}**`);
}

function notes({ notes: all = [] }: Plan): string[] {
  return all.map((note) => `**! ${prose(note)}**`);
}

/** Earlier runs that block the run of the plan, and what a person can do. */
function unfinished({ unfinished: runs = [], id }: Plan): string[] {
  const [first] = runs;
  if (first === undefined) return [];
  return [
    points(unfinishedLines(runs).map((line) => `**! ${prose(line)}**`)),
    '**This plan cannot run yet.** What can be done:',
    points(waysOn(first, id).map(({ command, why }) => `${code(command)} ${prose(why)}`)),
  ];
}

/** The time until which the plan is valid, as text. */
function useWords({ isOffline, expiresAt, run }: Plan): string {
  if (isOffline) return 'Made offline, nothing was read: it cannot be run.';
  return `It can be run once, as ${code(run)}, until ${moment(expiresAt)} UTC.`;
}

function facts({ destination, accounts = [], playbook, observedAt, isOffline }: Plan): string {
  return [
    `**${targetWord(destination.target)}** ${[destination, ...accounts].map(({ profile }) => code(profile)).join(' ')}`,
    code(playbook.file),
    `${isOffline ? 'made offline' : `read ${moment(observedAt)} UTC`}, nothing sent`,
  ].join(' · ');
}

function totals({ totals: sum }: Plan): string {
  const parts = [`**${changeWords(sum)}**`, costWords(sum)];
  if (sum.orders > 0) parts.push(`${count(sum.orders, 'order')}, notional ${amount(sum.notional)}`);
  if (sum.unknown !== undefined) parts.push(`**orders ${unknownWords(sum)}**`);
  if (sum.farthest !== undefined) parts.push(`at most ${percentOf(sum.farthest)} from mark`);
  const after = openAfterWords(sum);
  if (after !== '') parts.push(`open after: ${after}`);
  return parts.join(' · ');
}

/** The totals of each account, if there are several. */
function accountTotals({ totals: sum }: Plan): Block[] {
  const rows = accountRows(sum);
  if (rows.length === 0) return [];
  const areNumbers = accountColumns.map((_, at) => at > 0);
  return [
    {
      head: tableHead(accountColumns, areNumbers),
      rows: rows.map(([name = '', ...cells]) => tableRow([code(name), ...cells])),
      more: moreIn('deskhand plan FILE --full'),
    },
  ];
}

/** Orders whose value a reviewer cannot know, with what bounds each. */
function unknown(plan: Plan): string[] {
  const lines = unknownLines(plan);
  return lines.length === 0 ? [] : [`**! ${unknownTitle}**`, points(lines.map(prose))];
}

/** Violated guards first, one per line; then the usage of all, or of the others. */
function guards({ guards: all }: Plan): Block[] {
  const broken = guardLines(all).filter(({ isKept }) => !isKept);
  const lines = broken.map((line) => {
    return `${signs.bad.drawn} **guard** ${code(guardName(line))}: ${prose(line.message)}`;
  });
  const table = guardBlock(all);
  const facts = guardFacts(all.filter(({ isKept }) => isKept));
  return [
    ...(lines.length === 0 ? [] : [points(lines), '**This plan cannot run.**']),
    ...(table === undefined
      ? facts.map(([name, value]) => `${name}: ${drawn(value)}`)
      : [tableBlock(table)]),
  ];
}

function changes({ steps }: Plan): Block {
  const rows: string[] = [];
  let beyond = 0;
  for (const step of [...steps].sort((a, b) => weight(a) - weight(b))) {
    const room = rowsMax - rows.length;
    if (room <= 0) {
      beyond += Math.max(1, step.actions.length);
      continue;
    }
    rows.push(...stepRows({ ...step, actions: step.actions.slice(0, room) }));
    beyond += Math.max(0, step.actions.length - room);
  }
  return {
    beyond,
    head: tableHead(
      ['', 'Step', 'Action', numberColumns.notional, 'Detail'],
      [false, false, false, true],
    ),
    rows,
    more: moreIn('deskhand plan FILE --full'),
  };
}

/** The rank of a step: writes are sorted before reads, so that they are not omitted. */
function weight(step: PlannedStep): number {
  return isWrite(step) ? 0 : 1;
}

function stepRows(step: PlannedStep): string[] {
  if (step.actions.length === 0) {
    return [tableRow(['', code(step.id), code(step.uses), '', ''])];
  }
  const { listed, unchanged } = countUnchanged(step.actions);
  const rows = listed.map((action) => actionRow(step, action));
  if (unchanged === undefined) return rows;
  return [...rows, tableRow(['`=`', code(step.id), prose(unchanged), '', ''])];
}

function actionRow(step: PlannedStep, action: PlannedAction): string {
  const line = planLine(action, step);
  const { sign, text, details, notional = '', certainty } = line;
  const all = [...details, distanceWords(line), certainty].filter((words) => words !== '');
  const what = code(text === '' ? line.step : text);
  const detail = all.map(prose).join('; ');
  return tableRow([`\`${sign}\``, code(step.id), what, prose(notional), detail]);
}

/** How far a price is from the mark price: `-0.83 % from mark 61,500.00`. */
function distanceWords({ distance, mark }: OrderNumbers): string {
  if (distance === undefined) return '';
  return `${distance} from ${mark === undefined ? 'mark' : `mark ${mark}`}`;
}

function amount(text: string): string {
  return isDecimalText(text) ? money(decimal(text)) : prose(text);
}
