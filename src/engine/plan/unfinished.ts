/** Earlier runs of the playbook that did not end, and the writes that a new run would repeat. */
import { count, plainText, shellWord } from '../../base/text.ts';
import { integer, list, record, text, type Infer } from '../../exchange/api/schema.ts';
import { canonicalAddress } from '../journal/identity.ts';
import { canDouble, type LeftAside, type LeftByRun } from '../journal/unfinished.ts';

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

/** The parts of a planned step that are compared with the writes of other runs. */
export interface PlannedCreations {
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
  steps: readonly PlannedCreations[],
): readonly UnfinishedRun[] {
  const planned = createdIn(steps);
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

/** The addresses of what a plan creates. */
function createdIn(steps: readonly PlannedCreations[]): ReadonlySet<string> {
  return new Set(addressesOf('create', steps));
}

function addressesOf(kind: string, steps: readonly PlannedCreations[]): readonly string[] {
  const actions = steps.flatMap((step) =>
    step.actions.filter(({ change }) => change.kind === kind),
  );
  return actions.map(({ address }) => canonicalAddress(address));
}

/** Whether a plan creates something at an address, or may: items and conditions may be known only during the run. */
export function mayCreateIn(steps: readonly PlannedCreations[]): (address: string) => boolean {
  const created = createdIn(steps);
  const later = addressesOf('later', steps);
  return (given) => {
    const address = canonicalAddress(given);
    return created.has(address) || later.some((whole) => isWithin(address, whole));
  };
}

/** Whether an address is that of a step or an item, or of one within it. */
function isWithin(address: string, whole: string): boolean {
  return address === whole || address.startsWith(`${whole}[`) || address.startsWith(`${whole}/`);
}

/** The note about a run that was set aside, if the plan creates something: nothing of that run counts as done. */
export function asideNotes(
  aside: LeftAside | undefined,
  steps: readonly PlannedCreations[],
): readonly string[] {
  const planned = createdIn(steps);
  if (aside === undefined || planned.size === 0) return [];
  const { run, writes, word } = aside;
  const name = plainText(run, 60);
  const inDoubt = writes.filter((write) => write.isInDoubt).length;
  const again = writes.filter(({ address }) => planned.has(canonicalAddress(address))).length;
  const sent = writes.length - inDoubt;
  const parts = [
    ...(sent > 0 ? [`${count(sent, 'write')} sent`] : []),
    ...(inDoubt > 0 ? [`${inDoubt} in doubt`] : []),
  ];
  const repeats = again === 0 ? 'its own beside them' : `${again} of them a second time`;
  return [
    `run ${name} was set aside by ${plainText(word.who, 60)} with ${parts.join(', ')}; this plan places ${repeats}; to do only the rest: \`deskhand runs show ${shellWord(run)}\``,
  ];
}
