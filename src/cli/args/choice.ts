/** The flags that choose parts of a plan: `--only`, `--from` and `--of`, `--scheduled-for` and `--expires`. */
import { UsageError } from '../../base/error.ts';
import type { PlanChoice } from '../../app/planning/chosen.ts';
import type { ReuseChoice } from '../../app/planning/reuse.ts';
import type { Args } from '../context.ts';

export function choiceIn(args: Args): PlanChoice {
  const scheduledFor = args.text('scheduled-for');
  const expires = args.text('expires');
  const reuse = reuseIn(args);
  return {
    only: args.texts('only'),
    ...(reuse && { reuse }),
    ...(scheduledFor !== undefined && { scheduledFor }),
    ...(expires !== undefined && { expires }),
  };
}

/** `--from STEP --of RUN`. @throws UsageError for one without the other, or beside a flag that excludes them */
function reuseIn(args: Args): ReuseChoice | undefined {
  const [from, of] = [args.texts('from'), args.text('of')];
  if (from.length === 0 && of === undefined) return undefined;
  if (from.length === 0 || of === undefined) {
    throw new UsageError(
      '--from and --of belong together: the first step to execute, and the run that did the others',
      'such as --from report --of r-20260102-030405-abcd',
    );
  }
  const other = ['only', 'scheduled-for'].find(
    (flag) => args.texts(flag).length > 0 || args.text(flag),
  );
  if (other !== undefined) throw new UsageError(`--${other} cannot be combined with --from`);
  if (args.isOn('queue')) {
    throw new UsageError(
      '--from plans where its files are, not on a worker',
      'omit --queue, then queue the plan: deskhand run PLAN --queue',
    );
  }
  return { from, of };
}
