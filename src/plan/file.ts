/** Plans as files: saved beside the runs, read back only when nothing in them was changed. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DeskhandError, exits, UsageError } from '../base/error.ts';
import { isRecord, sha256 } from '../base/json.ts';
import { makeFolder, replaceFile } from '../journal/file.ts';
import type { Plan } from './plan.ts';

/** A plan that may not be run: changed, used, or no longer what a run would do. */
export class StalePlanError extends DeskhandError {
  constructor(message: string) {
    super(`${message}; nothing was sent`, {
      code: 'stale-plan',
      actor: 'reviewer',
      exit: exits.heldBack,
      hint: 'make a new plan and have it reviewed',
    });
  }
}

/** Saves a plan under the state folder, or at `path`. @returns where it is */
export async function savePlan(stateDir: string, plan: Plan, path?: string): Promise<string> {
  const folder = join(stateDir, 'plans');
  if (path === undefined) await makeFolder(folder);
  const file = path ?? join(folder, `${plan.id}.json`);
  const body = JSON.stringify(plan, undefined, 2);
  await replaceFile(file, `${JSON.stringify({ seal: sha256(body) })}\n${body}\n`);
  return file;
}

/**
 * Reads a saved plan.
 * @throws UsageError when the file is no plan; StalePlanError when it was changed after saving
 */
export async function readPlan(path: string): Promise<Plan> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageError(
      `the plan ${path} cannot be read`,
      error instanceof Error ? error.message : '',
    );
  });
  const cut = text.indexOf('\n');
  const seal = parsed(text.slice(0, cut));
  const body = text.slice(cut + 1).trimEnd();
  const plan = parsed(body);
  if (!isRecord(seal) || !isPlan(plan)) throw new UsageError(`${path} is no plan of this version`);
  if (seal['seal'] !== sha256(body))
    throw new StalePlanError(`${path} was changed after it was saved`);
  return plan;
}

/** Whether a file looks like a saved plan rather than a playbook. */
export function looksLikePlan(text: string): boolean {
  return text.startsWith('{"seal":');
}

/** The seal vouches for the rest. */
function isPlan(value: unknown): value is Plan {
  return isRecord(value) && value['version'] === 1 && isRecord(value['playbook']);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller names the file
  }
}

/** Why a plan made now is not the one that was reviewed; undefined when it is. */
export function movedSince(reviewed: Plan, now: Plan): string | undefined {
  if (reviewed.digest === now.digest) return undefined;
  if (reviewed.playbook.digest !== now.playbook.digest) return 'the playbook was changed';
  const changed = now.playbook.includes?.find(
    ({ file, digest }) =>
      reviewed.playbook.includes?.find((before) => before.file === file)?.digest !== digest,
  );
  if (changed !== undefined) return `${changed.file} was changed`;
  for (const step of now.steps) {
    const before = reviewed.steps.find(({ id }) => id === step.id);
    for (const action of step.actions) {
      const was = before?.actions.find(({ address }) => address === action.address);
      if (was === undefined) return `${action.address} is new`;
      if (was.change.kind !== action.change.kind) {
        return `${action.address} was «${was.change.kind}» and is «${action.change.kind}»`;
      }
      if (JSON.stringify(was.input) !== JSON.stringify(action.input)) {
        return `${action.address} would be sent with other values`;
      }
    }
  }
  return 'the account or its inputs moved since';
}
