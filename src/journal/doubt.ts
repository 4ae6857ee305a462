/** What lists said about a write in doubt, in words: never mixed with why its outcome is unknown. */
import { count } from '../base/text.ts';
import { operationOf, type OperationName } from '../api/operations/index.ts';
import type { Address, Entry } from './entry.ts';
import type { ListSaid, Lookup, Outcome } from './outcome.ts';

type Doubt = Extract<Outcome, { readonly kind: 'doubt' }>;

/** One line for all: why the outcome is unknown, then what the lists said. */
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

/** What a lookup found, in one line. */
export function lookupText(lookup: Lookup): string {
  return lookupLines(lookup).join('; ');
}

/** What each list said and up to which exchange time, then why that does not settle it. */
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
  const name = names[list];
  const shown =
    until === undefined ? undefined : `${name} do not show it up to ${timeWords(until)}`;
  if (unread === undefined) return shown ?? `${name} were not read`;
  return shown === undefined
    ? readFailed(name, unread)
    : `${shown}; ${readFailed('later they', unread)}`;
}

const names = {
  'order/list-open': 'open orders',
  'order/list-history': 'history orders',
} as const satisfies Record<ListSaid['list'], string>;

function looksWords(looks: number): string {
  return looks > 1 ? `, in ${count(looks, 'look')}` : '';
}

function timeWords(ms: number): string {
  return new Date(ms).toISOString();
}
