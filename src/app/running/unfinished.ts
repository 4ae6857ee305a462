/** Refuses a run beside one that did not end, unless a person allows it and says why. */
import { DeskhandError, exits } from '../../base/error.ts';
import { plainText, shellWord } from '../../base/text.ts';
import type { Config } from '../config/load.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { locksIn } from '../../engine/journal/lock.ts';
import { setAsideIn } from '../../engine/journal/unfinished.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import type { UnfinishedRun } from '../../engine/plan/unfinished.ts';
import {
  asideWords,
  doubtOfOther,
  unfinishedWords,
  waysOnWords,
} from '../../report/unfinished-runs.ts';

/** The error when another run may have sent what this run would send; nothing was sent. */
export class UnfinishedError extends DeskhandError {
  constructor(message: string, hint: string) {
    const details = { code: 'unfinished', actor: 'operator', exit: exits.heldBack, hint } as const;
    super(`${message}; nothing was sent`, details);
  }
}

/** @throws UnfinishedError when an earlier run of the playbook did not end as done */
export function refuseUnfinished(runs: readonly UnfinishedRun[]): void {
  const [first, ...others] = runs;
  if (first === undefined) return;
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  throw new UnfinishedError(`blocked: ${unfinishedWords(first)}${more}`, waysOnWords(first));
}

/**
 * Refuses, before a person is asked, a run that an unfinished run blocks. An unfinished run that another
 * process may have locked is left out: it is reported when the lock is taken, and everything is checked again
 * under it.
 * @throws UnfinishedError
 */
export async function refuseUnfinishedHere(
  { unfinished = [] }: Pick<Plan, 'unfinished'>,
  { stateDir, state }: Config,
): Promise<void> {
  if (unfinished.length === 0 || state.store !== 'local') return;
  const locks = (await locksIn(stateDir)).filter(({ life }) => life.state !== 'dead');
  const held = new Set(locks.map(({ record }) => record?.holder));
  if (unfinished.some(({ run }) => held.has(run))) return;
  refuseUnfinished(unfinished);
}

/** @throws UnfinishedError when a guard blocks a run beside what another playbook left in doubt */
export function refuseDoubtsOfOthers({ doubts }: Pick<Plan, 'doubts'>): void {
  const [first] = doubts?.writes ?? [];
  if (first === undefined || doubts?.isBlocking !== true) return;
  throw new UnfinishedError(
    `blocked by the guard doubts: ${doubtOfOther(first)} is in doubt`,
    `settle it: \`deskhand resume ${shellWord(first.run)}\``,
  );
}

/** @throws UnfinishedError for a run that a person set aside */
export function refuseSetAside(entries: readonly Entry[], run: string): void {
  const word = setAsideIn(entries);
  if (word === undefined) return;
  throw new UnfinishedError(
    `${asideWords(run, word)}: it is not continued`,
    `see what it sent, and the command that does its rest, with \`deskhand runs show ${shellWord(run)}\``,
  );
}

/** @throws UnfinishedError when a later run of the playbook sent what the rest of this one would send */
export function refuseRepeating(run: string, later: string | undefined): void {
  if (later === undefined) return;
  const id = shellWord(run);
  throw new UnfinishedError(
    `run ${plainText(later, 60)} of the same playbook sent its writes after ${plainText(run, 60)} began: the rest of ${plainText(run, 60)} could do them a second time`,
    `leave it as finished by hand: \`deskhand runs set-aside ${id} --reason WHY\``,
  );
}
