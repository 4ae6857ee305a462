/** Tells how long an order without a response may still arrive, by the entries of its run. */
import type { Millis } from '../base/clock.ts';
import { successCode } from '../exchange/api/errors.ts';
import { validity, visibility } from '../exchange/api/promises.ts';
import { plainText } from '../base/text.ts';
import type { Address, Entry } from '../engine/journal/entry.ts';
import { stepOf } from './step-of.ts';
import { timeOf } from './words.ts';

export interface LateOrder {
  /** When the wait for the order ends at the latest, by the clock of the machine that waits. */
  readonly until: Millis;
  /** Whether this is the first entry about the wait. */
  readonly isFirst: boolean;
  /** The wait as text: `waiting until 12:00:50, because an order of ladder may still arrive`. */
  readonly words: string;
}

export interface LateOrders {
  /** Reads an entry. @returns the wait that it is part of; undefined for all other entries */
  add(entry: Entry): LateOrder | undefined;
}

/**
 * The time until a late order is ruled out. The exchange may accept a request for as long as its signature is
 * valid, and then takes a moment to list the order. Two searches past that, which are further apart than that
 * moment, prove that there is none.
 */
const wait: Millis = validity + visibility + visibility;

export function lateOrders(): LateOrders {
  /** The last signature of each order whose response is missing, by the exchange's clock. */
  const signed = new Map<Address, Millis>();
  const told = new Map<Address, Millis>();
  const steps = new Set<string>();
  let ahead: Millis = 0; // the exchange's clock before that of the machine
  const note = (entry: Entry): void => {
    switch (entry.kind) {
      case 'opened':
        steps.add(entry.step);
        return;
      case 'resumed':
        told.clear(); // another process waits, and says so
        return;
      case 'taken-over':
        // The lease is over; how long ago, nothing says. This machine's clock counts as right, or behind.
        ahead = Math.max(0, entry.until - entry.at);
        return;
      case 'clock':
        ahead = entry.time - entry.at;
        return;
      case 'intended':
        if (entry.since === undefined) ahead = entry.signedAt - entry.at;
        signed.set(entry.address, Math.max(entry.signedAt, signed.get(entry.address) ?? 0));
        return;
      case 'answered':
        if (entry.code === successCode) signed.delete(entry.address);
        return;
      case 'settled':
        signed.delete(entry.address);
        return;
      default:
    }
  };
  return {
    add: (entry) => {
      note(entry);
      if (entry.kind !== 'waited' || entry.why !== 'look-up') return undefined;
      const { address, at } = entry;
      const last = signed.get(address);
      if (last === undefined) return undefined;
      const until = last + wait - ahead;
      if (until <= at) return undefined;
      const isFirst = told.get(address) !== last;
      told.set(address, last);
      const step = plainText(
        stepOf(address, (id) => steps.has(id)),
        80,
      );
      const clock = timeOf(until).slice(0, 8);
      const words = `waiting until ${clock}, because an order of ${step} may still arrive`;
      return { until, isFirst, words };
    },
  };
}
