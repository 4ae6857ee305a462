/** `runs cancel`: a queued run is not started; one that a worker has stops in order. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { shellWord } from '../../base/text.ts';
import { stopWords } from '../../report/next.ts';
import { userName } from '../approval/person.ts';
import { outputOf, type Args, type Context } from '../context.ts';
import { openJobs } from '../session/jobs.ts';
import { configOf } from '../session/config.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  outputOf(context, ['text']);
  const [id = ''] = args.positionals;
  const jobs = await openJobs(await configOf(context), context);
  try {
    const found = await jobs.queue.find(id);
    if (found === undefined) {
      throw new UsageError(`no job of run ${id} is queued`, 'see the queue: deskhand workers');
    }
    const isStopped = await jobs.queue.stop(id, userName());
    const { out } = context.terminal;
    if (!isStopped) out.line(`${id} has already ended`);
    else if (found.state === 'queued') out.line(`${id} is cancelled; no worker had it`);
    else if (found.job.kind === 'plan') out.line(`${id} is cancelled; a plan sends nothing`);
    else {
      out.line(`${id} ${stopWords}`);
      out.line(`continue it later: deskhand resume ${shellWord(id)} --queue`);
    }
    return exits.done;
  } finally {
    await jobs.close();
  }
}
