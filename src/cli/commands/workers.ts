/** `workers`: the running workers, and the jobs that have not ended. */
import { exits, type ExitCode } from '../../base/error.ts';
import { count, listed, plainText, spoken } from '../../base/text.ts';
import { outputOf, type Context } from '../context.ts';
import { columns } from '../screens/columns.ts';
import { openJobs } from '../../session/store/jobs.ts';
import { configOf } from '../../session/config.ts';

export async function run(context: Context): Promise<ExitCode> {
  outputOf(context, ['text']);
  const jobs = await openJobs(await configOf(context), context);
  try {
    const [workers, list] = await Promise.all([jobs.queue.workers(), jobs.queue.list()]);
    const { out } = context.terminal;
    if (workers.length === 0) out.line('no worker is running: deskhand worker');
    const people = workers.map(({ name, version, profiles, slots, silentFor }) => [
      plainText(name, 80),
      `deskhand ${plainText(version, 20)}`,
      `${count(slots, 'run')} at a time of ${listed(profiles.map((each) => plainText(each, 40)))}`,
      silentFor > jobs.lease ? `silent for ${spoken(silentFor)}` : '',
    ]);
    if (people.length > 0) out.line(columns(people, out.theme, { indent: 0 }).join('\n'));
    const rows = list.map(({ job, state, worker, stoppedBy, age }) => [
      plainText(job.id, 64),
      stoppedBy === undefined ? state : 'stopping',
      plainText(job.playbook, 60),
      listed(job.profiles.map((each) => plainText(each, 40))),
      `queued ${spoken(age)} ago by ${plainText(job.by, 60)}`,
      worker === undefined ? '' : plainText(worker, 80),
    ]);
    if (rows.length > 0) out.line(`\n${columns(rows, out.theme, { indent: 0 }).join('\n')}`);
    return exits.done;
  } finally {
    await jobs.close();
  }
}
