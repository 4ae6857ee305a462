/** The writes of an ended run that other runs look for: the names under which they do, and the entries, packed.
 *
 * A name has four bytes of its digest, so a search may find a run in vain, but never misses one. Thousands of
 * runs are searched by their names; the entries are unpacked of those that are found.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { InternalError } from '../../base/error.ts';
import { isRecord, sha256 } from '../../base/json.ts';
import { lineOfWrite } from '../../exchange/api/meant-order.ts';
import { accountName, destinationsOf } from './account.ts';
import type { Address, Entry } from './entry.ts';
import { differenceIn, type RunHeader } from './header.ts';
import { ledgerFrom, named, noteKey, type LedgerView } from './ledger.ts';
import type { RunRecord } from './run-record.ts';
import { isOrderLine, placedOrders, type OrderLine } from './placed-orders.ts';
import { isStoredEntry } from './record.ts';
import { writesOf } from './sent-writes.ts';
import { statesFrom } from './states.ts';

export interface Lasting {
  /** The names of the writes and of the orders, in base64. */
  readonly names: string;
  /** The names of the states that were set, in base64. */
  readonly states: string;
  /** Where the run placed orders once per playbook. */
  readonly lines: readonly OrderLine[];
  /** The entries, and the keys of the writes by address: it takes long to compute them. */
  readonly packed: string;
}

const nameBytes = 4;

/** The number by which a name is searched for. */
export function numberOfName(name: string): number {
  return Buffer.from(sha256(name).slice(0, 2 * nameBytes), 'hex').readUInt32LE();
}

/** The numbers in a text with names. */
export function numbersIn(names: string): Uint32Array {
  const bytes = Buffer.from(names, 'base64');
  const numbers = new Uint32Array(Math.floor(bytes.length / nameBytes));
  for (let at = 0; at < numbers.length; at++) numbers[at] = bytes.readUInt32LE(at * nameBytes);
  return numbers;
}

/** The lasting writes among the essential entries of a run that ended; undefined if there are none. */
export function lastingIn(run: string, entries: readonly Entry[]): Lasting | undefined {
  const [started] = entries;
  if (started?.kind !== 'started' || !entries.some(({ kind }) => kind === 'intended'))
    return undefined;
  const keys = keysIn(entries);
  noteKeys(entries, keys);
  const [names, states] = [new Set<string>(), new Set<string>()];
  const lines = new Map<string, OrderLine>();
  for (const as of destinationsOf(started)) {
    const view: LedgerView = { as, standingOf: () => 'same' };
    for (const name of ledgerFrom([{ run, entries }], view).keys()) names.add(name);
    for (const name of statesFrom([{ run, entries }], view, []).keys()) states.add(name);
    for (const { clientOid, operation, input } of placedOrders([{ run, entries }], view)) {
      names.add(clientOid);
      const line = lineOfWrite(operation, input);
      if (line !== undefined) lines.set(`${operation} ${line}`, { operation, line });
    }
  }
  const text = JSON.stringify({ entries, keys });
  return {
    names: textOf(names),
    states: textOf(states),
    lines: [...lines.values()],
    packed: deflateRawSync(text, { level: 1 }).toString('base64'),
  };
}

/** The entries of lasting writes. @param header of the run that recorded them */
export function unpacked({ packed }: Lasting, header: RunHeader): RunRecord {
  const value: unknown = JSON.parse(inflateRawSync(Buffer.from(packed, 'base64')).toString('utf8'));
  const { entries, keys } = isRecord(value) ? value : {};
  if (!Array.isArray(entries) || !entries.every(isStoredEntry) || !isRecord(keys)) {
    throw new InternalError(`the facts of run ${header.run} have no entries`);
  }
  const [first] = entries;
  const difference = first && differenceIn(header, first);
  if (difference !== undefined)
    throw new InternalError(`the facts of ${header.run}: ${difference}`);
  noteKeys(entries, keys);
  return { run: header.run, entries };
}

export function isLasting(value: unknown): value is Lasting {
  if (!isRecord(value)) return false;
  const { names, states, lines, packed } = value;
  const areTexts = [names, states, packed].every((each) => typeof each === 'string');
  return areTexts && Array.isArray(lines) && lines.every(isOrderLine);
}

function textOf(names: ReadonlySet<string>): string {
  const bytes = Buffer.alloc(names.size * nameBytes);
  for (const [at, name] of [...names].entries())
    bytes.writeUInt32LE(numberOfName(name), at * nameBytes);
  return bytes.toString('base64');
}

/** Keys of the writes by address, for the account of the run. */
function keysIn(entries: readonly Entry[]): { readonly [address: Address]: string } {
  const [started] = entries;
  if (started?.kind !== 'started') return {};
  const view: LedgerView = { as: started.destination, standingOf: () => 'same' };
  const pairs = [...writesOf(entries)].flatMap(([address, write]) => {
    const found = named(write, started, view);
    return found?.isLasting === true ? [[address, found.key] as const] : [];
  });
  return Object.fromEntries(pairs);
}

function noteKeys(entries: readonly Entry[], keys: Readonly<Record<string, unknown>>): void {
  const [started] = entries;
  if (started?.kind !== 'started') return;
  const account = accountName(started.destination);
  for (const entry of entries) {
    if (entry.kind !== 'intended' || !Object.hasOwn(keys, entry.address)) continue;
    const key = keys[entry.address];
    if (typeof key === 'string') noteKey(entry, { account, key });
  }
}
