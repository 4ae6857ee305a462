/** A playbook named on the command line, and the inputs given with it. */
import { UsageError } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import { TooLargeError } from '../../base/read-file.ts';
import { nearWord } from '../../base/text.ts';
import type { Config } from '../../app/config/load.ts';
import type { InputDeclaration, Playbook } from '../../language/playbook.ts';
import { inputIn, inputsIn, largeYaml } from '../../language/value-file.ts';
import { inputsOfEnvironment, loadBytes } from '../../app/planning/playbooks.ts';
import type { Context, Args } from '../context.ts';
import { inputFile } from './input-file.ts';
import { readArgument, textArgument } from './named-file.ts';
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

/** The given inputs from the environment, `--var-file` and `--var`; later ones take precedence. */
export async function givenInputs(
  playbook: Playbook,
  args: Args,
  { terminal }: Context,
): Promise<ReadonlyMap<string, Json>> {
  const values = new Map<string, Json>(inputsOfEnvironment(playbook, terminal.env));
  for (const word of args.texts('var-file')) {
    const declared = declaredAt(word, playbook);
    const { path } = inputFile(word);
    const text = await valuesAt(path, terminal);
    const file = path === '-' ? 'stdin' : path;
    if (declared) values.set(declared.name, inputIn(text, file, declared));
    else for (const [name, value] of Object.entries(inputsIn(text, file))) values.set(name, value);
  }
  for (const [name, value] of pairsOf(args.texts('var'), 'an input')) values.set(name, value);
  return values;
}

/** @throws UsageError for a large YAML file, which would not be read with a higher limit either */
async function valuesAt(path: string, terminal: Context['terminal']): Promise<string> {
  try {
    return await textArgument(path, terminal);
  } catch (error) {
    throw error instanceof TooLargeError && /\.ya?ml$/i.test(path) ? largeYaml(path) : error;
  }
}

/** The input that `NAME=FILE` names. @throws UsageError for another name */
function declaredAt(word: string, { name, inputs }: Playbook): InputDeclaration | undefined {
  const { input } = inputFile(word);
  const declared = input === undefined ? undefined : inputs.get(input);
  if (input === undefined || declared) return declared;
  const near = nearWord(input, inputs.keys());
  throw new UsageError(
    `${name} has no input ${JSON.stringify(input)}`,
    near ? `did you mean ${near}?` : `for a file of that name: --var-file ./${word}`,
  );
}
