/** Scheduled runs of `serve`, each in a separate process: one that crashes, or fills the memory, does not
 * end the server, and the end of the server does not end them.
 */
import { fieldOf } from '../../../base/json.ts';
import { exits, type ExitCode } from '../../../base/error.ts';
import { randomId } from '../../../base/random.ts';
import { plainText, shellWord } from '../../../base/text.ts';
import { locksIn } from '../../../engine/journal/lock.ts';
import { machineIdIn } from '../../../engine/journal/machine.ts';
import { thisKernel } from '../../../base/lock/kernel.ts';
import { areBeside, isOwner, ownerHere } from '../../../base/lock/owner.ts';
import type { Departure, StartDue } from '../../../app/schedule/elsewhere.ts';
import type { ScheduleRecord } from '../../../app/schedule/decisions.ts';
import { isScheduleRecord } from '../../../app/schedule/record-shape.ts';
import type { Schedule } from '../../../app/schedule/schedule.ts';
import { refusalOf } from '../actions/begin.ts';
import type { OwnProgram } from '../../../app/machine/own-program.ts';
import { printedIn, type Ended } from '../../../app/machine/start-process.ts';
import { launch } from '../actions/launch.ts';
import { jobLog } from '../actions/presses.ts';
import type { DeskPlace } from '../desk.ts';

export interface Starting {
  readonly program: OwnProgram;
  readonly desk: DeskPlace;
  /** The signal that is aborted when the server ends. */
  readonly drain: AbortSignal;
  /** Called when a process was started for a schedule, or continues without the server. */
  readonly onProcess: (schedule: Schedule, words: string) => void;
  /** Receives the records of the process when it has ended. */
  readonly onRecord: (record: ScheduleRecord) => void;
}

/** Starts `schedule run-due` for one schedule. */
export function startDue({ program, desk, drain, onProcess, onRecord }: Starting): StartDue {
  const { stateDir } = desk.config;
  return async (schedule) => {
    const log = await jobLog(stateDir, `${schedule.id}-${randomId(16)}`);
    const { pid, ended } = launch(program, desk, wordsFor(schedule), log);
    onProcess(schedule, `process ${pid} runs what is due`);
    const end = await firstOf(ended, drain);
    if (end === undefined) {
      onProcess(schedule, `process ${pid} continues`);
      return undefined;
    }
    for (const record of recordsIn(end)) onRecord(record);
    return departureOf(end, await runLeftBy(pid, stateDir));
  };
}

function wordsFor({ id, file }: Schedule): readonly string[] {
  return ['schedule', 'run-due', '-o', 'json', '--schedule', id, '--', file];
}

/** The end of a process; undefined when the server ends first. */
function firstOf(ended: Promise<Ended>, drain: AbortSignal): Promise<Ended | undefined> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => resolve(undefined);
    if (drain.aborted) onAbort();
    drain.addEventListener('abort', onAbort, { once: true });
    ended.then(resolve, reject).finally(() => drain.removeEventListener('abort', onAbort));
  });
}

/** The records in the output of a process; none if the process did not end by itself. */
function recordsIn(ended: Ended): readonly ScheduleRecord[] {
  const records = fieldOf(printedIn(ended), 'records');
  return Array.isArray(records) ? records.filter(isScheduleRecord) : [];
}

function departureOf(ended: Ended, run: string | undefined): Departure {
  const { code, signal } = ended;
  const exit: ExitCode = Object.values(exits).find((each) => each === code) ?? exits.stopped;
  const isUsual = exit === code;
  const { message, hint } = isUsual ? refusalOf(ended) : { message: '', hint: undefined };
  const end = signal === undefined ? `exit code ${code ?? 'unknown'}` : signal;
  const help = run === undefined ? hint : `deskhand resume ${shellWord(run)}`;
  return {
    isFailed: code !== exits.done,
    left: {
      exit,
      message: plainText(message === '' ? `its process ended with ${end}` : message, 300),
      ...(help !== undefined && { hint: help }),
      ...(run !== undefined && { run }),
    },
  };
}

/**
 * The run that a process left: if the process ended before its run, the run still has its lock.
 * Other machines may share the folder.
 */
async function runLeftBy(pid: number, stateDir: string): Promise<string | undefined> {
  const here = ownerHere(machineIdIn(stateDir), thisKernel());
  const left = (await locksIn(stateDir)).find(
    ({ name, record }) =>
      name.startsWith('run-') && isOwner(record) && record.pid === pid && areBeside(record, here),
  );
  return left?.record?.holder;
}
