/** Actions, states, moments and sizes in the words every report uses. */
import type { Millis } from '../base/clock.ts';
import { decimal, decimalText, roundTo, type Decimal } from '../base/decimal.ts';
import { count, grouped, plainText, spoken, shellWord } from '../base/text.ts';
import { isRecord, type Json } from '../base/json.ts';
import { operationOf } from '../api/operations/index.ts';
import type { LaterRead, Plan } from '../plan/plan.ts';
import {
  givenName,
  leverageRequest,
  orderRequest,
  subAccountRequest,
  wordAt,
  type RequestWords,
} from './request.ts';
import type { ActionStory, StepStory } from './story.ts';

/** The state of an action. `found`: an earlier run did it, as the ledger has it. */
export type ActionState =
  | 'done'
  | 'found'
  | 'skipped'
  | 'refused'
  | 'failed'
  | 'doubt'
  | 'not-sent';

/** The outcome of an action, by the last record of it and by what was sent after that. */
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

/** Without its own word an item of a finished step was left out by its condition. */
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

/** What an action does, with every term that is not the default: `BTCUSDT buy 0.010 @ 61,500.0, gtc`. */
export function wordsOf(action: Act): string {
  if (action.input === undefined) return plainText(action.address, 120);
  const request = requestOf(action);
  if (request === undefined) return plainText(action.address, 120);
  return [request.what, ...request.terms].join(', ');
}

/** The same in a plan; an order that has a clientOid of the playbook's own says so. */
export function plannedWords(action: Act): string {
  const name = action.operation === 'futures/place-order' ? givenName(action.input) : '';
  return name === '' ? wordsOf(action) : `${wordsOf(action)}, clientOid ${name}`;
}

/** A write in words; undefined for anything else. */
function requestOf({
  operation,
  input,
}: Pick<Act, 'operation' | 'input'>): RequestWords | undefined {
  switch (operation) {
    case 'futures/place-order':
      return orderRequest(input);
    case 'futures/set-all-leverage':
      return leverageRequest(input);
    case 'account/create-sub':
      return subAccountRequest(input);
    default:
      return undefined;
  }
}

/** Values that a plan leaves to its run: `verify: list.*.qty`. */
export function laterReadWords({ address, values }: LaterRead): string {
  const paths = values.map((path) => plainText(path === '' ? 'the whole answer' : path, 80));
  return `${plainText(address, 80)}: ${paths.join(', ')}`;
}

/** What a notice says; what is known later is reported as such. */
function textIn(input: Json | undefined): string {
  const text = isRecord(input) ? input['text'] : undefined;
  return typeof text === 'string' ? text : wordAt(input, 'text');
}

/** A command as a shell would be given it; what is known later is reported as such. */
function commandWords(command: Json): string {
  if (!Array.isArray(command)) return wordAt({ command }, 'command');
  return plainText(command.map((word) => shellWord(String(word))).join(' '));
}

/** What a step of deskhand itself leaves, or how long it waits: `waits 10s`; '' for any other. */
export function localWords({ input }: Pick<Act, 'input'>): string {
  const [file, length, until] = [
    wordAt(input, 'file'),
    wordAt(input, 'for'),
    wordAt(input, 'until'),
  ];
  const host = wordAt(input, 'host');
  const command = isRecord(input) ? input['command'] : undefined;
  if (host !== '') return `POST to ${host}: ${JSON.stringify(plainText(textIn(input)))}`;
  if (command !== undefined) return `runs ${commandWords(command)}`;
  if (file !== '') return `writes ${file}`;
  if (length !== '') return `waits ${length}`;
  if (until === '') return '';
  return `waits until ${/^\d+$/.test(until) ? `${moment(Number(until))} UTC` : until}`;
}

/** An amount for people: grouped, and with at least two decimals: `3,100.00`. */
export function money(amount: Decimal): string {
  const cents = roundTo(amount, 2, 'half-even');
  const shown = decimalText(cents.eq(decimal('0')) ? amount : cents);
  const [whole = '', fraction = ''] = shown.split('.');
  return grouped(`${whole}.${fraction.padEnd(2, '0')}`);
}

/** A moment in UTC: `2026-11-20 00:41:07`. The zone is said next to it. */
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

/** Steps that may change something no one knows yet: `1 step known only during the run`, or nothing. */
export function laterWords({ later = 0 }: Plan['totals']): string {
  return later === 0 ? '' : `${count(later, 'step')} known only during the run`;
}

/** What is done outside the exchange: `1 notice or program`, or nothing. */
export function outboundWords({ outbound = 0 }: Plan['totals']): string {
  return outbound === 0 ? '' : count(outbound, 'notice or program', 'notices or programs');
}

/** What a plan would change: `6 to create, 1 to set, 0 unchanged`. */
export function changeWords(totals: Plan['totals']): string {
  const { create, set, unchanged } = totals;
  const changes = [`${create} to create`, `${set} to set`, `${unchanged} unchanged`];
  return [...changes, outboundWords(totals), laterWords(totals)]
    .filter((words) => words !== '')
    .join(', ');
}
