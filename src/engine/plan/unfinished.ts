/** Earlier runs of the playbook that did not end, and the writes that a new run would repeat. */
import { integer, list, record, text, type Infer } from '../../exchange/api/schema.ts';
import { canonicalAddress } from '../journal/identity.ts';
import { canDouble, type LeftByRun } from '../journal/unfinished.ts';

/** An unfinished run as a plan states it. */
const unfinishedRun = record({
  run: text(),
  startedAt: integer({ description: 'Start of the run, by the clock of its machine' }),
  sent: integer({ minimum: 0, description: 'Writes that it did' }),
  inDoubt: integer({ minimum: 0, description: 'Writes that it may have done' }),
  again: integer({ minimum: 0, description: 'Those of both that the plan does again' }),
  doubts: list(text(), { description: 'Addresses of the writes in doubt' }),
});

export const unfinishedRuns = list(unfinishedRun, {
  description: 'Earlier runs of the playbook that block its run: they did not end as done',
});

export type UnfinishedRun = Infer<typeof unfinishedRun>;

/** The parts of a planned step that are compared with unfinished runs. */
interface Planned {
  readonly actions: readonly {
    readonly address: string;
    readonly change: { readonly kind: string };
  }[];
}

/**
 * The unfinished runs that a plan states: those that it could double. What is done once per playbook is found by
 * its content, so it is doubled only if the plan does it with another content, such as a price that was read again.
 */
export function unfinishedBeside(
  left: readonly LeftByRun[],
  steps: readonly Planned[],
): readonly UnfinishedRun[] {
  const created = steps.flatMap(({ actions }) =>
    actions.flatMap(({ address, change }) => (change.kind === 'create' ? [address] : [])),
  );
  const planned = new Set(created.map(canonicalAddress));
  return left.flatMap((all) => {
    const { run, startedAt, writes, sent } = all;
    const doubts = writes.filter(({ isInDoubt }) => isInDoubt);
    const again = writes.filter(({ address }) => planned.has(canonicalAddress(address)));
    if (!canDouble(all) && again.length === 0) return [];
    return [
      {
        run,
        startedAt,
        sent,
        inDoubt: doubts.length,
        again: again.length,
        doubts: doubts.map(({ address }) => address),
      },
    ];
  });
}
