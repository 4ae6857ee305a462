/** `sandbox control`: sends one request to the control interface of the profile’s sandbox. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { listed, nearWord } from '../../base/text.ts';
import { controlPaths, controlRoutes, type ControlRoute } from '../../sandbox/control.ts';
import { oneOf, outputOf, type Context, type Args } from '../context.ts';
import { pairsOf } from '../args/pairs.ts';
import type { SandboxControlOutput } from '../../app/documents/exchange.ts';
import { sandboxOf } from '../../app/config/sandboxes.ts';
import { faintly } from '../sandbox/faintly.ts';
import { columns } from '../../report/terminal/columns.ts';
import type { Theme } from '../../report/terminal/theme.ts';
import { valueLines } from '../../report/terminal/value.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { out, err } = context.terminal;
  const format = outputOf(context, ['text', 'json']);
  const [path, ...words] = args.positionals;
  const routes = controlRoutes();
  if (args.isOn('list')) {
    if (path !== undefined) throw new UsageError('--list takes no path');
    if (format === 'json') out.json({ version: 1, routes } satisfies SandboxControlOutput);
    else for (const line of routes.flatMap((route) => routeLines(route, out.theme))) out.line(line);
    return exits.done;
  }
  if (path === undefined || !controlPaths.includes(path)) throw unknownPath(path);
  const own = routes.filter((route) => route.path === path);
  const given = args.text('method') ?? usualMethod(own, words.length > 0);
  const method = oneOf(given, ['GET', 'POST', 'PUT'], '--method');
  const route = own.find((each) => each.method === method);
  const fields = Object.fromEntries(
    [...pairsOf(words, 'a field')].map(([name, value]) => [name, fieldValue(route, name, value)]),
  );
  const { control, words: place, exchange } = await sandboxOf(context, faintly(context));
  const answer = await control({ method, path, fields });
  if (format === 'json') {
    out.json({ version: 1, exchange, path, answer });
    return exits.done;
  }
  err.line(err.theme.paint('faint', `${method} ${path} of ${place}`));
  out.line(valueLines(answer, out.theme).join('\n'));
  return exits.done;
}

function routeLines({ path, method, fields }: ControlRoute, theme: Theme): readonly string[] {
  const rows = fields.map(({ name, type, isRequired, description = '' }) => [
    name,
    isRequired ? 'required' : '',
    [type, ...(description === '' ? [] : [theme.paint('faint', description)])].join('  '),
  ]);
  return [`${method} ${theme.paint('strong', path)}`, ...columns(rows, theme, { indent: 2 })];
}

/**
 * The method of a request that names none: the only one of the path; otherwise GET, unless there
 * are fields.
 */
function usualMethod(routes: readonly ControlRoute[], hasFields: boolean): string {
  const [only] = routes;
  if (routes.length === 1 && only !== undefined) return only.method;
  return hasFields ? (routes.find(({ method }) => method !== 'GET')?.method ?? 'GET') : 'GET';
}

function unknownPath(path: string | undefined): UsageError {
  if (path === undefined) {
    return new UsageError('a path is missing', 'see `deskhand sandbox control --list`');
  }
  const near = nearWord(path, controlPaths);
  return new UsageError(
    `unknown control path ${JSON.stringify(path)}`,
    near ? `did you mean ${near}?` : `there are ${listed(controlPaths)}`,
  );
}

/**
 * A field's value: `ms=5000` is a number and `symbols=["BTCUSDT"]` a list; a uid, a price and all
 * else are text.
 */
function fieldValue(route: ControlRoute | undefined, name: string, value: string): unknown {
  const type = route?.fields.find((field) => field.name === name)?.type ?? '';
  const isCounted = /\b(?:integer|number)\b/.test(type) && !/\btext\b/.test(type);
  const isNumber = isCounted && /^\d{1,15}(?:\.\d{1,6})?$/.test(value);
  if (!isNumber && !/^(?:[[{]|true$|false$|null$)/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
