/** `keys other`: keys of other accounts than a profile's. */
import type { ExitCode } from '../../base/error.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { decide } from '../keys/decide.ts';

export function run(context: Context, args: Args): Promise<ExitCode> {
  outputOf(context, ['text']);
  return decide(context, args, 'other-keys');
}
