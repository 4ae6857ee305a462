/** `decline`: signs a record that a plan must not be run, or that a run must not continue. */
import type { ExitCode } from '../../base/error.ts';
import { namesRun, recordAnswer } from '../approval/step-answer.ts';
import { recordDecision } from '../approval/decision.ts';
import type { Context, Args } from '../context.ts';

export function run(context: Context, args: Args): Promise<ExitCode> {
  if (namesRun(args.positionals)) return recordAnswer('decline', context, args);
  return recordDecision('decline', context, args);
}
