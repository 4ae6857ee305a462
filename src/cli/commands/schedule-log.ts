/** `schedule log`: what was run for which time, and what was not and why. */
import { lengthIn } from '../../base/clock.ts';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { stateFiles } from '../../schedule/files.ts';
import type { ScheduleRecord } from '../../schedule/record.ts';
import { storeIn } from '../../schedule/store.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { configOf } from '../running/work.ts';
import { recordText } from '../screens/schedule.ts';

const shownMax = 200; // newest; -o ndjson has them all

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const { terminal, clock } = context;
  const { out } = terminal;
  const format = outputOf(context, ['text', 'ndjson']);
  const since = sinceIn(given.text('since'), clock.now());
  const { stateDir } = await configOf(context);
  const all = await storeIn(stateDir, stateFiles, clock).records();
  const records = all.filter((record) => record.at >= since && isAsked(record, given.words));
  if (format === 'ndjson') {
    for (const record of records) out.line(JSON.stringify(record));
    return exits.done;
  }
  const shown = records.slice(-shownMax);
  if (shown.length === 0) out.line('nothing was due that a scheduler looked at');
  if (shown.length < records.length) {
    out.line(`${out.look.glyphs.dots} ${records.length - shown.length} older`);
  }
  for (const record of shown) {
    const at = new Date(record.at).toISOString().slice(0, 19).replace('T', ' ');
    out.line(`${out.look.paint('faint', `${at}Z`)} ${recordText(record, out.look)}`);
  }
  return exits.done;
}

/** By the id of a schedule, or the name of a playbook. */
function isAsked({ schedule, playbook }: ScheduleRecord, words: readonly string[]): boolean {
  return words.length === 0 || words.some((word) => word === schedule || word === playbook);
}

function sinceIn(text: string | undefined, now: number): number {
  if (text === undefined) return -Infinity;
  const length = lengthIn(text);
  if (length !== undefined) return now - length;
  throw new UsageError(`--since is a length of time such as 2h or 7d, not ${JSON.stringify(text)}`);
}
