/** Texts for actions, states, times and sizes, for every report. */
import { longestRecord, longRecord } from '../engine/journal/record-bound.ts';
import type { Millis } from '../base/clock.ts';
import { decimal, decimalText, roundTo, type Decimal } from '../base/decimal.ts';
import { count, grouped, listed, plainText, spoken, shellWord } from '../base/text.ts';
import { isRecord, type Json } from '../base/json.ts';
import { endedBy, operationOf, stateSetBy } from '../exchange/api/operations/index.ts';
import type { ColumnException } from '../engine/export/survey.ts';
import type { LaterRead, Plan } from '../engine/plan/plan.ts';
import { onAccounts } from './accounts.ts';
import { placesOrders } from '../exchange/api/meant-order.ts';
import { givenName, orderRequest } from './order-text.ts';
import {
  endRequest,
  stateRequest,
  subAccountRequest,
  wordAt,
  type RequestWords,
} from './request-text.ts';
import type { ActionStory, StepStory } from './story.ts';

/** The state of an action. `found`: an earlier run did the action, according to the ledger. */
export type ActionState =
  | 'done'
  | 'found'
  | 'skipped'
  | 'refused'
  | 'failed'
  | 'doubt'
  | 'not-sent';

/** The outcome of an action, by its last record and what was sent after that. */
export function stateOf(action: ActionStory, step: StepStory): ActionState {
  if (action.isOpen) return mayBeDoubtful(action) ? 'doubt' : 'not-sent';
  switch (action.outcome?.kind) {
    case 'done':
      return action.outcome.evidence === 'from-ledger' ? 'found' : 'done';
    case 'failed':
      return action.outcome.person ? 'not-sent' : 'failed'; // stated as not executed: it may be sent again
    case 'skipped':
    case 'refused':
    case 'doubt':
      return action.outcome.kind;
    case undefined:
      return stateFromStep(step);
  }
}

/** An item without an outcome in a finished step was skipped by its condition. */
function stateFromStep(step: StepStory): ActionState {
  if (step.status === 'done' || step.status === 'skipped') return 'skipped';
  const isOnlyOne = !step.isForEach && step.actions.length === 1;
  if (isOnlyOne && (step.status === 'failed' || step.status === 'refused')) return step.status;
  return 'not-sent';
}

function mayBeDoubtful({ operation }: ActionStory): boolean {
  return operation !== undefined && operationOf(operation).effect !== 'read';
}

/** An action and its target, in a run or in a plan. */
type Act = Pick<ActionStory, 'address' | 'operation' | 'input'>;

/**
 * The effect of an action as text, with every field that is not the default: `BTCUSDT buy 0.010 @ 61,500.0,
 * gtc`.
 */
export function wordsOf(action: Act): string {
  if (action.input === undefined) return plainText(action.address, 120);
  const request = requestOf(action);
  if (request === undefined) return plainText(action.address, 120);
  return [request.what, ...request.terms].join(', ');
}

/** The effect of a planned action as text; an order with an explicit clientOid shows it. */
export function plannedWords(action: Act): string {
  const name = givenName(action.operation, action.input);
  return name === '' ? wordsOf(action) : `${wordsOf(action)}, clientOid ${name}`;
}

/** A write as text; undefined for anything else. */
function requestOf({
  operation,
  input,
}: Pick<Act, 'operation' | 'input'>): RequestWords | undefined {
  if (operation !== undefined && placesOrders(operation)) return orderRequest(operation, input);
  const sets = stateSetBy(operation);
  if (sets !== undefined) return stateRequest(sets, input);
  const ends = endedBy(operation);
  if (ends !== undefined) return endRequest(ends, input);
  return operation === 'account/create-sub' ? subAccountRequest(input) : undefined;
}

/** Values that only the run reads, as text: `verify: list.*.qty`. */
export function laterReadWords({ address, values, ...line }: LaterRead): string {
  const paths = values.map((path) => plainText(path === '' ? 'the whole response' : path, 80));
  return `${plainText(address, 80)}${onAccounts([line])}: ${paths.join(', ')}`;
}

