/** What needs a person: doubts first, then damaged records, then runs that ended without an end. */
import { choice, optional, record, text, type Infer } from '../api/schema.ts';
import { count, shellWord } from '../base/text.ts';
import type { PlanRow } from './approvals/plan-row.ts';
import type { RunRow } from './run-row.ts';

export const needs = record({
  kind: choice(['doubt', 'damaged', 'unfinished', 'approval']),
  desk: text(),
  run: text({ description: 'Empty for a plan' }),
  plan: optional(text({ description: 'A plan that waits for approval' })),
  title: text(),
  label: text({ description: 'In a few words, such as `1 in doubt`' }),
  text: text({ description: 'What happened, and what the command does' }),
  command: optional(text({ description: 'A command that continues' })),
});

export type Need = Infer<typeof needs>;

const needsMax = 50; // more are not read one by one; the filter finds them

/** @param rows newest first @param plans saved plans of accounts that require approvals */
export function needsOf(rows: readonly RunRow[], plans: readonly PlanRow[]): readonly Need[] {
  const ofRuns = rows.flatMap((row) => {
    const need = needOf(row);
    return need === undefined ? [] : [need];
  });
  const all = [...ofRuns, ...plans.filter(({ state }) => state === 'waiting').map(approvalOf)];
  return all.toSorted((a, b) => rank(a) - rank(b)).slice(0, needsMax);
}

function rank({ kind }: Need): number {
  return ['doubt', 'damaged', 'unfinished', 'approval'].indexOf(kind);
}

function approvalOf({ desk, plan, playbook, profile, what, records, required }: PlanRow): Need {
  return {
    kind: 'approval',
    desk,
    run: '',
    plan,
    title: `${playbook} ${plan}`,
    label: 'waits for approval',
    text: `${what} on ${profile}; it has ${records} of ${count(required, 'approval')}.`,
    command: `deskhand approve ${plan}`,
  };
}

function needOf(row: RunRow): Need | undefined {
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
