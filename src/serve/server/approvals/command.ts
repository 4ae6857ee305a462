/** Commands of a desk whose answer a page waits for. */
import { deadline, minute, type Millis } from '../../../base/clock.ts';
import { printedIn, startProcess } from '../../../app/machine/start-process.ts';
import { refusalOf } from '../actions/begin.ts';
import { commandOf, type CommandPlace } from '../actions/launch.ts';
import type { Actions } from '../context.ts';

const longest: Millis = minute; // they only read

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
  const ended = await turns.take(async () => {
    const limit = deadline(longest, () => new Error('late'));
    const { signal } = limit;
    const purpose = { kind: 'answers', input, signal } as const;
    return startProcess(program, commandOf(desk, words), purpose).ended.finally(() =>
      limit.cancel(),
    );
  });
  const printed = printedIn(ended);
  if (ended.code === 0 && printed !== undefined) return printed;
  throw refusalOf(ended);
}
