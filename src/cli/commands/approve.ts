/** `approve`: somebody's signed word that a plan may be run. */
import type { ExitCode } from '../../base/error.ts';
import { giveVerdict } from '../approval/verdict.ts';
import type { Context, Given } from '../context.ts';

export function run(context: Context, given: Given): Promise<ExitCode> {
  return giveVerdict('approve', context, given);
}
