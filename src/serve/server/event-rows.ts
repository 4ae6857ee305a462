/** The events of a run as rows: what its page, and the search in all runs, show of its journal. */
import { integer, optional, text, type Infer, record } from '../../exchange/api/schema.ts';
import { spoken } from '../../base/text.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { accountField } from '../../report/accounts.ts';
import { ActionAccounts } from '../../report/action-accounts.ts';
import { eventLine } from '../../report/event-lines.ts';
import { moment, tone } from './shapes.ts';

export const eventFields = {
  seq: integer({ minimum: 1 }),
  at: moment('The machine’s wall clock'),
  address: text(),
  account: optional(text({ description: 'Its profile, in a run with several accounts' })),
  word: text(),
  text: text(),
  tone,
};

const eventRow = record(eventFields);

export type EventRow = Infer<typeof eventRow>;

/** Makes the function that shows one entry of a run. @param entries all of its journal */
export function eventRows(entries: readonly Entry[]): (entry: Entry) => EventRow {
  const accounts = new ActionAccounts();
  for (const entry of entries) accounts.add(entry);
  const asked = new Set(
    entries.flatMap((entry) => (entry.kind === 'answered' ? [entry.address] : [])),
  );
  return (entry) => {
    const { took, ...line } = eventLine(entry, asked);
    const words = took === undefined ? line.text : `${line.text}  ${spoken(took)}`;
    return { ...line, text: words, ...accountField(accounts.named(entry)) };
  };
}
