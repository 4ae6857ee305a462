/** The contents of a queued job: a request for a plan, a reviewed plan with its approvals, or a run to
 * continue.
 */
import { isRecord, plainJson, type Json } from '../../base/json.ts';
import { randomId } from '../../base/random.ts';
import { accountNames } from '../../engine/journal/account.ts';
import { journalFormat } from '../../engine/journal/header.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import type { Job } from '../../stores/queue.ts';

/** The version of jobs that a worker reads: that of the bodies below, and of the journals of their runs. */
export const jobFormat = 2;

/** The first version that had each kind of job, so that older workers take the jobs they can read. */
const formats = { run: 1, resume: 1, plan: 2 } as const;

/** The first version whose workers read the journals that this one writes. */
export const writtenFormat = { 1: 1 }[journalFormat];

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
    ...jobOf('run', plan.run, plan.playbook.name, all, by),
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

/** A playbook of the worker's checkout, and the options that a person gave for its plan. */
export interface PlanBody {
  /** The playbook, then the playbooks it uses: the worker's files must be equal byte by byte. */
  readonly files: readonly [FileDigest, ...FileDigest[]];
  /** The inputs as a person gave them, by name; never a secret. */
  readonly inputs: Readonly<Record<string, Json>>;
  readonly only: readonly string[];
  readonly scheduledFor?: string;
  readonly expires?: string;
  /** The persons who ask for the plan, as Git names them: they are authors of the plan. */
  readonly authors: readonly string[];
}

export interface FileDigest {
  /** The path of the file, relative to the working directory. */
  readonly file: string;
  /** The sha256 of the file's bytes. */
  readonly digest: string;
}

const idLength = 12; // 60 bits: collisions are negligible

/** @param profiles the first is that of the plan */
export function planJob(
  playbook: string,
  profiles: readonly string[],
  { files, ...body }: PlanBody,
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
    body: plainJson({ ...body, files }),
  };
}

/** Reads the body of a plan job; undefined for a body that this version did not write. */
export function planBodyOf(body: Json): PlanBody | undefined {
  if (!isRecord(body)) return undefined;
  const { inputs, only, scheduledFor, expires, authors } = body;
  const [first, ...others] = filesIn(body['files']) ?? [];
  if (first === undefined || !isRecord(inputs) || !isTexts(only) || !isTexts(authors)) {
    return undefined;
  }
  if (!isOptionalText(scheduledFor) || !isOptionalText(expires)) return undefined;
  const given = Object.entries(inputs).map(([name, value]) => [name, plainJson(value)] as const);
  return {
    files: [first, ...others],
    inputs: Object.fromEntries(given),
    only,
    ...(scheduledFor !== undefined && { scheduledFor }),
    ...(expires !== undefined && { expires }),
    authors,
  };
}

function filesIn(value: unknown): readonly FileDigest[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const files = value.flatMap((each: unknown) => {
    if (!isRecord(each)) return [];
    const { file, digest } = each;
    return typeof file === 'string' && typeof digest === 'string' ? [{ file, digest }] : [];
  });
  return files.length === value.length ? files : undefined;
}

/** The result of a plan job. */
export interface PlanResult {
  /** The plan as text; absent if the job failed. */
  readonly plan?: string;
  /** The stable name of the error. */
  readonly code?: string;
  /** The texts that the worker printed: code frames of problems, differences, notes. */
  readonly printed: readonly string[];
}

export function planResultOf(result: Json | undefined): PlanResult {
  if (!isRecord(result)) return { printed: [] };
  const { plan, code, printed } = result;
  return {
    ...(typeof plan === 'string' && { plan }),
    ...(typeof code === 'string' && { code }),
    printed: isTexts(printed) ? printed : [],
  };
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
  if (!isRecord(body)) return undefined;
  const { plan, records } = body;
  if (typeof plan !== 'string' || !isTexts(records)) return undefined;
  return { plan, records };
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
