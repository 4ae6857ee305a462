/** `approve`: signs an approval of a plan or of a step of a run, or makes a passkey that can. */
import { UsageError, type ExitCode } from '../../base/error.ts';
import { namesRun, recordAnswer } from '../approval/step-answer.ts';
import { recordDecision } from '../approval/decision.ts';
import type { Context, Args } from '../context.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const hasPlan = args.positionals.length > 0;
  if (args.isOn('enroll')) {
    if (hasPlan) throw new UsageError('--enroll takes no plan', 'deskhand approve --enroll');
    return (await import('../approval/enroll.ts')).enroll(context, args);
  }
  if (!hasPlan) throw new UsageError('the plan or run is missing', 'deskhand approve PLAN');
  if (namesRun(args.positionals)) return recordAnswer('approve', context, args);
  return recordDecision('approve', context, args);
}
