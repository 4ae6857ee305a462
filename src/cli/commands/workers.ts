/** `workers`: the running workers, and the jobs that have not ended. */
import { exits, type ExitCode } from '../../base/error.ts';
import { count, listed, plainText, spoken } from '../../base/text.ts';
import { openJobs } from '../../app/store/jobs.ts';
import { untilAnswered } from '../../app/store/patience.ts';
import { configOf } from '../../app/config/opened.ts';
import type { JobState } from '../../stores/queue.ts';
import { outputOf, type Context } from '../context.ts';
import { columns } from '../../report/terminal/columns.ts';
import { pauseWords } from '../../app/queue/available.ts';
import { queueView, waitWords, type QueueView } from '../../app/queue/waiting.ts';

export async function run(context: Context): Promise<ExitCode> {
  outputOf(context, ['text']);
  const jobs = await openJobs(await configOf(context), context);
  try {
    const [workers, view] = await untilAnswered(
      () => Promise.all([jobs.queue.workers(), queueView(jobs)]),
      context,
    );
    const { out } = context.terminal;
    if (workers.length === 0) out.line('no worker is running: deskhand worker');
    const people = workers.map(({ name, version, profiles, slots, silentFor, pause }) => [
      plainText(name, 80),
      `deskhand ${plainText(version, 20)}`,
      `${count(slots, 'run')} at a time of ${listed(profiles.map((each) => plainText(each, 40)))}`,
      silentFor > jobs.lease ? `silent for ${spoken(silentFor)}` : pauseWords(pause, spoken),
    ]);
    if (people.length > 0) out.line(columns(people, out.theme, { indent: 0 }).join('\n'));
    const rows = view.open.map((each) => rowOf(each, view));
    if (rows.length > 0) out.line(`\n${columns(rows, out.theme, { indent: 0 }).join('\n')}`);
    return exits.done;
  } finally {
    await jobs.close();
  }
}

function rowOf(one: JobState, view: QueueView): readonly string[] {
  const { job, state, worker, stoppedBy, age } = one;
  const waits = waitWords(one, view);
  return [
    plainText(job.id, 64),
    stoppedBy === undefined ? state : 'stopping',
    plainText(job.playbook, 60),
    listed(job.profiles.map((each) => plainText(each, 40))),
    `queued ${spoken(age)} ago by ${plainText(job.by, 60)}`,
    waits === undefined ? plainText(worker ?? '', 80) : `waits: ${waits}`,
  ];
}
