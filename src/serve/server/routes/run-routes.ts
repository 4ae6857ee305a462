/** `GET /runs/{run}`: the view of a run, and a stream of its events. */
import { integer, list, optional, record } from '../../../exchange/api/schema.ts';
import type { Address, Entry } from '../../../engine/journal/entry.ts';
import { JournalError } from '../../../engine/journal/error.ts';
import { eventFields, eventRows } from '../event-rows.ts';
import { laterOf } from '../later-run.ts';
import { deskOf } from '../route-context.ts';
import {
  exactRecord,
  numberIn,
  numberParameter,
  parameter,
  reads,
  runParameters,
} from '../route.ts';
import { runView, runViewOf } from '../run-view.ts';

export const run = reads({
  title: 'Show a run: the sections of its report',
  role: 'viewer',
  parameters: exactRecord({
    ...runParameters,
    from: optional(numberParameter('Steps before the first one of its progress')),
    page: optional(numberParameter('The page of its tables')),
  }),
  answer: runView,
  handle: async ({ parameters }, server) => {
    const desk = deskOf(server, parameters.run, parameters.desk);
    const row = desk.runs.row(parameters.run);
    const entries = await desk.entries(parameters.run);
    if (row === undefined || entries.length === 0) {
      throw new JournalError('the run ended before its first entry; nothing was sent');
    }
    return runViewOf(row, entries, {
      program: server.program,
      structures: desk.structures,
      later: await laterOf(desk, row, entries),
      ...numberIn('from', parameters.from),
      ...numberIn('page', parameters.page),
    });
  },
});

const pageMax = 10_000; // events in one answer: for each, the journal is read whole

export const runEvents = reads({
  title: 'List the events of a run as text, in the order of its journal',
  role: 'viewer',
  parameters: exactRecord({
    ...runParameters,
    after: optional(numberParameter('Only those after this entry')),
    of: optional(parameter('Only those of this step or item, and of what it runs', 2_000)),
  }),
  answer: record({
    events: list(record(eventFields)),
    seq: integer({ description: 'The last entry of the journal' }),
  }),
  handle: async ({ parameters }, server) => {
    const desk = deskOf(server, parameters.run, parameters.desk);
    const entries = await desk.entries(parameters.run);
    const after = Number(parameters.after ?? 0);
    const { of = '' } = parameters;
    const next = entries
      .filter((entry) => entry.seq > after && (of === '' || isOf(entry, of)))
      .slice(0, pageMax);
    const events = next.map(eventRows(entries));
    return { events, seq: entries.at(-1)?.seq ?? 0 };
  },
});

/** Whether an entry is about a step or an item, or about what it runs. */
function isOf(entry: Entry, address: Address): boolean {
  const own = 'address' in entry ? entry.address : 'step' in entry ? entry.step : '';
  return own === address || own.startsWith(`${address}[`) || own.startsWith(`${address}/`);
}
