/** `sandbox reset`: starts a new world; runs and plans are kept. */
import { exits, type ExitCode } from '../../base/error.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { configOf } from '../../session/config.ts';
import type { SandboxResetOutput } from '../output/exchange.ts';
import { resetSandbox } from '../sandbox/control.ts';

export async function run(context: Context, _given: Args): Promise<ExitCode> {
  const format = outputOf(context, ['text', 'json']);
  const { stateDir } = await configOf(context);
  const { isRunning, moved } = await resetSandbox(stateDir, context);
  if (moved !== undefined) context.terminal.err.line(`the earlier files are kept: ${moved}`);
  if (format === 'json') {
    const kept = moved === undefined ? {} : { kept: moved };
    context.terminal.out.json({ version: 1, isRunning, ...kept } satisfies SandboxResetOutput);
    return exits.done;
  }
  context.terminal.out.line(
    isRunning ? 'the sandbox has a new world' : 'the sandbox creates a new world at its next use',
  );
  return exits.done;
}
