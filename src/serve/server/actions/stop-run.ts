/** Stops a run: its process on this machine receives one signal, as of the first Ctrl-C; a worker finds
 * the request in the store.
 */
import process from 'node:process';
import { isCode } from '../../../base/error.ts';
import { plainText } from '../../../base/text.ts';
import { canSignal, thisSystem, type System } from '../../../base/platform/system.ts';
import { Refusal } from '../failure.ts';
import type { Desk } from '../desk.ts';
import { cancelWords } from './cancel-words.ts';
import { holderOf, type Holder } from './holder.ts';
import { markStopped } from './stop-marks.ts';

/**
 * Stops a run on this machine or at a worker.
 * @param who asks for it
 * @returns what happens now, for people
 * @throws Refusal when it is executed by a process that cannot be stopped from here; StoreError
 */
export async function stopWherever(
  desk: Pick<Desk, 'config' | 'queue' | 'claims'>,
  run: string,
  who: string,
): Promise<readonly string[]> {
  const { stateDir } = desk.config;
  const holder = await holderOf(stateDir, run);
  const isOwn = holder?.life === 'alive' && holder.others.length === 0;
  const signalled = isOwn ? await signalledLines(stateDir, run) : undefined;
  // The queue is asked even if the run's process is here: a worker would continue the run.
  const asked = (await desk.queue?.stop(run, who)) ?? 'unknown';
  if (signalled !== undefined) return signalled;
  const isAsked = asked === 'stopping' || asked === 'cancelled' || asked === 'rest cancelled';
  if (isAsked) return cancelWords(run, asked);
  refuseElsewhere(run, holder, desk);
  return signalledLines(stateDir, run);
}

async function signalledLines(stateDir: string, run: string): Promise<readonly string[]> {
  return (await stopRun(stateDir, run)) ? [] : [`${run} is stopping already`];
}

/**
 * Refuses to stop a run elsewhere. @throws Refusal for a process of another machine, other than a
 * worker
 */
function refuseElsewhere(
  run: string,
  holder: Holder | undefined,
  { claims }: Pick<Desk, 'claims'>,
): void {
  const claim = claims().find((each) => each.run === run);
  if (holder !== undefined || claim === undefined) return;
  const pid = claim.owner === undefined ? '' : ` ${claim.owner.pid}`;
  throw new Refusal(
    409,
    'elsewhere',
    `${run} is executed by process${pid} on ${plainText(claim.host, 80)}, which is not a worker`,
    `stop it there, with Ctrl-C or kill -INT${pid}`,
  );
}

/**
 * Sends the stop signal to the process of a run. A process receives it once, also after a restart
 * of the server: a second signal would end it without waiting for responses.
 * @returns whether it was signalled now; false if it was before
 * @throws Refusal unless the owner of the run's lock provably is that process, and does nothing
 * else
 */
export async function stopRun(
  stateDir: string,
  run: string,
  system: System = thisSystem,
): Promise<boolean> {
  const holder = await holderOf(stateDir, run);
  if (holder === undefined) throw new Refusal(409, 'not-running', `no process executes ${run}`);
  const { pid, host, life, because, others } = holder;
  const who = `process ${pid} on ${host}`;
  if (!canSignal(system)) {
    throw new Refusal(
      409,
      'no-signals',
      `${who} cannot be asked to stop: on Windows every signal ends a process at once`,
      'press Ctrl-C or Ctrl-Break in its console',
    );
  }
  if (life !== 'alive') {
    throw new Refusal(
      409,
      'elsewhere',
      `${run} was taken by ${who}, and it cannot be stopped from here: ${because}`,
      `stop it there, with Ctrl-C or kill -INT ${pid}`,
    );
  }
  if (others.length > 0 || pid === process.pid) {
    throw new Refusal(
      409,
      'shared-process',
      `${who} executes ${run}, and also: ${others.join(', ')}`,
      'a signal would stop all of it; stop that process where it was started',
    );
  }
  if (!(await markStopped(stateDir, holder))) return false;
  try {
    process.kill(pid, 'SIGINT');
  } catch (error) {
    if (isCode(error, 'ESRCH')) throw new Refusal(409, 'not-running', `${run} has just ended`);
    if (!isCode(error, 'EPERM')) throw error;
    throw new Refusal(409, 'other-user', `${who} belongs to another user`, 'stop it as that user');
  }
  return true;
}
