/** `worker`: takes queued jobs until it is stopped. */
import { hostname } from 'node:os';
import process from 'node:process';
import { atIntervals } from '../../base/clock.ts';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { randomId } from '../../base/random.ts';
import { count, listed, plainText, spoken } from '../../base/text.ts';
import { outputOf, type Args, type Context } from '../context.ts';
import { printError } from '../exits.ts';
import { withTimes } from '../screens/timed.ts';
import { sharedPaces } from '../../app/store/database.ts';
import { storeOf } from '../../app/store/synchronized.ts';
import { syncAhead } from '../../app/running/beside.ts';
import { stoppable } from '../../app/machine/interrupt.ts';
import { openJobs } from '../../app/store/jobs.ts';
import { configOf } from '../../app/config/opened.ts';
import { version } from '../../base/version.ts';
import { pauseWords } from '../../app/queue/available.ts';
import { attempt } from '../../app/worker/attempt.ts';
import { attemptPlan } from '../../app/worker/attempt-plan.ts';
import type { Job, Wait, Worker } from '../../stores/queue.ts';
import { jobFormat, writtenFormat } from '../../app/queue/job.ts';
import { work } from '../../app/worker/loop.ts';
import type { WorkEvent } from '../../app/worker/work-options.ts';
import { messageMax } from '../worker/follow.ts';
import { workerScreen } from '../worker/worker-screen.ts';
import { notifying } from '../../app/worker/notify.ts';
import { servedProfiles } from '../../app/worker/served.ts';

export async function run(given: Context, args: Args): Promise<ExitCode> {
  outputOf(given, ['text']);
  const context = withTimes(given);
  const config = await configOf(context);
  const slots = slotsIn(args);
  const asked = args.text('profiles')?.split(',');
  const profiles = await servedProfiles(config, asked, context);
  const jobs = await openJobs(config, context, {});
  const { clock } = context;
  const paces = await sharedPaces(config, context);
  const store = await storeOf(config, context);
  const own = { ...context, store, jobs, ...(paces && { paces }) };
  const screen = workerScreen(own);
  const host = plainText(hostname(), 80);
  const name = `${host}-${process.pid}-${randomId(4)}`;
  const worker = { name, host, version, format: jobFormat, profiles, slots };
  try {
    return await stoppable(context, async (interruption) => {
      await work({
        queue: jobs.queue,
        worker,
        writes: writtenFormat,
        lease: jobs.lease,
        clock,
        every: atIntervals,
        isOnce: args.isOn('once'),
        drain: interruption.drain,
        attempt: (job, stop) =>
          (job.kind === 'plan' ? attemptPlan : attempt)(
            job,
            { config, served: profiles, plans: jobs.plans, screen, stop },
            own,
          ),
        prepare: (job) => syncAhead(job, config, own),
        onEvent: printing(worker, context),
        notify: notifying(config, own),
      });
      return interruption.exit() ?? exits.done;
    });
  } finally {
    await Promise.all([jobs.close(), paces?.close()]);
  }
}

function slotsIn(args: Args): number {
  const text = args.text('slots') ?? '4';
  const slots = Number(text);
  if (/^\d{1,3}$/.test(text) && slots >= 1) return slots;
  throw new UsageError('--slots is a number of runs', 'from 1 to 999');
}

/**
 * Prints the events of a worker. A job that is tried repeatedly is shown when the reason of its
 * wait changes.
 */
function printing(worker: Worker, context: Context): (event: WorkEvent) => void {
  const waits = new Map<string, string>();
  return (event) => {
    if (event.kind === 'taken' && waits.has(event.job.id)) return;
    if (event.kind === 'given-back' && event.wait !== undefined) {
      if (waits.get(event.job.id) === event.wait.because) return;
      waits.set(event.job.id, event.wait.because);
    } else if (event.kind === 'given-back' || event.kind === 'ended') {
      waits.delete(event.job.id);
    }
    print(event, worker, context);
  };
}

function print(event: WorkEvent, { name, profiles, slots }: Worker, context: Context): void {
  const { err } = context.terminal;
  switch (event.kind) {
    case 'ready':
      return err.line(
        `worker ${name} serves ${listed(profiles)}, ${count(slots, 'run')} at a time`,
      );
    case 'taken':
      return err.line(`${idOf(event.job)}  ${plainText(event.job.playbook, 80)}: taken`);
    case 'ended': {
      const { exit, message, hint } = event.ending;
      err.line(`${idOf(event.job)}  ${plainText(message, messageMax)} (exit code ${exit})`);
      if (hint !== undefined) err.line(`${idOf(event.job)}  help  ${plainText(hint, messageMax)}`);
      return;
    }
    case 'given-back':
      return err.line(`${idOf(event.job)}  ${givenBackWords(event.wait)}`);
    case 'paused': {
      const { hint } = event.pause;
      const mark = err.theme.sign('warn');
      err.line(`${mark} ${pauseWords(event.pause, spoken)}`);
      if (hint !== undefined) err.line(`  help  ${plainText(hint, 300)}`);
      return;
    }
    case 'refused': {
      const { message, hint } = event.refusal;
      err.line(`${err.theme.sign('warn')} ${plainText(message, 300)}`);
      return err.line(`  help  ${plainText(hint, 300)}`);
    }
    case 'waiting':
      return err.line(
        `${err.theme.sign('warn')} ${plainText(event.error.message, 300)}; waiting for it`,
      );
    case 'trouble':
      printError(event.error, context);
  }
}

function givenBackWords(wait: Wait | undefined): string {
  if (wait === undefined) return 'given back: it continues later';
  return `given back: ${plainText(wait.because, 300)}`;
}

const idOf = ({ id }: Job): string => plainText(id, 64);
