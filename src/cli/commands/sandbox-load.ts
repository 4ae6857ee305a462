/** `sandbox load`: a scenario, from a YAML or JSON file, into the sandbox. */
import { exits, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import type { Context, Given } from '../context.ts';
import { configOf } from '../running/work.ts';
import { controlSandbox } from '../sandbox/control.ts';
import { scenarioGiven } from '../sandbox/scenario.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const path = given.words[0] ?? '';
  const fields = await scenarioGiven(path, context);
  const { stateDir } = await configOf(context);
  await controlSandbox({ method: 'POST', path: 'scenario', fields }, stateDir, context);
  context.terminal.out.line(`loaded ${plainText(path)}`);
  return exits.done;
}
