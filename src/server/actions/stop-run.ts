/** Stops a run of this machine as the first Ctrl-C does: its process receives one signal. */
import { join } from 'node:path';
import process from 'node:process';
import { isCode } from '../../base/error.ts';
import { sha256 } from '../../base/json.ts';
import { makeFolder } from '../../journal/file.ts';
import { Refusal } from '../failure.ts';
import { holderOf } from './holder.ts';
import { jobsFolder, writeNew } from './presses.ts';

/**
 * A process receives it once, also after a restart of the server: a second signal would end it
 * without waiting for responses.
 * @returns whether it was signalled now; false if it was before
 * @throws Refusal unless the owner of the run's lock provably is that process, and does nothing else
 */
export async function stopRun(stateDir: string, run: string): Promise<boolean> {
  const holder = await holderOf(stateDir, run);
  if (holder === undefined) throw new Refusal(409, 'not-running', `no process executes ${run}`);
  const { pid, host, life, because, born, others } = holder;
  const who = `process ${pid} on ${host}`;
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
  if (!(await isFirst(stateDir, `${pid} ${born}`))) return false;
  try {
    process.kill(pid, 'SIGINT');
  } catch (error) {
    if (isCode(error, 'ESRCH')) throw new Refusal(409, 'not-running', `${run} has just ended`);
    if (!isCode(error, 'EPERM')) throw error;
    throw new Refusal(409, 'other-user', `${who} belongs to another user`, 'stop it as that user');
  }
  return true;
}

async function isFirst(stateDir: string, owner: string): Promise<boolean> {
  const folder = jobsFolder(stateDir);
  await makeFolder(folder);
  try {
    await writeNew(join(folder, `stopped-${sha256(owner).slice(0, 32)}.json`), '{}\n');
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}
