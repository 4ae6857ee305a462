/** The doubts about writes: the only module that makes one. A doubt states why the outcome is unknown
 * and, separately, what the lists said.
 */
import { count, listed } from '../../base/text.ts';
import { orderListOf } from '../../exchange/api/meant-order.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import type { Address, Entry } from './entry.ts';
import type { ListSaid, Lookup, Outcome } from './outcome.ts';

export type Doubt = Extract<Outcome, { readonly kind: 'doubt' }>;

/** The doubt about a write that was sent, and that later lookups in lists do not settle. */
export function unsettled(because: string, lookup?: Lookup): Doubt {
  return { kind: 'doubt', because, ...(lookup && { lookup }) };
}

/** The doubt about a write that was sent, and for which nothing is recorded that decides its outcome. */
export function unrecorded(answered?: LastAnswer): Doubt {
  return unsettled(openText(answered));
}

/** A refusal, a failure, or a local reason not to send again proves nothing about earlier attempts. */
export function despiteLater(because: string, how: 'was refused' | 'failed', said: string): Doubt {
  return unsettled(`${because}; a later attempt ${how}: “${said}”`);
}

/** The exchange accepted the end of an order, and what it shows of the order does not prove it. */
export function acceptedOnly(shown: string): Doubt {
  return unsettled(`the exchange accepted it, and ${shown}`);
}

/** The lists allowed each sending, and each left it open. */
export function afterSendings(because: string, sendings: number, lookup?: Lookup): Doubt {
  return unsettled(`${because}; it was sent ${sendings} times`, lookup);
}

/** The doubt about a write whose name is used, maybe by an earlier attempt. @param said the refusal */
export function ofUsedName(said: string): Doubt {
  return unsettled(`${said}: an earlier attempt may have created it`);
}

/** The doubt about a write that another run started, and that cannot be looked up. */
export function ofOtherRun(run: string, address: Address): Doubt {
  return unsettled(`run ${run} started ${address} and recorded no outcome`);
}

/** The doubt about an order whose clientOid belongs to an order with other content. */
export function ofOtherOrder(clientOid: string, difference: string): Doubt {
  return unsettled(`clientOid ${clientOid} belongs to another order: ${difference}`);
}

/**
 * The doubt about an order that may be one of those that a restored store forgot.
 * @param names their clientOids
 */
export function ofForgotten(names: readonly string[]): Doubt {
  const many = count(names.length, 'order');
  return unsettled(
    `the state store was restored and lacks lines, and this may be one of ${many} that no journal knows: ${listed(names.slice(0, namesMax))}`,
  );
}

const namesMax = 20; // in one sentence; `deskhand drift` lists all

/** A step no longer has a write that it may have sent. @param now how the step has it now */
export function ofDroppedWrite(step: string, now: string): Doubt {
  return unsettled(`it may have been sent before, and ${now}; nothing of ${step} was sent since`);
}

/** The doubt of a step within a nested playbook. */
export function within(at: NonNullable<Doubt['at']>, message: string): Doubt {
  return { ...unsettled(`${at.address}: ${message}`), at };
}

/** A doubt in one line: why the outcome is unknown, then what the lists said. */
export function doubtText({ because, lookup }: Pick<Doubt, 'because' | 'lookup'>): string {
  return [because, ...(lookup === undefined ? [] : lookupLines(lookup))].join('; ');
}

/** Why a write without an outcome may have been executed: nothing is recorded that decides it. */
export function openText(answered: LastAnswer | undefined): string {
  if (answered === undefined) return 'no response is recorded';
  const { status, code } = answered;
  return `the exchange answered ${code} with HTTP ${status}, and nothing is recorded that decides it`;
}

/** The last response to a write, if one came after it was last sent. */
export function lastAnswer(entries: readonly Entry[], address: Address): LastAnswer | undefined {
  const last = entries.findLast((entry) => {
    return (
      (entry.kind === 'answered' || entry.kind === 'intended') &&
      entry.address === address &&
      isWrite(entry.operation)
    );
  });
  return last?.kind === 'answered' ? last : undefined;
}

type LastAnswer = Pick<Extract<Entry, { readonly kind: 'answered' }>, 'status' | 'code'>;

/** Reads of the lists are answered at the address of the write that is looked up. */
function isWrite(operation: OperationName): boolean {
  return operationOf(operation).effect !== 'read';
}

/** The result of a lookup, in one line. */
export function lookupText(lookup: Lookup): string {
  return lookupLines(lookup).join('; ');
}

/**
 * The answer of each list and the exchange time up to which it counts, then why that does not settle
 * the doubt.
 */
export function lookupLines({ looks, lists, but }: Lookup): readonly string[] {
  const [first] = lists;
  const areAlike =
    first?.until !== undefined &&
    lists.length > 1 &&
    lists.every(({ until, unread }) => until === first.until && unread === undefined);
  const said = areAlike
    ? [`open and history orders do not show it up to ${timeWords(first.until)}${looksWords(looks)}`]
    : lists.map((one) => listLine(one));
  return [...said, ...(but === undefined ? [] : [but])];
}

/** The words of a failed read, named as such: they say nothing about the write. */
export function readFailed(what: string, words: string): string {
  return `${what} could not be read: the read ended with “${words}”`;
}

function listLine({ list, until, unread }: ListSaid): string {
  const name = orderListOf(list)?.title ?? list;
  const shown =
    until === undefined ? undefined : `${name} do not show it up to ${timeWords(until)}`;
  if (unread === undefined) return shown ?? `${name} were not read`;
  return shown === undefined
    ? readFailed(name, unread)
    : `${shown}; ${readFailed('later they', unread)}`;
}

function looksWords(looks: number): string {
  return looks > 1 ? `, in ${count(looks, 'look')}` : '';
}

function timeWords(ms: number): string {
  return new Date(ms).toISOString();
}
