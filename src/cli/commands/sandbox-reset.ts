/** `sandbox reset`: starts a new world in the profile’s sandbox; runs and plans are kept. */
import { exits, type ExitCode } from '../../base/error.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import type { SandboxResetOutput } from '../../app/documents/exchange.ts';
import { sandboxOf } from '../../app/config/sandboxes.ts';
import { faintly } from '../sandbox/faintly.ts';

export async function run(context: Context, _given: Args): Promise<ExitCode> {
  const format = outputOf(context, ['text', 'json']);
  const { reset, words, exchange } = await sandboxOf(context, faintly(context));
  const { isRunning, moved } = await reset();
  if (moved !== undefined) context.terminal.err.line(`the earlier files are kept: ${moved}`);
  if (format === 'json') {
    const kept = moved === undefined ? {} : { kept: moved };
    context.terminal.out.json({
      version: 1,
      exchange,
      isRunning,
      ...kept,
    } satisfies SandboxResetOutput);
    return exits.done;
  }
  context.terminal.out.line(
    `${words} ${isRunning ? 'has a new world' : 'creates a new world at its next use'}`,
  );
  return exits.done;
}
