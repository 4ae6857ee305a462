/** Plans and runs inside another program, with the guarantees of the command line. */
import { fieldOf } from '../../base/json.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import type { PlanOptions, ResumeOptions, RunOptions, ValidateOptions } from './options.ts';
import { inProgress, type RunInProgress } from './progress.ts';
import type { Validation } from './validation.ts';

/**
 * Validates playbooks offline, as `deskhand validate`.
 * @throws DeskhandError when a file or the configuration cannot be read
 */
export async function validate(options: ValidateOptions): Promise<Validation> {
  return (await import('./prepare.ts')).validated(options);
}

/**
 * Reads the account and plans what a run would do, as `deskhand plan`; sends no writes. The plan is
 * JSON and saved in the state folder, where it can be approved.
 * @throws DeskhandError
 */
export async function plan(options: PlanOptions): Promise<Plan> {
  return (await import('./prepare.ts')).planned(options);
}

/** Starts a plan or a playbook now, as `deskhand run`. */
export function run(options: RunOptions): RunInProgress {
  return inProgress(fieldOf(options, 'signal'), async (control) =>
    (await import('./execute.ts')).started(options, control),
  );
}

/** Continues a run now, as `deskhand resume`: it settles requests in doubt first. */
export function resume(options: ResumeOptions): RunInProgress {
  return inProgress(fieldOf(options, 'signal'), async (control) =>
    (await import('./execute.ts')).resumed(options, control),
  );
}

export type { Plan } from '../../engine/plan/plan.ts';
export type {
  AccountKey,
  PlanOptions,
  ResumeOptions,
  RunOptions,
  ValidateOptions,
} from './options.ts';
export type { Notice } from './notice.ts';
export type { RunOutcome } from './run-outcome.ts';
export type { RunEvent, RunInProgress } from './progress.ts';
export type { RunReport } from '../running/report.ts';
export type { Validation, ValidationProblem } from './validation.ts';
