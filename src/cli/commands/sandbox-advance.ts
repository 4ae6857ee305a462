/** `sandbox advance`: advances the sandbox’s clock; due events happen. */
import { lengthIn, type Millis } from '../../base/clock.ts';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import type { SandboxAdvanceOutput } from '../output/exchange.ts';
import { moment } from '../../report/words.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { configOf } from '../../session/config.ts';
import { controlSandbox } from '../sandbox/control.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const format = outputOf(context, ['text', 'json']);
  const ms = lengthOf(args.positionals[0] ?? '');
  const { stateDir } = await configOf(context);
  const asked = { method: 'POST', path: 'clock/advance', fields: { ms } } as const;
  const answer = await controlSandbox(asked, stateDir, context);
  const now = isRecord(answer) ? Number(answer['now']) : 0;
  if (format === 'json')
    context.terminal.out.json({ version: 1, now } satisfies SandboxAdvanceOutput);
  else context.terminal.out.line(`the sandbox’s clock is at ${moment(now)} UTC`);
  return exits.done;
}

/** `90s`, `15m`, `1h`, `2d`. @throws UsageError */
function lengthOf(text: string): Millis {
  const length = lengthIn(text);
  if (length !== undefined) return length;
  throw new UsageError(`${JSON.stringify(text)} is not a duration`, 'write 90s, 15m, 1h or 2d');
}
