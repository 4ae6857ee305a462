/** `runs cancel`: a queued run is not started; one that a worker executes stops in order. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { openJobs } from '../../app/store/jobs.ts';
import { untilAnswered } from '../../app/store/patience.ts';
import { configOf } from '../../app/config/opened.ts';
import { cancelWords } from '../../serve/server/actions/cancel-words.ts';
import { userName } from '../../app/machine/person.ts';
import { outputOf, type Args, type Context } from '../context.ts';
import { cancelJob } from '../../app/queue/cancel.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  outputOf(context, ['text']);
  const [id = ''] = args.positionals;
  const jobs = await openJobs(await configOf(context), context);
  try {
    const done = await cancelJob(jobs.queue, id, userName(), (ask) => untilAnswered(ask, context));
    if (done === 'unknown') {
      throw new UsageError(`no job of run ${id} is queued`, 'see the queue: deskhand workers');
    }
    for (const line of cancelWords(id, done)) context.terminal.out.line(line);
    return exits.done;
  } finally {
    await jobs.close();
  }
}
