/** A desk's open tasks for a person: doubts first, then damaged records, then waiting, missed or
 * drifted work.
 */
import { choice, optional, record, text, type Infer } from '../../exchange/api/schema.ts';
import type { Millis } from '../../base/clock.ts';
import { count, listed, shellWord } from '../../base/text.ts';
import type { PlanRow } from './approvals/plan-row.ts';
import type { RunRow } from './run-row.ts';
import { moment } from './shapes.ts';

/** Kinds of needs, the most urgent first. */
const kinds = ['doubt', 'damaged', 'unfinished', 'approval', 'missed', 'drift'] as const;

export const needs = record({
  kind: choice(kinds),
  desk: text(),
  run: optional(text()),
  schedule: optional(text({ description: 'Its id' })),
  plan: optional(text({ description: 'A plan that waits for approval' })),
  cause: text({ description: 'The cause in its present state, to acknowledge it' }),
  at: optional(moment('When it began, or was noticed')),
  title: text(),
  label: text({ description: 'In a few words, such as `1 in doubt`' }),
  text: text({ description: 'What happened' }),
  action: optional(text({ description: 'What its page offers, in a word or two' })),
  command: optional(text({ description: 'A command that continues' })),
});

/** A need that a person acknowledged. */
export const acknowledgedNeed = record({
  desk: text(),
  title: text(),
  label: text(),
  who: text(),
  at: moment('When it was acknowledged'),
  reason: text(),
});

export type Need = Infer<typeof needs>;

/**
 * The needs of a desk, the most urgent kinds first.
 * @param rows newest first
 * @param plans saved plans of accounts that require approvals
 * @param others of schedules and of the last `drift`
 * @param now by the clock of this machine
 */
export function needsOf(
  rows: readonly RunRow[],
  plans: readonly PlanRow[],
  others: readonly Need[],
  now: Millis,
): readonly Need[] {
  const ofRuns = rows.flatMap((row) => {
    const need = needOf(row);
    return [...(need === undefined ? [] : [need]), ...answersOf(row, now)];
  });
  const waiting = plans.filter(({ state }) => state === 'waiting');
  // A scheduled run that waits for one of these plans is the same need.
  const isKnown = ({ command = '' }: Need): boolean =>
    waiting.some(({ plan }) => command.endsWith(plan)) ||
    ofRuns.some(({ run = '' }) => command.split(' ').includes(run)); // the run that blocks it
  const rest = others.filter((need) => !isKnown(need));
  const all = [...ofRuns, ...waiting.map(approvalOf), ...rest];
  return all.toSorted((a, b) => rank(a) - rank(b));
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
    cause: `approval ${plan} ${records}`,
    at: row.observedAt,
    label: 'waits for approval',
    action: 'Review',
    text: `${what} on ${listed([profile, ...otherAccounts])}; it has ${records} of ${count(required, 'approval')}.`,
    command: `deskhand approve ${plan}`,
  };
}

/** The steps of a run that wait for an approval, until their time is over. */
function answersOf({ desk, run, playbook, asks = [], state }: RunRow, now: Millis): Need[] {
  const open = state === 'running' ? asks : asks.filter(({ until }) => until > now);
  return open.map(({ step, text: words, at, until }) => ({
    kind: 'approval',
    desk,
    run,
    title: `${playbook} ${run}`.trim(),
    cause: `asked ${run} ${step} ${until}`,
    at,
    label: 'waits for approval',
    action: 'Review',
    text: `${step} asks: ${words}`,
    command: `deskhand approve ${shellWord(run)} ${shellWord(step)}`,
  }));
}

function needOf(row: RunRow): Need | undefined {
  if (row.setAside !== undefined) return undefined; // a person answers for it
  const { desk, run, playbook, state, doubts, what } = row;
  const cause = `run ${run} ${row.seq}`;
  const at = row.startedAt + row.tookMs;
  const place = { desk, run, cause, title: `${playbook} ${run}`.trim(), ...(at > 0 && { at }) };
  if (doubts > 0) {
    return {
      ...place,
      kind: 'doubt',
      label: `${doubts} in doubt`,
      text: `${count(doubts, 'write')} may or may not have happened.`,
      action: 'Settle',
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
        action: 'Resume',
      };
    case 'running':
    case 'done':
    case 'stopped':
    case 'not-begun':
      return undefined;
  }
}
