/** Plans as files: saved beside the runs, read back only when not one byte of them was changed. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, UsageError } from '../base/error.ts';
import { isRecord, readableJson } from '../base/json.ts';
import { makeFolder, replaceFile } from '../journal/file.ts';
import { isSealed } from './digest.ts';
import type { Plan } from './plan.ts';
import { beginsSealed, brokenSeal, sealOf } from './seal.ts';
import { StalePlanError } from './stale.ts';

/** Saves a plan under the state folder, or at `path`. @returns where it is */
export async function savePlan(stateDir: string, plan: Plan, path?: string): Promise<string> {
  const folder = join(stateDir, 'plans');
  if (path === undefined) await makeFolder(folder);
  const file = path ?? join(folder, `${plan.id}.json`);
  await replaceFile(file, textOf(plan));
  return file;
}

function textOf(plan: Plan): string {
  const body = readableJson(plan);
  return `${sealOf(body)}\n${body}`;
}

/**
 * Reads a saved plan.
 * @throws UsageError when the file is no plan; StalePlanError when it was changed after saving
 */
export async function readPlan(path: string): Promise<Plan> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new UsageError(`the plan ${path} cannot be read`, messageOf(error));
  });
  const text = bytes.toString('utf8');
  if (!beginsSealed(text)) throw noPlan(path);
  const cut = text.indexOf('\n');
  const body = text.slice(cut + 1);
  const broken = brokenSeal(text.slice(0, cut), body);
  if (broken !== undefined) {
    throw new StalePlanError(`${path} was changed after it was saved: ${broken}`);
  }
  const plan = planIn(body);
  if (plan === undefined) throw noPlan(path);
  // Bytes, not letters: what is no letter at all reads like any other that is none.
  if (Buffer.from(textOf(plan)).equals(bytes) && isSealed(plan)) return plan;
  throw new StalePlanError(
    `${path} was not written by deskhand: its digest is not of what it says`,
  );
}

function noPlan(path: string): UsageError {
  return new UsageError(
    `${path} is no plan of this version`,
    'make one of a playbook: deskhand plan FILE --out plan.json',
  );
}

/** The seal vouches for the rest. */
function planIn(body: string): Plan | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isPlan(value) ? value : undefined;
  } catch {
    return undefined; // the caller names the file
  }
}

function isPlan(value: unknown): value is Plan {
  return isRecord(value) && value['version'] === 1 && isRecord(value['playbook']);
}
