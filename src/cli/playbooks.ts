/** A playbook from the command line: proved, with its inputs, or every problem shown. */
import { DeskhandError, exits, UsageError } from '../base/error.ts';
import type { Millis } from '../base/clock.ts';
import { isRecord, plainJson, type Json } from '../base/json.ts';
import { count, plainText } from '../base/text.ts';
import { tightest, type GuardRules } from '../plan/guards.ts';
import { codeFrame, problemsAsGithub } from '../playbook/format.ts';
import { evaluateTemplate } from '../playbook/expression/evaluate.ts';
import { Moment, toJson, type Value } from '../playbook/expression/value.ts';
import { resolveInputs } from '../playbook/inputs.ts';
import { loadPlaybook } from '../playbook/load.ts';
import type { Playbook } from '../playbook/playbook.ts';
import { readYaml } from '../playbook/source.ts';
import type { Context, Given } from './context.ts';
import { readGiven } from './files.ts';
import { pairsOf } from './pairs.ts';

/** A playbook, or inputs for it, that cannot be run; nothing was sent. */
export class InvalidError extends DeskhandError {
  constructor(message: string, hint?: string) {
    super(`${message}; nothing was sent`, {
      code: 'invalid',
      actor: 'author',
      exit: exits.invalid,
      ...(hint !== undefined && { hint }),
    });
  }
}

/**
 * Loads a playbook; its problems are shown as code frames.
 * @throws InvalidError when one of them is an error
 */
export async function loadGiven(path: string, context: Context): Promise<Playbook> {
  const bytes = await readGiven(path, context.terminal);
  return proved(bytes.toString('utf8'), path === '-' ? 'stdin' : path, context);
}

/** The same for a text at hand: the one a journal or a plan keeps. */
export function proved(text: string, file: string, context: Context): Playbook {
  const { terminal, globals } = context;
  const { playbook, problems } = loadPlaybook(text, file);
  const { err } = terminal;
  const errors = problems.filter(({ level }) => level === 'error');
  if (!globals.isQuiet || errors.length > 0) {
    for (const problem of problems) {
      err.line(`${codeFrame(problem, text, { color: err.look.hasColour }).trimEnd()}\n`);
    }
  }
  if (playbook !== undefined) return playbook;
  if (terminal.env['GITHUB_ACTIONS'] === 'true') {
    err.line(problemsAsGithub([{ file, text, problems }]));
  }
  const rule = errors[0]?.code;
  throw new InvalidError(
    `${file} has ${count(errors.length, 'error')}`,
    rule && `explain a rule: deskhand explain ${rule}`,
  );
}

/** Values from `--var-file` and `--var`, the latter deciding. */
export async function givenInputs(
  given: Given,
  { terminal }: Context,
): Promise<ReadonlyMap<string, Json>> {
  const values = new Map<string, Json>();
  for (const file of given.texts('var-file')) {
    const read = readYaml(await readGiven(file, terminal), file);
    if (!isRecord(read)) throw new UsageError(`${file} must hold a map of inputs`);
    for (const [name, value] of Object.entries(read)) values.set(name, plainJson(value));
  }
  for (const [name, value] of pairsOf(given.texts('var'), 'an input')) values.set(name, value);
  return values;
}

/**
 * The inputs of a run.
 * @throws InvalidError naming everything that is wrong with them
 */
export function inputsOf(
  playbook: Playbook,
  given: ReadonlyMap<string, Json>,
  time: Millis,
  { terminal }: Context,
): Readonly<Record<string, Value>> {
  const { inputs, problems } = resolveInputs(playbook, given, { time: new Moment(time) });
  if (problems.length === 0) return inputs;
  const { err } = terminal;
  for (const { name, message, hint } of problems) {
    const help = hint === undefined ? '' : `  (${plainText(hint)})`;
    err.line(
      `${err.look.paint('bad', 'input')} ${plainText(name, 60)}: ${plainText(message)}${help}`,
    );
  }
  throw new InvalidError(
    `${count(problems.length, 'input')} of ${playbook.name} cannot be used`,
    'give a value with --var name=value or --var-file FILE',
  );
}

/** The limits in force: the profile's, tightened by the playbook's own. */
export function rulesOf(
  { guards }: Playbook,
  inputs: Readonly<Record<string, Value>>,
  profile: GuardRules,
): GuardRules {
  const { symbols: template, ...own } = guards;
  const found = template && evaluateTemplate(template, { inputs });
  const value = found?.known ? toJson(found.value) : undefined;
  const symbols = Array.isArray(value) ? value.map(String) : undefined;
  return tightest(profile, { ...own, ...(symbols && { symbols }) });
}
