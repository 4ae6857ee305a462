/** `schedule pause`: no scheduler starts these schedules until they are resumed. */
import { exits, type ExitCode } from '../../base/error.ts';
import { count, plainText, shellWord } from '../../base/text.ts';
import { userName } from '../../app/machine/person.ts';
import { outputOf, type Args, type Context } from '../context.ts';
import type { SchedulePauseOutput } from '../../app/documents/schedule-documents.ts';
import { pauseNamed } from '../../app/schedule/pausing.ts';
import { configOf } from '../../app/config/opened.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { out } = context.terminal;
  const format = outputOf(context, ['text', 'json']);
  const config = await configOf(context);
  const [name = ''] = args.positionals;
  const asked = { name, who: userName(), why: args.text('reason') ?? '' };
  const { pause, schedules } = await pauseNamed(asked, config, context);
  const ids = schedules.map(({ id }) => id);
  if (format === 'json') {
    out.json({ version: 1, pause, schedules: ids } satisfies SchedulePauseOutput);
    return exits.done;
  }
  const which = ids.length === 0 ? '' : ` (${count(ids.length, 'schedule')}: ${ids.join(', ')})`;
  out.line(`paused ${plainText(name, 80)}${which}; a run in progress continues`);
  out.line(`  ${out.theme.paint('command', `deskhand schedule resume ${shellWord(name)}`)}`);
  return exits.done;
}
