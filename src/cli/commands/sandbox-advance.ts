/** `sandbox advance`: advances the clock of the profile’s sandbox; due events happen. */
import { lengthIn, type Millis } from '../../base/clock.ts';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import type { SandboxAdvanceOutput } from '../../app/documents/exchange.ts';
import { moment } from '../../report/words.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { sandboxOf } from '../../app/config/sandboxes.ts';
import { faintly } from '../sandbox/faintly.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const format = outputOf(context, ['text', 'json']);
  const ms = lengthOf(args.positionals[0] ?? '');
  const { control, words, exchange } = await sandboxOf(context, faintly(context));
  const answer = await control({ method: 'POST', path: 'clock/advance', fields: { ms } });
  const now = isRecord(answer) ? Number(answer['now']) : 0;
  if (format === 'json')
    context.terminal.out.json({ version: 1, exchange, now } satisfies SandboxAdvanceOutput);
  else context.terminal.out.line(`the clock of ${words} is at ${moment(now)} UTC`);
  return exits.done;
}

/** Parses a duration: `90s`, `15m`, `1h`, `2d`. @throws UsageError */
function lengthOf(text: string): Millis {
  const length = lengthIn(text);
  if (length !== undefined) return length;
  throw new UsageError(`${JSON.stringify(text)} is not a duration`, 'write 90s, 15m, 1h or 2d');
}
