/** The process that executes a run, from the locks of the state folder. */
import { locksIn, type NamedLock } from '../../../engine/journal/lock.ts';
import { plainText } from '../../../base/text.ts';
import { isScheduleId } from '../../../app/schedule/slot.ts';

export interface Holder {
  readonly run: string;
  readonly pid: number;
  readonly host: string;
  /**
   * The start time of the process: with the process id, it names this process and no later one.
   */
  readonly born: string;
  /**
   * Whether the process is alive: `alive` is proved, because this process on this machine has the
   * lock.
   */
  readonly life: 'alive' | 'unknown';
  /** The reason why it is unknown whether the process is alive. */
  readonly because: string;
  /** Other work that the process does, or may do: a signal would end that, too. */
  readonly others: readonly string[];
}

/** The process that executes a run; undefined if no process does. */
export async function holderOf(stateDir: string, run: string): Promise<Holder | undefined> {
  const locks = await locksIn(stateDir);
  const lock = locks.find(({ name }) => name === `run-${run}`);
  return lock && holderIn(lock, locks);
}

/** The run that a process executes; undefined until it has its lock. */
export async function runOf(stateDir: string, pid: number): Promise<string | undefined> {
  const own = (await locksIn(stateDir)).find(
    ({ name, record, life }) =>
      name.startsWith('run-') && record?.pid === pid && life.state === 'alive',
  );
  return own?.record?.holder;
}

function holderIn(lock: NamedLock, all: readonly NamedLock[]): Holder | undefined {
  const { record, life } = lock;
  if (record === undefined || life.state === 'dead') return undefined;
  const { pid, host, holder: run } = record;
  const isShared = 'isShared' in record ? record.isShared : undefined;
  const others = all.filter(
    ({ name, record: other }) =>
      other !== undefined &&
      other.pid === pid &&
      other.host === host &&
      other.holder !== run &&
      // The lock of the run's schedule, if the process was started for its due runs.
      !(isShared === false && isScheduleId(name)),
  );
  return {
    run,
    pid,
    host: plainText(host, 80),
    born: 'born' in record ? record.born : '',
    life: life.state,
    because: life.state === 'unknown' ? life.because : '',
    others: [
      ...others.map(({ name, record: other }) => plainText(other?.holder ?? name, 80)),
      ...(isShared === true ? ['other work of its program'] : []),
    ],
  };
}
