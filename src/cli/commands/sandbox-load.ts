/** `sandbox load`: loads a scenario from a YAML or JSON file into the profile’s sandbox. */
import { exits, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import type { SandboxLoadOutput } from '../../app/documents/exchange.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { sandboxOf } from '../../app/config/sandboxes.ts';
import { faintly } from '../sandbox/faintly.ts';
import { scenarioFrom } from '../sandbox/scenario.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const format = outputOf(context, ['text', 'json']);
  const path = args.positionals[0] ?? '';
  const fields = await scenarioFrom(path, context);
  const { control, words, exchange } = await sandboxOf(context, faintly(context));
  await control({ method: 'POST', path: 'scenario', fields });
  if (format === 'json')
    context.terminal.out.json({ version: 1, exchange, loaded: path } satisfies SandboxLoadOutput);
  else context.terminal.out.line(`loaded ${plainText(path)} into ${words}`);
  return exits.done;
}
