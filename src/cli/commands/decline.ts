/** `decline`: signs a record that a plan must not be run. */
import type { ExitCode } from '../../base/error.ts';
import { recordDecision } from '../approval/decision.ts';
import type { Context, Args } from '../context.ts';

export function run(context: Context, args: Args): Promise<ExitCode> {
  return recordDecision('decline', context, args);
}
