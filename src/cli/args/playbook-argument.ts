/** A playbook named on the command line, and the inputs given with it. */
import { UsageError } from '../../base/error.ts';
import { isRecord, plainJson, type Json } from '../../base/json.ts';
import type { Config } from '../../app/config/load.ts';
import type { Playbook } from '../../language/playbook.ts';
import { readYaml } from '../../language/source.ts';
import { inputsOfEnvironment, loadBytes } from '../../app/planning/playbooks.ts';
import type { Context, Args } from '../context.ts';
import { readArgument } from './named-file.ts';
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
  for (const file of args.texts('var-file')) {
    const name = file === '-' ? 'stdin' : file;
    const read = readYaml(await readArgument(file, terminal), name);
    if (!isRecord(read)) throw new UsageError(`${name} must contain a mapping of inputs`);
    for (const [name, value] of Object.entries(read)) values.set(name, plainJson(value));
  }
  for (const [name, value] of pairsOf(args.texts('var'), 'an input')) values.set(name, value);
  return values;
}