/** The text of a notification; later values are marked as such. */
function textIn(input: Json | undefined): string {
  const text = isRecord(input) ? input['text'] : undefined;
  return typeof text === 'string' ? text : wordAt(input, 'text');
}

/** The parts of a notification besides its text: `, with the page summary and out/bills.csv`. */
function withWords(input: Json | undefined): string {
  if (!isRecord(input)) return '';
  const { subject, page, table, attach, link } = input;
  const files = Array.isArray(attach) ? attach : attach === undefined ? [] : [attach];
  const parts = [
    ...(typeof subject === 'string' ? [`the subject ${JSON.stringify(plainText(subject))}`] : []),
    ...(typeof page === 'string' ? [`the page ${plainText(page)}`] : []),
    ...(typeof table === 'string' ? [`the table ${plainText(table)}`] : []),
    ...files.map((file) => (typeof file === 'string' ? plainText(file) : wordAt({ file }, 'file'))),
    ...(link === true ? ['the address of the run'] : []),
  ];
  return parts.length === 0 ? '' : `, with ${listed(parts)}`;
}

/** A command in the notation of a shell; later values are marked as such. */
function commandWords(command: Json): string {
  if (!Array.isArray(command)) return wordAt({ command }, 'command');
  return plainText(command.map((word) => shellWord(String(word))).join(' '));
}

/** The people whom a step asks, and for how long: `waits up to 2h for an approval by ann@desk.example`. */
function askingWords(input: Json, length: string): string {
  const { by, count: least } = isRecord(input) ? input : {};
  const names = Array.isArray(by) ? by.map((name) => plainText(String(name), 60)) : [];
  const people =
    names.length > 0
      ? ` by ${listed(names, 'or')}`
      : by === 'other'
        ? ' by a person who did not write or start it'
        : '';
  const many = typeof least === 'number' && least > 1 ? count(least, 'approval') : 'an approval';
  return `waits up to ${length} for ${many}${people}: ${JSON.stringify(plainText(textIn(input)))}`;
}

/** The effect of a built-in step, or its duration, as text: `waits 10s`; '' for others. */
export function localWords({ input }: Pick<Act, 'input'>): string {
  const [file, length, until] = [
    wordAt(input, 'file'),
    wordAt(input, 'for'),
    wordAt(input, 'until'),
  ];
  const host = wordAt(input, 'host');
  const command = isRecord(input) ? input['command'] : undefined;
  if (host !== '')
    return `POST to ${host}: ${JSON.stringify(plainText(textIn(input)))}${withWords(input)}`;
  if (command !== undefined) return `runs ${commandWords(command)}`;
  if (file !== '') return `writes ${file}`;
  if (length !== '' && textIn(input) !== '') return askingWords(input ?? null, length);
  if (length !== '') return `waits ${length}`;
  if (until === '') return '';
  return `waits until ${/^\d+$/.test(until) ? `${moment(Number(until))} UTC` : until}`;
}

/** An amount for people: grouped, with at least two decimals: `3,100.00`. */
export function money(amount: Decimal): string {
  const cents = roundTo(amount, 2, 'half-even');
  const shown = decimalText(cents.eq(decimal('0')) ? amount : cents);
  const [whole = '', fraction = ''] = shown.split('.');
  return grouped(`${whole}.${fraction.padEnd(2, '0')}`);
}

