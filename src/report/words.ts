/** Actions, states, moments and sizes in the words every paper uses. */
import type { Millis } from '../base/clock.ts';
import { decimal, decimalText, isDecimalText, roundTo, type Decimal } from '../base/decimal.ts';
import { isRecord, type Json } from '../base/json.ts';
import { count, grouped, plainText, spoken } from '../base/text.ts';
import { operationOf } from '../contract/operations/index.ts';
import type { Plan } from '../plan/plan.ts';
import { textAt } from './json.ts';
import type { ActionStory, StepStory } from './story.ts';

/** How an action stands. `found`: an earlier run did it, as the ledger has it. */
export type ActionState =
  | 'done'
  | 'found'
  | 'skipped'
  | 'refused'
  | 'failed'
  | 'doubt'
  | 'not-sent';

/** What became of an action, by the last word on it and by what was sent after that. */
export function stateOf(action: ActionStory, step: StepStory): ActionState {
  if (action.isOpen) return mayBeDoubtful(action) ? 'doubt' : 'not-sent';
  switch (action.outcome?.kind) {
    case 'done':
      return action.outcome.evidence === 'from-ledger' ? 'found' : 'done';
    case 'failed':
      return action.outcome.person ? 'not-sent' : 'failed'; // not there: it may be sent again
    case 'skipped':
    case 'refused':
    case 'doubt':
      return action.outcome.kind;
    case undefined:
      return stateFromStep(step);
  }
}

/** Without a word of its own an item of a finished step was left out by its condition. */
function stateFromStep(step: StepStory): ActionState {
  if (step.status === 'done' || step.status === 'skipped') return 'skipped';
  const isOnlyOne = !step.isForEach && step.actions.length === 1;
  if (isOnlyOne && (step.status === 'failed' || step.status === 'refused')) return step.status;
  return 'not-sent';
}

function mayBeDoubtful({ operation }: ActionStory): boolean {
  return operation !== undefined && operationOf(operation).effect !== 'read';
}

/** What is done and where; a story has it, and so does a plan. */
type Act = Pick<ActionStory, 'address' | 'operation' | 'input'>;

/** What an action does, in a few words: `BTCUSDT buy 0.010 @ 61,500.0`. */
export function wordsOf(action: Act): string {
  const { operation, input, address } = action;
  if (input === undefined) return plainText(address, 120);
  if (operation === 'futures/place-order') return orderWords(action);
  if (operation === 'futures/set-all-leverage') return `leverage ${leverageWords(action)}`;
  if (operation !== 'account/create-sub') return plainText(address, 120);
  return `sub-account ${wordAt(input, 'username')}`;
}

/** `USDT-FUTURES 5×`. */
export function leverageWords({ input }: Pick<Act, 'input'>): string {
  return `${wordAt(input, 'productType')} ${wordAt(input, 'leverage')}×`;
}

/** What a step of deskhand itself leaves, or how long it waits: `waits 10s`; '' for any other. */
export function localWords({ input }: Pick<Act, 'input'>): string {
  const [file, length, until] = [
    wordAt(input, 'file'),
    wordAt(input, 'for'),
    wordAt(input, 'until'),
  ];
  if (file !== '') return `writes ${file}`;
  if (length !== '') return `waits ${length}`;
  if (until === '') return '';
  return `waits until ${/^\d+$/.test(until) ? `${moment(Number(until))} UTC` : until}`;
}

function orderWords({ input }: Act): string {
  const part = (field: string): string => wordAt(input, field);
  const price = part('price');
  const at = price === '' ? 'at market' : `@ ${groupedNumber(price)}`;
  return `${part('symbol')} ${part('side')} ${groupedNumber(part('size'))} ${at}`;
}

/** A field in words; in a plan it may be known only after another step. */
function wordAt(input: Json | undefined, field: string): string {
  const after = isRecord(input) && textAt(input[field], 'known-after');
  return plainText(after ? `(after ${after})` : (textAt(input, field) ?? ''), 60);
}

/** Groups the digits of a plain number and leaves any other text as it is. */
export function groupedNumber(text: string): string {
  return isDecimalText(text) ? grouped(text) : text;
}

/** An amount for people: grouped, and with at least two decimals: `3,100.00`. */
export function money(amount: Decimal): string {
  const cents = roundTo(amount, 2, 'half-even');
  const shown = decimalText(cents.eq(decimal('0')) ? amount : cents);
  const [whole = '', fraction = ''] = shown.split('.');
  return grouped(`${whole}.${fraction.padEnd(2, '0')}`);
}

/** A moment in UTC: `2026-11-20 00:41:07`. The zone is said beside it. */
export function moment(ms: Millis): string {
  const text = isoOf(ms);
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`;
}

/** Where a file begins that was to begin earlier. */
export function beginsWords({
  asked,
  from,
}: {
  readonly asked: Millis;
  readonly from: Millis;
}): string {
  return `begins ${moment(from)} instead of ${moment(asked)} UTC`;
}

/** The time of a moment in UTC, to the millisecond: `00:41:09.214`. */
export function timeOf(ms: Millis): string {
  return isoOf(ms).slice(11, 23);
}

/** The day of a moment in UTC. */
export function dayOf(ms: Millis): string {
  return isoOf(ms).slice(0, 10);
}

const latest = Date.UTC(9999, 11, 31); // beyond it a text of another shape begins

function isoOf(ms: Millis): string {
  return new Date(Math.min(Math.max(0, ms), latest)).toISOString();
}

/** A size of a file for people: `512 bytes`, `18.3 kB`. */
export function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** What a plan asks of the exchange: `about 34 requests, 6 s at the limits`. */
export function costWords({ requests, seconds }: Plan['totals']): string {
  const wait =
    seconds < 1 ? 'no wait' : seconds < 120 ? `${Math.ceil(seconds)} s` : spoken(seconds * 1000);
  return `about ${count(requests, 'request')}, ${wait} at the limits`;
}

/** Steps that may change something nobody knows yet: `1 step known only while it runs`, or nothing. */
export function laterWords({ later = 0 }: Plan['totals']): string {
  return later === 0 ? '' : `${count(later, 'step')} known only while it runs`;
}

/** What a plan would change: `6 to create, 1 to set, 0 unchanged`. */
export function changeWords(totals: Plan['totals']): string {
  const { create, set, unchanged } = totals;
  const changes = [`${create} to create`, `${set} to set`, `${unchanged} unchanged`];
  return [...changes, laterWords(totals)].filter((words) => words !== '').join(', ');
}
