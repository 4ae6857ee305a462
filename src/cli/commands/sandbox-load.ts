/** `sandbox load`: a scenario, from a YAML or JSON file, into the sandbox. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { readYaml } from '../../playbook/source.ts';
import type { Context, Given } from '../context.ts';
import { controlSandbox } from '../control.ts';
import { readGiven } from '../files.ts';
import { configOf } from '../work.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const path = given.words[0] ?? '';
  const fields = readYaml(await readGiven(path, context.terminal), path);
  if (!isRecord(fields)) throw new UsageError(`${path} must hold a map`);
  const { stateDir } = await configOf(context);
  await controlSandbox({ method: 'POST', path: 'scenario', fields }, stateDir, context);
  context.terminal.out.line(`loaded ${path}`);
  return exits.done;
}
