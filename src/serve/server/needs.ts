/** A desk's open tasks for a person: doubts first, then damaged records, then waiting, missed or
 * drifted work.
 */
import { choice, optional, record, text, type Infer } from '../../exchange/api/schema.ts';
import { count, listed, shellWord } from '../../base/text.ts';
import type { PlanRow } from './approvals/plan-row.ts';
import type { RunRow } from './run-row.ts';

/** Kinds of needs, the most urgent first. */
const kinds = ['doubt', 'damaged', 'unfinished', 'approval', 'missed', 'drift'] as const;

export const needs = record({
  kind: choice(kinds),
  desk: text(),
  run: optional(text()),
  schedule: optional(text({ description: 'Its id' })),
  plan: optional(text({ description: 'A plan that waits for approval' })),
  title: text(),
  label: text({ description: 'In a few words, such as `1 in doubt`' }),
  text: text({ description: 'What happened, and what the command does' }),
  command: optional(text({ description: 'A command that continues' })),
});

export type Need = Infer<typeof needs>;

const needsMax = 50; // more are not read one by one; the filter finds them

/**
 * The needs of a desk.
 * @param rows newest first
 * @param plans saved plans of accounts that require approvals
 * @param others of schedules and of the last `drift`
 */
export function needsOf(
  rows: readonly RunRow[],
  plans: readonly PlanRow[],
  others: readonly Need[],
): readonly Need[] {
  const ofRuns = rows.flatMap((row) => {
    const need = needOf(row);
    return need === undefined ? [] : [need];
  });
  const waiting = plans.filter(({ state }) => state === 'waiting');
  // A scheduled run that waits for one of these plans is the same need.
  const rest = others.filter(
    ({ command = '' }) => !waiting.some(({ plan }) => command.endsWith(plan)),
  );
  const all = [...ofRuns, ...waiting.map(approvalOf), ...rest];
  return all.toSorted((a, b) => rank(a) - rank(b)).slice(0, needsMax);
}

function rank({ kind }: Need): number {
  return kinds.indexOf(kind);
}

function approvalOf(row: PlanRow): Need {
  const { desk, plan, playbook, profile, otherAccounts = [], what, records, required } = row;
  return {
    kind: 'approval',
    desk,
    plan,
    title: `${playbook} ${plan}`,
    label: 'waits for approval',
    text: `${what} on ${listed([profile, ...otherAccounts])}; it has ${records} of ${count(required, 'approval')}.`,
    command: `deskhand approve ${plan}`,
  };
}

function needOf(row: RunRow): Need | undefined {
  if (row.setAside !== undefined) return undefined; // a person answers for it
  const { desk, run, playbook, state, doubts, what } = row;
  const place = { desk, run, title: `${playbook} ${run}`.trim() };
  if (doubts > 0) {
    return {
      ...place,
      kind: 'doubt',
      label: `${doubts} in doubt`,
      text: `${count(doubts, 'write')} may or may not have happened. Resume looks them up before anything is sent.`,
      command: `deskhand resume ${shellWord(run)}`,
    };
  }
  switch (state) {
    case 'damaged':
      return {
        ...place,
        kind: 'damaged',
        label: 'damaged',
        text: what,
        command: `deskhand runs show ${shellWord(run)}`,
      };
    case 'doubt':
    case 'interrupted':
    case 'unfinished':
      return {
        ...place,
        kind: 'unfinished',
        label: state === 'interrupted' ? 'interrupted' : 'unfinished',
        text: `${what}. Resume continues from what the journal proves.`,
        command: `deskhand resume ${shellWord(run)}`,
      };
    case 'running':
    case 'done':
    case 'stopped':
    case 'not begun':
      return undefined;
  }
}
