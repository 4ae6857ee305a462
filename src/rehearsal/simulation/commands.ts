/** Requests of a rehearsal to the sandbox's control interface. */
import type { Millis } from '../../base/clock.ts';
import type { Json } from '../../base/json.ts';
import { classicOrderLists, orderLists } from '../../exchange/api/order-lists.ts';
import type { Command } from '../tests/read.ts';
import type { SourceRange } from '../../language/source-range.ts';
import type { AnswerForms } from '../../sandbox/world/world-settings.ts';

/**
 * The commands of the setup. They make the exchange accept a clientOid twice, so that only deskhand prevents
 * a second order.
 */
export function setup(scenario: Json | undefined, answers?: AnswerForms): Command[] {
  const quirks = answers === undefined ? {} : { quirks: { answers } };
  const at = noPlace('scenario');
  return [
    { path: 'config', fields: { duplicateClientOid: 'accept', ...quirks }, at },
    ...(scenario === undefined ? [] : [{ path: 'scenario', fields: scenario, at }]),
  ];
}

/** Sets faults that delay orders in the lists by this time. */
export function lagging(ms: Millis): Command[] {
  const operations = [orderLists, classicOrderLists].flatMap(({ open, closed }) => [open, closed]);
  return operations.map(({ operation }) => ({
    path: 'faults',
    fields: { match: { operation }, action: { kind: 'stale-reads', ms } },
    at: noPlace('faults'),
  }));
}

/** The position of commands without a file. */
function noPlace(file: string): SourceRange {
  const start = { line: 1, column: 1, offset: 0 };
  return { file, start, end: start };
}
