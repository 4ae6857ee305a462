/** `completion`: prints the script for completion in a shell. */
import { exits, type ExitCode } from '../../base/error.ts';
import { scripts, shells } from '../completion/scripts.ts';
import { oneOf, type Context, type Args } from '../context.ts';

export function run(context: Context, args: Args): Promise<ExitCode> {
  const shell = oneOf(args.positionals[0] ?? '', shells, 'the shell');
  context.terminal.out.write(scripts[shell]);
  return Promise.resolve(exits.done);
}
