/** `schedule log`: shows which occurrences ran, and why others did not. */
import { exits, type ExitCode } from '../../base/error.ts';
import { count } from '../../base/text.ts';
import type { ScheduleRecord } from '../../app/schedule/decisions.ts';
import { storeIn } from '../../app/schedule/stored.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { sinceIn } from '../args/since.ts';
import { configOf } from '../../app/config/opened.ts';
import type { ScheduleLogOutput } from '../../app/documents/schedule-documents.ts';
import { placeOf } from '../../app/schedule/shared-place.ts';
import { recordText } from '../screens/schedule.ts';

const shownMax = 200; // newest records; -o ndjson prints all

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { terminal, clock } = context;
  const { out } = terminal;
  const format = outputOf(context, ['text', 'json', 'ndjson']);
  const since = sinceIn(args.text('since'), clock.now());
  const place = await placeOf(await configOf(context), context);
  const { records: all, unreadable } = await storeIn(place, clock).log();
  if (unreadable > 0) {
    const lines = count(unreadable, 'line');
    const { theme } = terminal.err;
    terminal.err.line(
      `${theme.sign('warn')} ${lines} of schedule/record.ndjson cannot be read: cut off by a crash, edited, or of a newer version`,
    );
  }
  const records = all.filter((record) => record.at >= since && isAsked(record, args.positionals));
  if (format === 'ndjson') {
    for (const record of records) out.json(record);
    return exits.done;
  }
  if (format === 'json') {
    out.json({ version: 1, records } satisfies ScheduleLogOutput);
    return exits.done;
  }
  const shown = records.slice(-shownMax);
  if (shown.length === 0) out.line('no scheduled runs yet');
  if (shown.length < records.length) {
    out.line(`${out.theme.glyphs.dots} ${records.length - shown.length} older`);
  }
  for (const record of shown) {
    const at = new Date(record.at).toISOString().slice(0, 19).replace('T', ' ');
    out.line(`${out.theme.paint('faint', `${at}Z`)} ${recordText(record, out.theme)}`);
  }
  return exits.done;
}

/** Whether a record is requested, by the id of a schedule or the name of a playbook. */
function isAsked(record: ScheduleRecord, words: readonly string[]): boolean {
  const { schedule, playbook } = record;
  const names = [schedule, playbook, 'name' in record ? record.name : undefined];
  return words.length === 0 || words.some((word) => names.includes(word));
}
