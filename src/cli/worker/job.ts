/** What a queued job carries: a reviewed plan with its approvals, or the run to continue. */
import { isRecord, type Json } from '../../base/json.ts';
import { accountNames } from '../../journal/account.ts';
import type { Destination } from '../../journal/entry.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Job } from '../../state-store/queue.ts';

/** Version of the bodies below. */
export const jobFormat = 1;

export interface RunBody {
  /** The plan as saved, with its seal. */
  readonly plan: string;
  /** Signed records about the plan, as files. */
  readonly records: readonly string[];
}

/** A job for a plan, by the id of its run. */
export function runJob(plan: Plan, body: RunBody, by: string): Job {
  const all = [plan.destination, ...(plan.accounts ?? [])];
  return {
    ...jobOf(plan.run, plan.playbook.name, all, by),
    kind: 'run',
    body: { ...body, records: [...body.records] },
  };
}

export interface ToResume {
  readonly run: string;
  readonly playbook: string;
  readonly accounts: readonly Destination[];
}

export function resumeJob({ run, playbook, accounts }: ToResume, by: string): Job {
  return { ...jobOf(run, playbook, accounts, by), kind: 'resume', body: null };
}

function jobOf(
  id: string,
  playbook: string,
  accounts: readonly Destination[],
  by: string,
): Omit<Job, 'kind' | 'body'> {
  return {
    id,
    playbook,
    profiles: [...new Set(accounts.map(({ profile }) => profile))],
    accounts: [...new Set(accounts.flatMap(accountNames))],
    format: jobFormat,
    by,
  };
}

/** Undefined for what this version did not write. */
export function runBodyOf(body: Json): RunBody | undefined {
  if (!isRecord(body)) return undefined;
  const { plan, records } = body;
  if (typeof plan !== 'string' || !isTexts(records)) return undefined;
  return { plan, records };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
