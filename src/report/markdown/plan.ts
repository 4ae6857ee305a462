/** A plan as a comment for a pull request: what a run would change, and how sure each line is. */
import { decimal, decimalText, isDecimalText, roundTo } from '../../base/decimal.ts';
import { count } from '../../base/text.ts';
import { isWrite } from '../../plan/effect.ts';
import type { Change, Confidence, Plan, PlannedAction, PlannedStep } from '../../plan/plan.ts';
import { unlistedWords } from '../assumptions.ts';
import {
  changeWords,
  costWords,
  groupedNumber,
  localWords,
  moment,
  money,
  wordsOf,
} from '../words.ts';
import { fitted, rowsMax, type Block } from './fit.ts';
import { code, marker, points, prose, tableRow, wordList } from './text.ts';

/** At most 60,000 characters: rows that do not fit are left out whole and counted. */
export function planMarkdown(plan: Plan): string {
  return fitted([marker('plan', plan.playbook.file), ...blocksOf(plan)]);
}

/** What a comment says of one plan. */
export function blocksOf(plan: Plan): Block[] {
  const { playbook, id } = plan;
  return [
    `### Plan ${code(id)}: ${prose(playbook.name)}`,
    facts(plan),
    totals(plan),
    ...unlisted(plan),
    ...guards(plan),
    changes(plan),
    ...writtenBy(plan),
    `What is created or set cannot be undone here. ${useWords(plan)} Plan digest ${code(plan.digest)}.`,
  ];
}

function writtenBy({ authors, commit }: Plan): string[] {
  if (authors.length === 0) return [];
  return [
    `Written by ${wordList(authors.map(code))}${commit === undefined ? '' : ` at ${code(commit.slice(0, 12))}`}`,
  ];
}

function unlisted({ unlisted: profiles = [] }: Plan): string[] {
  return profiles.map((profile) => `**! ${prose(unlistedWords(profile))}**`);
}

/** Until when it may be run. */
function useWords({ isOffline, expiresAt, run }: Plan): string {
  if (isOffline) return 'Made offline, nothing was read: it cannot be run.';
  return `It can be run once, as ${code(run)}, until ${moment(expiresAt)} UTC.`;
}

function facts({ destination, accounts = [], playbook, observedAt, isOffline }: Plan): string {
  return [
    `**${destination.target === 'live' ? 'LIVE' : 'SANDBOX'}** ${[destination, ...accounts].map(({ profile }) => code(profile)).join(' ')}`,
    code(playbook.file),
    `${isOffline ? 'made offline' : `read ${moment(observedAt)} UTC`}, nothing sent`,
  ].join(' · ');
}

function totals({ totals: sum }: Plan): string {
  const parts = [`**${changeWords(sum)}**`, costWords(sum)];
  if (sum.orders > 0) parts.push(`${count(sum.orders, 'order')}, notional ${amount(sum.notional)}`);
  if (sum.farthest !== undefined) parts.push(`at most ${percentWords(sum.farthest)} from mark`);
  if (sum.openOrdersAfter !== undefined) parts.push(`${sum.openOrdersAfter} open orders after`);
  return parts.join(' · ');
}

/** Broken guards first, each in a line; the kept ones in one. */
function guards({ guards: all }: Plan): string[] {
  const broken = all.filter(({ isKept }) => !isKept);
  const kept = all.filter(({ isKept }) => isKept);
  const lines = broken.map(({ guard, message }) => `✖ **guard** ${code(guard)}: ${prose(message)}`);
  const names = kept.map(({ guard, used, limit }) => {
    return `${code(guard)} ${prose(used)} of ${prose(limit)}`;
  });
  return [
    ...(lines.length === 0 ? [] : [points(lines), '**This plan cannot run as it is.**']),
    ...(names.length === 0 ? [] : [`Guards kept: ${wordList(names)}`]),
  ];
}

function changes({ steps }: Plan): Block {
  const names = ['', 'Step', 'Action', 'Value', 'Detail'];
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
    head: [tableRow(names), tableRow(['---', '---', '---', '--:', '---'])],
    rows,
    more: (left) => `… ${count(left, 'more row')}: \`deskhand plan --full\` shows all`,
  };
}

/** Writes stand before reads, so that they are never the rows left out. */
function weight(step: PlannedStep): number {
  return isWrite(step) ? 0 : 1;
}

function stepRows(step: PlannedStep): string[] {
  if (step.actions.length === 0) {
    return [tableRow(['', code(step.id), code(step.uses), '', ''])];
  }
  return step.actions.map((action) => actionRow(step, action));
}

function actionRow(step: PlannedStep, action: PlannedAction): string {
  const { order, change } = action;
  const value = order === undefined ? '' : amount(order.notional);
  const details = [
    action.account === undefined ? '' : `on ${code(action.account)}`,
    detailOf(action, step),
    distanceOf(order),
    action.note === undefined ? '' : code(action.note),
    confidenceOf(action.confidence),
    change.kind === 'create' || change.kind === 'set' ? 'no undo' : '',
  ].filter((detail) => detail !== '');
  const sign = `\`${changeSigns[change.kind]}\``;
  return tableRow([sign, code(step.id), code(wordsOf(action)), value, details.join('; ')]);
}

const changeSigns: Readonly<Record<Change['kind'], string>> = {
  create: '+',
  set: '~',
  none: '=',
  read: '<',
  local: '>',
  skip: '-',
  later: '?',
};

function detailOf({ change, input }: PlannedAction, step: PlannedStep): string {
  switch (change.kind) {
    case 'read': {
      const rows = change.rows === undefined ? [] : [count(change.rows, 'row')];
      const file = step.file === undefined ? [] : [`to ${code(step.file)}`];
      return [`about ${count(change.requests, 'request')}`, ...rows, ...file].join(', ');
    }
    case 'none':
      return prose(change.because);
    case 'skip':
      return `skipped: ${prose(change.because)}`;
    case 'later':
      return 'its items are known later';
    case 'local':
      return prose(localWords({ input }));
    case 'create':
    case 'set':
      return '';
  }
}

function distanceOf(order: PlannedAction['order']): string {
  if (order?.distance === undefined || !isDecimalText(order.distance)) return '';
  const mark = order.mark === undefined ? 'mark' : `mark ${prose(groupedNumber(order.mark))}`;
  return `${percentWords(order.distance)} from ${mark}`;
}

/** A ratio as `+0.83 %`. */
function percentWords(distance: string): string {
  const ratio = decimal(distance).times(decimal('100'));
  const percent = decimalText(roundTo(ratio, 2, 'half-even'));
  return `${percent.startsWith('-') ? '' : '+'}${percent} %`;
}

function confidenceOf(confidence: Confidence | undefined): string {
  switch (confidence?.kind) {
    case undefined:
      return '';
    case 'read-just-now':
      return 'read just now';
    case 'from-ledger':
      return `from the ledger, run ${code(confidence.run)}`;
    case 'cannot-be-read-back':
      return 'cannot be read back';
    case 'not-read':
      return 'not read yet';
    case 'known-after':
      return `known after ${code(confidence.step)}`;
  }
}

function amount(text: string): string {
  return isDecimalText(text) ? money(decimal(text)) : prose(text);
}
