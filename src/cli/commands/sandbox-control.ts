/** `sandbox control`: sends one request to the sandbox’s control interface. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { listed, nearWord } from '../../base/text.ts';
import { controlPaths } from '../../sandbox/control.ts';
import { oneOf, outputOf, type Context, type Args } from '../context.ts';
import { pairsOf } from '../args/pairs.ts';
import { configOf } from '../../session/config.ts';
import { controlSandbox } from '../sandbox/control.ts';
import { valueLines } from '../screens/value.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { out } = context.terminal;
  const format = outputOf(context, ['text', 'json']);
  const [path = '', ...words] = args.positionals;
  if (!controlPaths.includes(path)) throw unknownPath(path);
  const fields = Object.fromEntries(
    [...pairsOf(words, 'a field')].map(([name, value]) => [name, fieldValue(name, value)]),
  );
  const usual = words.length === 0 ? 'GET' : 'POST';
  const method = oneOf(args.text('method') ?? usual, ['GET', 'POST', 'PUT'], '--method');
  const { stateDir } = await configOf(context);
  const answer = await controlSandbox({ method, path, fields }, stateDir, context);
  if (format === 'json') out.json({ version: 1, path, answer });
  else out.line(valueLines(answer, out.theme).join('\n'));
  return exits.done;
}

function unknownPath(path: string): UsageError {
  const near = nearWord(path, controlPaths);
  return new UsageError(
    `unknown control path ${JSON.stringify(path)}`,
    near ? `did you mean ${near}?` : `there are ${listed(controlPaths)}`,
  );
}

const lengths = ['ms', 'to', 'at', 'seed', 'startAt', 'matchDelayMs', 'duplicateClientOid'];

/** `ms=5000` is a number and `symbols=["BTCUSDT"]` a list; a uid, a price and all else are text. */
function fieldValue(name: string, value: string): unknown {
  const isNumber = lengths.includes(name) && /^\d{1,15}$/.test(value);
  if (!isNumber && !/^(?:[[{]|true$|false$|null$)/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
