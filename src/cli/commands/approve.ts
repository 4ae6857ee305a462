/** `approve`: signs an approval of a plan, or makes a passkey that can. */
import { UsageError, type ExitCode } from '../../base/error.ts';
import { recordDecision } from '../approval/decision.ts';
import type { Context, Args } from '../context.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const hasPlan = args.positionals.length > 0;
  if (args.isOn('enroll')) {
    if (hasPlan) throw new UsageError('--enroll takes no plan', 'deskhand approve --enroll');
    return (await import('../approval/enroll.ts')).enroll(context, args);
  }
  if (!hasPlan) throw new UsageError('the plan is missing', 'deskhand approve PLAN');
  return recordDecision('approve', context, args);
}
