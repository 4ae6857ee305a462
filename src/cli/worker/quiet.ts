/** A terminal without a person: the output of a job is collected or shown with its id. */
import { onTerminal, type Context } from '../context.ts';
import type { Channel, Terminal } from '../../report/terminal/terminal.ts';
import { themeOf } from '../../report/terminal/theme.ts';

/**
 * A context without a person.
 * @param print gets every line of stderr, without colors; stdout is dropped
 */
export function quietly(context: Context, print: (line: string) => void): Context {
  const { output: _output, jsonInto: _jsonInto, ...globals } = context.globals;
  const { terminal } = context;
  const { env } = terminal;
  const theme = themeOf({}, env, false);
  const silent = { line: () => undefined, json: () => undefined, write: () => undefined };
  const out: Channel = { ...terminal.out, ...silent, theme, command: () => undefined };
  const err: Channel = { ...out, line: (text = '') => print(text), write: (text) => print(text) };
  const own: Terminal = { out, err, canAsk: false, input: terminal.input, env };
  return onTerminal({ ...context, globals: { ...globals, isQuiet: true } }, own);
}