/** A time in UTC: `2026-11-20 00:41:07`. The time zone is shown next to it. */
export function moment(ms: Millis): string {
  const text = isoOf(ms);
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`;
}

/** A column that has values of another type: its name, how it was written, and the first such value. */
export function exceptionWords({ column, written, rows, first }: ColumnException): string {
  const name = plainText(column, 60);
  const value = plainText(first.value, 60);
  if (written === 'text') {
    return `column ${name} is text: row ${first.row} is ${value}, which a number or date cell does not hold`;
  }
  return `column ${name} is null in ${count(rows, 'row')}: row ${first.row} is ${value}`;
}

/** The actual start of a file whose requested start was not available. */
export function beginsWords({
  asked,
  from,
}: {
  readonly asked: Millis;
  readonly from: Millis;
}): string {
  return `begins ${exactTime(from)} instead of ${exactTime(asked)} UTC`;
}

/** A time range in UTC, exact to the millisecond; both bounds are included. */
export function rangeWords({ from, to }: { readonly from: Millis; readonly to: Millis }): string {
  return `${exactTime(from)} to ${exactTime(to)} UTC`;
}

/** A moment in UTC, exact to the millisecond. */
export function exactTime(ms: Millis): string {
  return isoOf(ms).slice(0, 23).replace('T', ' ').replace('.000', '');
}

/** The rows that a run added to a file of earlier runs, in words. */
export function continuedWords(of: {
  readonly from?: Millis;
  readonly added: number;
  readonly replaced: number;
}): string {
  const since = of.from === undefined ? '' : ` since ${exactTime(of.from)} UTC`;
  const replaced = of.replaced === 0 ? '' : `, ${of.replaced} changed`;
  return `${of.added} added${since}${replaced}`;
}

/** The ranges that a file of earlier runs lacks for good, in words. */
export function gapWords(gaps: readonly { readonly from: Millis; readonly to: Millis }[]): string {
  return `nothing was read from ${gaps.map(rangeWords).join(', ')}, and the exchange no longer keeps it`;
}

/** The requests of a planned read as text: `about 3 requests`, and the time range that it covers. */
export function readWords({
  requests,
  range,
}: {
  readonly requests: number;
  readonly range?: { readonly from: Millis; readonly to: Millis };
}): string[] {
  return [`about ${count(requests, 'request')}`, ...(range ? [rangeWords(range)] : [])];
}

/** The time of day in UTC, with milliseconds: `00:41:09.214`. */
export function timeOf(ms: Millis): string {
  return isoOf(ms).slice(11, 23);
}

/** The day of a moment in UTC. */
export function dayOf(ms: Millis): string {
  return isoOf(ms).slice(0, 10);
}

const latest = Date.UTC(9999, 11, 31); // the format changes above this value

function isoOf(ms: Millis): string {
  return new Date(Math.min(Math.max(0, ms), latest)).toISOString();
}

/** A file size for people: `512 bytes`, `18.3 kB`. */
export function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The requests of a plan: `about 34 requests, 6 s at the limits`. */
export function costWords({ requests, seconds }: Plan['totals']): string {
  const wait =
    seconds < 1 ? 'no wait' : seconds < 120 ? `${Math.ceil(seconds)} s` : spoken(seconds * 1000);
  return `about ${count(requests, 'request')}, ${wait} at the limits${recordWords(requests)}`;
}

/** The record of an action with its request, about, in characters; rows that expressions use come in addition. */
const recordedEach = 1_300;

/** The remark of a plan about the record of its run, if that will be long. */
function recordWords(requests: number): string {
  const length = requests * recordedEach;
  if (length < longRecord) return '';
  const size = `, a record of about ${Math.round(length / 2 ** 20)} MiB`;
  if (length < longestRecord) return size;
  return `${size}, above the bound of ${longestRecord / 2 ** 20} MiB: split the playbook`;
}

/** Steps whose changes are not known yet, as text: `1 step known only during the run`, or ''. */
export function laterWords({ later = 0 }: Plan['totals']): string {
  return later === 0 ? '' : `${count(later, 'step')} known only during the run`;
}

/** Effects outside the exchange, as text: `1 notice or program`, or ''. */
export function outboundWords({ outbound = 0 }: Plan['totals']): string {
  return outbound === 0 ? '' : count(outbound, 'notice or program', 'notices or programs');
}

/** The changes of a plan: `6 to create, 1 to set, 0 unchanged`. */
export function changeWords(totals: Plan['totals']): string {
  const { create, set, unchanged } = totals;
  const changes = [`${create} to create`, `${set} to set`, `${unchanged} unchanged`];
  return [...changes, outboundWords(totals), laterWords(totals)]
    .filter((words) => words !== '')
    .join(', ');
}
