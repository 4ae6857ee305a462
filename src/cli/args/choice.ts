/** The flags that choose parts of a plan: `--only`, `--scheduled-for` and `--expires`. */
import type { PlanChoice } from '../../app/planning/chosen.ts';
import type { Args } from '../context.ts';

export function choiceIn(args: Args): PlanChoice {
  const scheduledFor = args.text('scheduled-for');
  const expires = args.text('expires');
  return {
    only: args.texts('only'),
    ...(scheduledFor !== undefined && { scheduledFor }),
    ...(expires !== undefined && { expires }),
  };
}
