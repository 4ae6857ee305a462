/** Plans as files: saved next to the runs, and read back only if no value was changed. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, UsageError } from '../../base/error.ts';
import {
  decodeUtf8,
  fieldOf,
  isRecord,
  JsonError,
  parseJson,
  readableJson,
  sha256,
  type Json,
} from '../../base/json.ts';
import { refuseInexact } from '../../base/json-numbers.ts';
import { readRegular, UnreadableError } from '../../base/read-file.ts';
import type { OwnKind } from '../../base/own-file.ts';
import { makeFolder, replaceFile, replaceOwnFile } from '../journal/file.ts';
import { isSealed } from './digest.ts';
import type { Plan } from './plan.ts';
import { planProblems } from './plan-schema.ts';
import { changedParts } from './seal.ts';
import { StalePlanError } from './stale.ts';

/** The kind of file of saved plans, in any format, even if one was edited. */
export const planFile: OwnKind = {
  name: 'a plan',
  isOurs: (text) => ownKeys.every((key) => text.includes(`"${key}":`)),
};

const ownKeys = ['version', 'nonce', 'contract', 'isOffline', 'observedAt', 'expiresAt', 'digest'];

/** Saves a plan in the state folder, or at a given path. @returns its path */
export async function savePlan(stateDir: string, plan: Plan, path?: string): Promise<string> {
  if (path !== undefined) {
    await replaceOwnFile(path, sealedText(plan), planFile, 0o600);
    return path;
  }
  const folder = join(stateDir, 'plans');
  await makeFolder(folder);
  const file = join(folder, `${plan.id}.json`);
  await replaceFile(file, sealedText(plan));
  return file;
}

/** The text of a plan's file: JSON, whose format may be changed. */
export function sealedText(plan: Plan): string {
  return readableJson(plan);
}

/**
 * Reads a saved plan.
 * @throws UsageError when the file is not a plan; StalePlanError when it was changed after saving
 */
export async function readPlan(path: string): Promise<Plan> {
  const bytes = await readRegular(path).catch((error: unknown) => {
    if (error instanceof UnreadableError) throw error;
    throw new UsageError(`the plan ${path} cannot be read`, messageOf(error));
  });
  return planIn(bytes, path);
}

/** The keys that distinguish a saved plan from a playbook. */
const traits = /"(?:seal|parts|nonce|contract|isOffline|observedAt|expiresAt|totals|digest)"\s*:/g;

/** Whether a file contains a plan, with any name, even a damaged one. */
export function holdsPlan(bytes: Uint8Array): boolean {
  const text = withoutMark(Buffer.from(bytes).toString('utf8')).trimStart();
  if (text.startsWith('{"seal"')) return true;
  return new Set(text.match(traits)).size > 2;
}

/**
 * The plan in the bytes of a file.
 * @param name of the file, for messages
 * @throws UsageError when they contain none; StalePlanError when they were changed after saving
 */
export function planIn(bytes: Uint8Array, name: string): Plan {
  if (!holdsPlan(bytes)) {
    throw new UsageError(
      `${name} is not a plan`,
      'make a plan of a playbook: deskhand plan FILE --out plan.json',
    );
  }
  const value = contentIn(bytes, name);
  const change = isRecord(value) ? changedParts(value) : undefined;
  if (change !== undefined) throw changedError(name, change);
  if (fieldOf(value, 'version') === 1) {
    throw new StalePlanError(
      `the plan ${name} was made by an earlier version of deskhand without the values it read`,
      'make a new plan',
    );
  }
  if (!isPlan(value)) {
    const [problem] = planProblems(value);
    throw new StalePlanError(
      `the plan ${name} is damaged: ${problem?.message ?? 'it does not have the format of a plan'}`,
    );
  }
  if (isSealed(value)) return value;
  throw new StalePlanError(
    `the plan ${name} was not written by deskhand: its digest is not that of its contents`,
  );
}

/** The JSON of a plan's file. @throws StalePlanError when it has no single meaning */
function contentIn(bytes: Uint8Array, name: string): Json {
  try {
    const text = withoutMark(decodeUtf8(bytes));
    const body = earlierSeal.test(text) ? bodyOfEarlier(text, name) : text;
    const value = parseJson(body);
    refuseInexact(body);
    return value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw changedError(name, error.message);
  }
}

/** Earlier versions wrote a line above the JSON that has the digest of its text. */
const earlierSeal = /^\{"seal":"([0-9a-f]{64})"[^\n]*\n/;

function bodyOfEarlier(text: string, name: string): string {
  const body = text.slice(text.indexOf('\n') + 1);
  if (earlierSeal.exec(text)?.[1] === sha256(body)) return body;
  throw changedError(name, 'its text is not that of its first line');
}

function changedError(name: string, change: string): StalePlanError {
  return new StalePlanError(`the plan ${name} was changed after it was saved: ${change}`);
}

/** The saved plan of a run; undefined if none can be read. */
export async function planOfRun(folder: string, run: string): Promise<Plan | undefined> {
  const names = await readdir(folder).catch(() => []); // no plan was saved
  for (const name of names.filter((each) => /^p-[0-9a-f]{8}\.json$/.test(each))) {
    const plan = await readPlan(join(folder, name)).catch(() => undefined); // unreadable plans are skipped
    if (plan?.run === run) return plan;
  }
  return undefined;
}

/** The text of a file without a byte order mark, which an editor may have added. */
function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, '');
}

/** Whether a JSON value has the format of a plan. */
export function isPlan(value: unknown): value is Plan {
  return planProblems(value).length === 0;
}
