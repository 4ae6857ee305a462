/** A playbook from the command line: validated with its inputs, or all problems shown. */
import { existsSync } from 'node:fs';
import process from 'node:process';
import type { Millis } from '../../base/clock.ts';
import { UsageError } from '../../base/error.ts';
import { isRecord, plainJson, sha256, type Json } from '../../base/json.ts';
import { readRegular } from '../../base/read-file.ts';
import { count, plainText } from '../../base/text.ts';
import { readInside } from '../../base/workspace.ts';
import { itemsMaxOf, type Config } from '../../config/load.ts';
import { Moment, type Value } from '../../playbook/expression/value.ts';
import { codeFrame, problemsAsGithub } from '../../playbook/format.ts';
import type { ReadIncluded } from '../../playbook/includes.ts';
import { resolveInputs } from '../../playbook/inputs.ts';
import { loadPlaybook, type Loading } from '../../playbook/load.ts';
import type { Included, Playbook } from '../../playbook/playbook.ts';
import type { Problem } from '../../playbook/problem.ts';
import { readYaml } from '../../playbook/source.ts';
import type { Context, Args } from '../context.ts';
import { withoutOptimizing } from '../session/optimizing.ts';
import { readArgument, textIn } from './files.ts';
import { InvalidError } from './invalid.ts';
import { pairsOf } from './pairs.ts';

/**
 * Loads a playbook; its problems are shown as code frames.
 * @throws InvalidError when one of them is an error
 */
export async function loadArguments(
  path: string,
  config: Config,
  context: Context,
): Promise<Playbook> {
  return loadBytes(await readArgument(path, context.terminal), path, config, context);
}

/** The same for the bytes of a file that was already read. */
export function loadBytes(
  bytes: Uint8Array,
  path: string,
  config: Config,
  context: Context,
): Playbook {
  const text = textIn(bytes, path);
  const file = path === '-' ? 'stdin' : path;
  const itemsMax = itemsMaxOf(config, context.globals.profile);
  return proved({ file, text }, context, { itemsMax, include: includedHere });
}

/** Playbooks of the working folder; a link that leaves it is not followed. */
export const includedHere: ReadIncluded = (file) => {
  try {
    return readInside(process.cwd(), file);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
};

/** A playbook as stored in a journal or a plan. */
export interface KeptPlaybook {
  readonly file: string;
  readonly text: string;
  readonly includes?: readonly Included[];
}

/** The same for a given text; by default, nested playbooks are those stored with it. */
export function proved(
  { file, text, includes: kept = [] }: KeptPlaybook,
  context: Context,
  options: Pick<Loading, 'include' | 'itemsMax' | 'isBegun'>,
): Playbook {
  const include: ReadIncluded = (name) => kept.find((other) => other.file === name)?.text;
  const { playbook, problems, includes } = withoutOptimizing(text.length, () =>
    loadPlaybook(text, file, { include, ...options }),
  );
  if (playbook === undefined) throw reportInPlace(problems, { file, text, includes }, context);
  if (!context.globals.isQuiet) showFrames(problems, { file, text, includes }, context);
  return playbook;
}

/**
 * The playbook of a resumed run, with the rules it started under.
 * @param itemsMax the highest limit of its profile since it started
 */
export function provedAgain(
  { playbook, naming }: { readonly playbook: KeptPlaybook; readonly naming?: 2 },
  itemsMax: number,
  context: Context,
): Playbook {
  return proved(playbook, context, { itemsMax: () => itemsMax, isBegun: naming === undefined });
}

/** Shows problems, each at its location. @returns the error with their count */
export function reportInPlace(
  problems: readonly Problem[],
  kept: KeptPlaybook,
  context: Context,
): InvalidError {
  const { terminal } = context;
  const { file, text } = kept;
  showFrames(problems, kept, context);
  if (terminal.env['GITHUB_ACTIONS'] === 'true') {
    terminal.err.command(problemsAsGithub([{ file, text, problems }]));
  }
  const errors = problems.filter(({ level }) => level === 'error');
  const rule = errors[0]?.code;
  return new InvalidError(
    `${file} has ${count(errors.length, 'error')}`,
    rule && `explain a rule: deskhand explain ${rule}`,
  );
}

function showFrames(
  problems: readonly Problem[],
  { text, includes = [] }: KeptPlaybook,
  { terminal: { err } }: Context,
): void {
  for (const problem of problems) {
    const own = includes.find((other) => other.file === problem.at.file)?.text ?? text;
    err.line(`${codeFrame(problem, own, { color: err.theme.hasColour }).trimEnd()}\n`);
  }
}

/** Which file of a stored playbook has changed; a missing file proves nothing. */
export async function changedSince({
  file,
  digest,
  includes = [],
}: KeptPlaybook & { readonly digest: string }): Promise<string | undefined> {
  for (const kept of [{ file, digest }, ...includes]) {
    if (!existsSync(kept.file)) continue;
    if (sha256((await readRegular(kept.file)).toString('utf8')) !== kept.digest) return kept.file;
  }
  return undefined;
}

/** Values from the environment, `--var-file` and `--var`; later ones take precedence. */
export async function givenInputs(
  playbook: Playbook,
  args: Args,
  { terminal }: Context,
): Promise<ReadonlyMap<string, Json>> {
  const values = new Map<string, Json>();
  for (const name of playbook.inputs.keys()) {
    const value = terminal.env[`DESKHAND_VAR_${name}`];
    if (value !== undefined) values.set(name, value);
  }
  for (const file of args.texts('var-file')) {
    const read = readYaml(await readArgument(file, terminal), file);
    if (!isRecord(read)) throw new UsageError(`${file} must contain a mapping of inputs`);
    for (const [name, value] of Object.entries(read)) values.set(name, plainJson(value));
  }
  for (const [name, value] of pairsOf(args.texts('var'), 'an input')) values.set(name, value);
  return values;
}

/** The inputs of a run. @throws InvalidError with all problems */
export function inputsOf(
  playbook: Playbook,
  args: ReadonlyMap<string, Json>,
  times: { readonly time: Millis; readonly scheduledFor?: Millis | undefined },
  { terminal }: Context,
): Readonly<Record<string, Value>> {
  const { time, scheduledFor = time } = times;
  const { inputs, problems } = resolveInputs(playbook, args, {
    time: new Moment(time),
    scheduledFor: new Moment(scheduledFor),
  });
  if (problems.length === 0) return inputs;
  const { err } = terminal;
  for (const { message, hint } of problems) {
    const help = hint === undefined ? '' : `  (${plainText(hint)})`;
    err.line(`${err.theme.paint('bad', err.theme.glyphs.failed)} ${plainText(message)}${help}`);
  }
  throw new InvalidError(
    `${count(problems.length, 'input')} of ${playbook.name} cannot be used`,
    'give a value with --var name=value or --var-file FILE',
  );
}
