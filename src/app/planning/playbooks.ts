/** Playbooks checked for a plan or a run, with their inputs. */
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import process from 'node:process';
import type { Millis } from '../../base/clock.ts';
import { sha256, type Json } from '../../base/json.ts';
import { readRegular } from '../../base/read-file.ts';
import { count } from '../../base/text.ts';
import { readInside } from '../../base/workspace.ts';
import { itemsMaxOf, type Config } from '../config/load.ts';
import { Moment, type Value } from '../../language/expression/value.ts';
import type { ReadIncluded } from '../../language/includes.ts';
import { originOf } from '../../language/origin.ts';
import { resolveInputs } from '../../language/inputs.ts';
import { loadPlaybook, type Loading } from '../../language/load.ts';
import type { Playbook } from '../../language/playbook.ts';
import type { Problem } from '../../language/problem.ts';
import { folderOf, type AppContext } from '../app-context.ts';
import { InvalidError } from './invalid.ts';
import type { KeptPlaybook } from '../running/note.ts';
import { withoutOptimizing } from '../machine/optimizing.ts';
import { reasonsIn } from './reasons.ts';
import { textIn } from '../machine/text-in.ts';

/**
 * Loads a playbook from the bytes of its file; its problems are noted.
 * @throws InvalidError when one of them is an error
 */
export function loadBytes(
  bytes: Uint8Array,
  path: string,
  config: Config,
  context: AppContext,
): Playbook {
  const text = textIn(bytes, path);
  const file = path === '-' ? 'stdin' : path;
  const itemsMax = itemsMaxOf(config, context.globals.profile);
  return proved({ file, text }, context, { itemsMax, include: includedFrom(folderOf(context)) });
}

/** Reads playbooks of the working folder; a link that leads out of it is not followed. */
export function includedFrom(folder: string): ReadIncluded {
  return (file) => {
    try {
      return readInside(folder, pathFrom(folder, file));
    } catch (error) {
      if (error instanceof Error && 'code' in error) return undefined;
      throw error;
    }
  };
}

/** Reads playbooks of the current folder; a link that leads out of it is not followed. */
export const includedHere: ReadIncluded = (file) => includedFrom(process.cwd())(file);

/** A file name, resolved from a folder unless it is absolute. */
export function pathFrom(folder: string, file: string): string {
  return isAbsolute(file) ? file : join(folder, file);
}

/** Loads a playbook from a stored text. By default, nested playbooks are those stored with it. */
export function proved(
  { file, text, includes: kept = [] }: KeptPlaybook,
  context: Pick<AppContext, 'note' | 'isOwnProcess'>,
  options: Pick<Loading, 'include' | 'itemsMax' | 'isBegun' | 'isResumed'>,
): Playbook {
  const include: ReadIncluded = (name) => kept.find((other) => other.file === name)?.text;
  const load = (): ReturnType<typeof loadPlaybook> =>
    loadPlaybook(text, file, { include, ...options });
  const { playbook, problems, includes } = context.isOwnProcess
    ? withoutOptimizing(text.length, load)
    : load();
  const own = { file, text, includes };
  if (playbook === undefined) throw reportInPlace(problems, own, context);
  if (problems.length > 0) context.note({ kind: 'problems', problems, playbook: own });
  return playbook;
}

/**
 * The playbook of a resumed run, with the rules it started under.
 * @param itemsMax the highest limit of its profile since it started
 */
export function provedAgain(
  { playbook, naming }: { readonly playbook: KeptPlaybook; readonly naming?: 2 },
  itemsMax: number,
  context: AppContext,
): Playbook {
  const rules = { isBegun: naming === undefined, isResumed: true };
  return proved(playbook, context, { itemsMax: () => itemsMax, ...rules });
}

/** Notes problems, each at its location. @returns the error with their count */
export function reportInPlace(
  problems: readonly Problem[],
  playbook: KeptPlaybook,
  { note }: Pick<AppContext, 'note'>,
): InvalidError {
  note({ kind: 'problems', problems, playbook });
  const errors = problems.filter(({ level }) => level === 'error');
  const rule = errors[0]?.code;
  return new InvalidError(
    `${playbook.file} has ${count(errors.length, 'error')}`,
    rule && `explain a rule: deskhand explain ${rule}`,
    reasonsIn(problems),
  );
}

/** The name of a file of a stored playbook that has changed since; a missing file proves nothing. */
export async function changedSince(
  { file, digest, includes = [] }: KeptPlaybook & { readonly digest: string },
  context: Pick<AppContext, 'folder'>,
): Promise<string | undefined> {
  for (const kept of [{ file, digest }, ...includes]) {
    const path = pathFrom(folderOf(context), kept.file);
    if (!existsSync(path)) continue;
    if (sha256((await readRegular(path)).toString('utf8')) !== kept.digest) return kept.file;
  }
  return undefined;
}

/** Reads inputs from the environment: the values of `DESKHAND_VAR_name`. */
export function inputsOfEnvironment(
  { inputs }: Playbook,
  env: AppContext['env'],
): ReadonlyMap<string, Json> {
  const named = [...inputs.keys()].map((name) => [name, env[`DESKHAND_VAR_${name}`]] as const);
  return new Map(
    named.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}

/** The inputs of a run. All problems are noted. @throws InvalidError */
export function inputsOf(
  playbook: Playbook,
  args: ReadonlyMap<string, Json>,
  times: { readonly time: Millis; readonly scheduledFor?: Millis | undefined },
  { note }: Pick<AppContext, 'note'>,
): Readonly<Record<string, Value>> {
  const { time, scheduledFor = time } = times;
  const { inputs, problems } = resolveInputs(playbook, args, {
    time: new Moment(time),
    scheduledFor: new Moment(scheduledFor),
  });
  if (problems.length === 0) return inputs;
  note({ kind: 'inputs', problems });
  const areInFiles = problems.every(({ name }) => originOf(args.get(name)) !== undefined);
  throw new InvalidError(
    `${count(new Set(problems.map(({ name }) => name)).size, 'input')} of ${playbook.name} cannot be used`,
    areInFiles
      ? 'correct the file, and repeat the command'
      : 'give a value with --var name=value or --var-file FILE',
    problems,
  );
}
