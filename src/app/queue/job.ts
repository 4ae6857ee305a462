/** The contents of a queued job: a request for a plan, a reviewed plan with its approvals, or a run to
 * continue.
 */
import { plainJson, type Json } from '../../base/json.ts';
import { randomId } from '../../base/random.ts';
import { accountNames } from '../../engine/journal/account.ts';
import { journalFormat } from '../../engine/journal/header.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import type { Job } from '../../stores/queue.ts';
import { shapeCheck } from '../../exchange/api/check.ts';
import {
  anything,
  list,
  named,
  optional,
  record,
  text,
  type Infer,
  type Schema,
} from '../../exchange/api/schema.ts';
import { destinationsOf } from '../../engine/journal/account.ts';

/** The version of jobs that a worker reads: that of the bodies below, and of the journals of their runs. */
export const jobFormat = 2;

/** The first version that had each kind of job, so that older workers take the jobs they can read. */
const formats = { run: 1, resume: 1, plan: 2 } as const;

/** The first version whose workers read the journals that this one writes. */
export const writtenFormat = { 1: 1 }[journalFormat];

const runBody = record({
  /** The plan as saved, with its seal. */
  plan: text(),
  /** Signed records about the plan, as files. */
  records: list(text()),
});

export type RunBody = Infer<typeof runBody>;

const isRunBody = shapeCheck(runBody);

/** A job for a plan, by the id of its run. */
export function runJob(plan: Plan, body: RunBody, by: string): Job {
  return {
    ...jobOf('run', plan.run, plan.playbook.name, destinationsOf(plan), by),
    body: { ...body, records: [...body.records] },
  };
}

export interface ToResume {
  readonly run: string;
  /** The approved plan of the run. */
  readonly plan?: string;
  readonly playbook: string;
  readonly accounts: readonly Destination[];
}

export function resumeJob({ run, playbook, accounts }: ToResume, by: string): Job {
  return { ...jobOf('resume', run, playbook, accounts, by), body: null };
}

const fileDigest = record({
  /** The path of the file, relative to the working directory. */
  file: text(),
  /** The sha256 of the file's bytes. */
  digest: text(),
});

export type FileDigest = Infer<typeof fileDigest>;

const filesOfPlan: Schema<readonly [FileDigest, ...FileDigest[]]> = {
  json: list(fileDigest, { minItems: 1 }).json,
};

/** A playbook of the worker's checkout, and the options that a person gave for its plan. */
const planBody = record({
  /** The playbook, then the playbooks it uses: the worker's files must be equal byte by byte. */
  files: filesOfPlan,
  /** The inputs as a person gave them, by name; never a secret. */
  inputs: named(anything),
  only: list(text()),
  scheduledFor: optional(text()),
  expires: optional(text()),
  /** The persons who ask for the plan, as Git names them: they are authors of the plan. */
  authors: list(text()),
});

export type PlanBody = Infer<typeof planBody>;

const isPlanBody = shapeCheck(planBody);

const idLength = 12; // 60 bits: collisions are negligible

/** @param profiles the first is that of the plan */
export function planJob(
  playbook: string,
  profiles: readonly string[],
  body: PlanBody,
  by: string,
): Job {
  return {
    id: `plan-${randomId(idLength)}`,
    kind: 'plan',
    playbook,
    profiles,
    accounts: [], // it only reads, so it waits for no run
    format: formats.plan,
    by,
    body: plainJson(body),
  };
}

/** Reads the body of a plan job; undefined for a body that this version did not write. */
export function planBodyOf(body: Json): PlanBody | undefined {
  return isPlanBody(body) ? body : undefined;
}

const planResult = record({
  /** The plan as text; absent if the job failed. */
  plan: optional(text()),
  /** The stable name of the error. */
  code: optional(text()),
  /** The texts that the worker printed: code frames of problems, differences, notes. */
  printed: list(text()),
});

/** The result of a plan job. */
export type PlanResult = Infer<typeof planResult>;

const isPlanResult = shapeCheck(planResult);

export function planResultOf(result: Json | undefined): PlanResult {
  return isPlanResult(result) ? result : { printed: [] };
}

function jobOf(
  kind: 'run' | 'resume',
  id: string,
  playbook: string,
  accounts: readonly Destination[],
  by: string,
): Omit<Job, 'body'> {
  return {
    id,
    kind,
    playbook,
    profiles: [...new Set(accounts.map(({ profile }) => profile))],
    accounts: [...new Set(accounts.flatMap(accountNames))],
    format: formats[kind],
    by,
  };
}

/** Reads the body of a run job; undefined for a body that this version did not write. */
export function runBodyOf(body: Json): RunBody | undefined {
  return isRunBody(body) ? body : undefined;
}
