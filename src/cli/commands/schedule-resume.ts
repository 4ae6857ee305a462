/** `schedule resume`: schedules that were paused run again, from their next occurrence. */
import { exits, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import { userName } from '../../app/machine/person.ts';
import { outputOf, type Args, type Context } from '../context.ts';
import type { SchedulePauseOutput } from '../../app/documents/schedule-documents.ts';
import { resumeNamed } from '../../app/schedule/pausing.ts';
import { configOf } from '../../app/config/opened.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { out } = context.terminal;
  const format = outputOf(context, ['text', 'json']);
  const config = await configOf(context);
  const [name = ''] = args.positionals;
  const asked = { name, who: userName(), why: args.text('reason') ?? '' };
  const { pause, schedules, stillPaused } = await resumeNamed(asked, config, context);
  if (format === 'json') {
    const ids = schedules.map(({ id }) => id);
    out.json({ version: 1, pause, schedules: ids } satisfies SchedulePauseOutput);
    return exits.done;
  }
  out.line(`resumed ${plainText(name, 80)}; occurrences of the pause are not run`);
  for (const { id, playbook } of stillPaused) {
    out.line(`  ${plainText(playbook, 60)} ${id} is still paused: see \`deskhand schedule list\``);
  }
  return exits.done;
}
