/** `GET /runs/{run}`: the view of a run, and a stream of its events. */
import { integer, list, optional, record, text } from '../../../exchange/api/schema.ts';
import { JournalError } from '../../../engine/journal/error.ts';
import { eventFields, eventRows } from '../event-rows.ts';
import { deskOf } from '../route-context.ts';
import { exactRecord, reads, runParameters } from '../route.ts';
import { runView, runViewOf } from '../run-view.ts';

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
    events: list(record(eventFields)),
    seq: integer({ description: 'The last entry of the journal' }),
  }),
  handle: async ({ parameters }, server) => {
    const desk = deskOf(server, parameters.run, parameters.desk);
    const entries = await desk.entries(parameters.run);
    const after = Number(parameters.after ?? 0);
    const next = entries.filter(({ seq }) => seq > after).slice(0, pageMax);
    const events = next.map(eventRows(entries));
    return { events, seq: entries.at(-1)?.seq ?? 0 };
  },
});
