/** `approve` and `decline` as commands of a desk: the page shows and saves what they do. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { alarm, minute, type Millis } from '../../../base/clock.ts';
import { messageOf } from '../../../base/error.ts';
import type { Program } from '../actions/launch.ts';
import type { Actions } from '../context.ts';
import { refusalOf } from '../actions/begin.ts';
import { commandOf, printedIn, type CommandPlace, type Ended } from '../actions/launch.ts';

const longest: Millis = minute; // both compute a plan and send nothing

/**
 * Runs a command in the folder of a desk until it ends, when it has its turn.
 * @param input its stdin
 * @returns the JSON it printed
 * @throws Refusal with what it refused
 */
export async function printedBy(
  { program, turns }: Pick<Actions, 'program' | 'turns'>,
  desk: CommandPlace,
  words: readonly string[],
  input = '',
): Promise<Readonly<Record<string, unknown>>> {
  const ended = await turns.take(() => endedOf(program, desk, words, input));
  const printed = printedIn(ended);
  if (ended.code === 0 && printed !== undefined) return printed;
  throw refusalOf(ended);
}

async function endedOf(
  program: Program,
  place: CommandPlace,
  words: readonly string[],
  input: string,
): Promise<Ended> {
  const { file, args, options } = commandOf(program, place, words);
  const child = spawn(file, args, { ...options, stdio: 'pipe' });
  const stop = alarm(longest, () => child.kill('SIGKILL'));
  try {
    child.stdin.on('error', () => undefined); // it may exit before it has read everything
    child.stdin.end(input);
    const ended = once(child, 'close').catch((error: unknown) => error);
    const [out, err, end] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    if (end instanceof Error) return { code: undefined, out: '', err: messageOf(end) };
    return { code: child.exitCode ?? undefined, out, err };
  } finally {
    stop();
  }
}
