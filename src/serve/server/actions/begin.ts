/** Starts a run or continues one in another process, and waits until its journal shows that it
 * began, or until it was refused.
 */
import { millisecond, minute, alarm, atIntervals, type Millis } from '../../../base/clock.ts';
import { fieldOf, isRecord } from '../../../base/json.ts';
import { journalPath } from '../../../engine/journal/runs.ts';
import { stampText } from '../../../engine/journal/stamp.ts';
import { printedIn, type Ended, type Started } from '../../../app/machine/start-process.ts';
import { Refusal } from '../failure.ts';
import { runOf } from './holder.ts';
import { linesIn } from './launch.ts';

export interface Begun {
  /** The id of the run; absent if it did not begin within five minutes. */
  readonly run?: string;
  /** The state of the run: `ended` already, `running`, or `starting` before its first entry. */
  readonly state: 'ended' | 'running' | 'starting';
}

const lookInterval: Millis = 50 * millisecond;
const longest: Millis = 5 * minute; // browsers give up then

/**
 * Waits until a process began its run.
 * @param resumed the run that it continues
 * @throws Refusal with what it printed, if it ended without an entry
 */
export async function begun(
  { pid, ended }: Started,
  stateDir: string,
  resumed?: string,
): Promise<Begun> {
  const before = resumed === undefined ? '' : journalStamp(stateDir, resumed);
  const entered = async (): Promise<string | undefined> => {
    const run = await runOf(stateDir, pid);
    if (run === undefined || (resumed !== undefined && run !== resumed)) return undefined;
    const stamp = journalStamp(stateDir, run);
    return stamp !== '' && stamp !== (run === resumed ? before : '') ? run : undefined;
  };
  const first = await firstOf(ended, entered);
  if (first.kind === 'running') return { run: first.run, state: 'running' };
  if (first.kind === 'late') return { ...(resumed && { run: resumed }), state: 'starting' };
  // A run that began prints its result; one that was refused, its error.
  const run = runIn(first.ended) ?? (first.ended.code === 0 ? resumed : undefined);
  if (run !== undefined) return { run, state: 'ended' };
  throw refusalOf(first.ended);
}

type First =
  | { readonly kind: 'running'; readonly run: string }
  | { readonly kind: 'ended'; readonly ended: Ended }
  | { readonly kind: 'late' };

function firstOf(
  ended: Promise<Ended>,
  entered: () => Promise<string | undefined>,
): Promise<First> {
  return new Promise((resolve, reject) => {
    const stops: (() => void)[] = [];
    const settle = (first: First): void => {
      for (const stop of stops) stop();
      resolve(first);
    };
    stops.push(
      alarm(longest, () => settle({ kind: 'late' })),
      atIntervals(lookInterval, () => {
        entered().then((run) => run !== undefined && settle({ kind: 'running', run }), reject);
      }),
    );
    ended.then((each) => settle({ kind: 'ended', ended: each }), reject);
  });
}

function journalStamp(stateDir: string, run: string): string {
  return stampText(journalPath(stateDir, run));
}

function runIn(ended: Ended): string | undefined {
  const run = fieldOf(printedIn(ended), 'run');
  return typeof run === 'string' ? run : undefined;
}

/** The refusal with the output of a command that ended without doing its work. */
export function refusalOf(ended: Ended): Refusal {
  const error = fieldOf(printedIn(ended), 'error');
  const { code, message, hint } = isRecord(error) ? error : {};
  if (typeof message === 'string') {
    const shown = typeof hint === 'string' ? hint : undefined;
    return new Refusal(
      statusOfExit(ended.code),
      typeof code === 'string' ? code : 'refused',
      message,
      shown,
    );
  }
  const [, printed] = /^error\[([\w-]+)\]/m.exec(ended.err) ?? [];
  const lines = linesIn(ended.err).filter((line) => line.trim() !== '');
  const at = lines.findIndex((line) => line.startsWith('error['));
  const [said = `the command ended with exit code ${ended.code ?? 'unknown'}`, ...help] =
    at === -1 ? lines.slice(-2) : lines.slice(at);
  const next = help.find((line) => line.trimStart().startsWith('help'));
  return new Refusal(
    statusOfExit(ended.code),
    printed ?? 'refused',
    said.replace(/^error\[[\w-]+\] /, ''),
    next?.replace(/^\s*help\s+/, ''),
  );
}

/** The HTTP status for a command that refused, by its exit code. */
export function statusOfExit(exit: number | undefined): 400 | 409 | 422 {
  if (exit === 2) return 400;
  return exit === 5 ? 409 : 422;
}
