/** The queue of a desk over a database, for the pages of `serve`. */
import { plainText } from '../../base/text.ts';
import type { Config } from '../../app/config/load.ts';
import type { QueueService, QueueState } from './services.ts';
import { isDatabase } from '../../stores/settings.ts';
import type { AppContext } from '../../app/app-context.ts';
import { openJobs } from '../../app/store/jobs.ts';
import type { Jobs } from '../../stores/job-store.ts';
import { idForm, planNamed } from '../../app/planning/plan-named.ts';
import { unserved } from '../../app/queue/available.ts';
import { queueView, waitWords, type QueueSource } from '../../app/queue/waiting.ts';
import { cancelJob } from '../../app/queue/cancel.ts';

/**
 * The queue of a desk, which connects at the first call; undefined for a desk without a database.
 */
export function queueOf(config: Config, context: AppContext): QueueService | undefined {
  if (!isDatabase(config.state)) return undefined;
  return queueOver(
    () => openJobs(config, context),
    (id) => planNamed(id, config, context),
  );
}

type OpenQueue = QueueSource & Pick<Jobs, 'plans' | 'close'>;

const plansMax = 100; // newest ones

/**
 * The queue over a connection.
 * @param open called again after a failure: a variable or a file may be set later
 */
export function queueOver(
  open: () => Promise<OpenQueue>,
  plan: QueueService['plan'],
): QueueService {
  let opened: Promise<OpenQueue> | undefined;
  const jobs = (): Promise<OpenQueue> => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    read: async () => stateOf(await jobs()),
    stop: async (job, who) => cancelJob((await jobs()).queue, job, who),
    plan,
    close: async () => {
      const found = await opened?.catch(() => undefined);
      await found?.close();
    },
  };
}

async function stateOf(jobs: OpenQueue): Promise<QueueState> {
  const [view, newest] = await Promise.all([queueView(jobs), jobs.plans.newest(plansMax)]);
  const { live } = view;
  return {
    plans: newest.filter((id) => idForm.test(id)),
    workers: live.map(({ profiles }) => profiles),
    jobs: view.open.map((one) => {
      const { job, state, worker, stoppedBy, age } = one;
      const waits = waitWords(one, view);
      const why = state === 'queued' ? unserved(job, live) : undefined;
      return {
        id: job.id,
        kind: job.kind,
        playbook: plainText(job.playbook, 80),
        profiles: job.profiles.map((each) => plainText(each, 60)),
        by: plainText(job.by, 80),
        age,
        ...(state === 'taken' && worker !== undefined && { worker: plainText(worker, 80) }),
        ...(stoppedBy !== undefined && { stoppedBy: plainText(stoppedBy, 80) }),
        ...(why !== undefined && { unserved: why }),
        ...(why === undefined && waits !== undefined && { waits }),
      };
    }),
  };
}
