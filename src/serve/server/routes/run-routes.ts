/** `GET /runs/{run}`: the view of a run, and a stream of its events. */
import { integer, list, optional, record, text } from '../../../exchange/api/schema.ts';
import { spoken } from '../../../base/text.ts';
import { JournalError } from '../../../engine/journal/error.ts';
import { accountField } from '../../../report/accounts.ts';
import { ActionAccounts } from '../../../report/action-accounts.ts';
import { eventLine } from '../../../report/event-lines.ts';
import { deskOf } from '../route-context.ts';
import { exactRecord, reads, runParameters } from '../route.ts';
import { runView, runViewOf } from '../run-view.ts';
import { moment, tone } from '../shapes.ts';

export const run = reads({
  title: 'Show a run: the sections of its report',
  role: 'viewer',
  parameters: exactRecord(runParameters),
  answer: runView,
  handle: async ({ parameters }, server) => {
    const desk = deskOf(server, parameters.run, parameters.desk);
    const row = desk.runs.row(parameters.run);
    const entries = await desk.entries(parameters.run);
    if (row === undefined || entries.length === 0) {
      throw new JournalError('the run ended before its first entry; nothing was sent');
    }
    return runViewOf(row, entries, server.program);
  },
});

const pageMax = 2_000; // events in one answer

export const runEvents = reads({
  title: 'List the events of a run as text, in the order of its journal',
  role: 'viewer',
  parameters: exactRecord({
    ...runParameters,
    after: optional(
      text({ description: 'Only those after this entry', pattern: '^[0-9]{1,9}$', maxLength: 9 }),
    ),
  }),
  answer: record({
    events: list(
      record({
        seq: integer({ minimum: 1 }),
        at: moment('The machine’s wall clock'),
        address: text(),
        account: optional(text({ description: 'Its profile, in a run with several accounts' })),
        word: text(),
        text: text(),
        tone,
      }),
    ),
    seq: integer({ description: 'The last entry of the journal' }),
  }),
  handle: async ({ parameters }, server) => {
    const desk = deskOf(server, parameters.run, parameters.desk);
    const entries = await desk.entries(parameters.run);
    const after = Number(parameters.after ?? 0);
    const next = entries.filter(({ seq }) => seq > after).slice(0, pageMax);
    const accounts = new ActionAccounts();
    for (const entry of entries) accounts.add(entry);
    const asked = new Set(
      entries.flatMap((entry) => (entry.kind === 'answered' ? [entry.address] : [])),
    );
    const events = next.map((entry) => {
      const { took, ...line } = eventLine(entry, asked);
      const text = took === undefined ? line.text : `${line.text}  ${spoken(took)}`;
      return { ...line, text, ...accountField(accounts.named(entry)) };
    });
    return { events, seq: entries.at(-1)?.seq ?? 0 };
  },
});
