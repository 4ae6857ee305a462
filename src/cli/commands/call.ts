/** `call`: one operation by hand, with the same checks, pacing and signature as in a playbook. */
import { exits, type ExitCode } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import { randomId } from '../../base/random.ts';
import { plainText } from '../../base/text.ts';
import type { Session } from '../../config/session.ts';
import { checkInput } from '../../contract/check.ts';
import { DoubtError, type Transport, type WireRequest } from '../../contract/exchange.ts';
import { operationOf, type OperationName } from '../../contract/operations/index.ts';
import { readAll } from '../../contract/reading.ts';
import { approveCall } from '../approval/ask.ts';
import { oneOf, outputOf, type Context, type Given } from '../context.ts';
import { fieldsGiven, operationNamed } from '../given/operation-words.ts';
import { refuseHeld } from '../running/guarded.ts';
import { configOf, openWork, profileOf } from '../running/work.ts';
import { badge } from '../screens/badge.ts';
import type { Terminal } from '../screens/terminal.ts';
import { valueLines } from '../screens/value.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const { terminal } = context;
  const format = outputOf(context, ['text', 'json']);
  const operation = operationNamed(given.words[0] ?? '');
  const input = inputOf(operation, given.words.slice(1));
  const pages = given.text('page');
  const isAll = pages !== undefined && oneOf(pages, ['all', 'one'], '--page') === 'all';
  const config = await configOf(context);
  const session = await openWork(context, config, profileOf(context, config), {
    needsKey: operationOf(operation).access === 'signed',
    ...(given.isOn('show-request') && { watch: (transport) => watched(transport, terminal) }),
  });
  try {
    await refuseHeld(operation, input, session, context);
    await approveCall(operation, session, context);
    tellName(operation, input, context);
    const answer = await answerOf(session, operation, input, isAll);
    show(answer, session, format, terminal);
  } finally {
    await session.close();
  }
  return exits.done;
}

type Fields = { readonly [field: string]: Json };

function inputOf(operation: OperationName, words: readonly string[]): Fields {
  const fields = fieldsGiven(operation, words);
  const { key } = operationOf(operation);
  return { ...Object.fromEntries(fields), ...(key && !fields.has(key) && { [key]: ownKey() }) };
}

/** Said before it leaves: whoever is cut off can look it up by nothing else. */
function tellName(operation: OperationName, input: Fields, { terminal, globals }: Context): void {
  const { key } = operationOf(operation);
  if (key === undefined || globals.isQuiet) return;
  terminal.err.line(terminal.err.look.paint('faint', `${key} ${plainText(textIn(input, key))}`));
}

function textIn(input: Fields, field: string): string {
  const value = input[field];
  return typeof value === 'string' ? value : '';
}

/** A key of our own, so that a write whose answer is lost can be looked up. */
function ownKey(): string {
  return `dh${randomId(26)}`;
}

async function answerOf(
  { exchange }: Session,
  operation: OperationName,
  input: Fields,
  isAll: boolean,
): Promise<unknown> {
  checkInput(operation, input);
  if (!isAll) return exchange.call(operation, input).catch(named(operation, input));
  const now = await exchange.serverTime();
  const { answer } = await readAll(operation, input, { exchange, options: {}, now });
  return answer;
}

/** A doubt under its name. */
function named(operation: OperationName, input: Fields): (error: unknown) => never {
  return (error) => {
    const { key } = operationOf(operation);
    if (key === undefined || !(error instanceof DoubtError)) throw error;
    const because = `${error.because}; look for ${key} ${textIn(input, key)} among the orders`;
    throw new DoubtError(operation, because, error);
  };
}

function show(
  answer: unknown,
  { destination }: Session,
  format: 'text' | 'json',
  { out, err }: Terminal,
): void {
  if (format === 'json') return out.line(JSON.stringify(answer));
  err.line(`${badge(destination.target, err.look)} ${destination.profile}`);
  out.line(valueLines(answer, out.look).join('\n'));
}

/** Shows each request as it leaves; what proves who we are is hidden. */
function watched(transport: Transport, { err }: Terminal): Transport {
  return (request, signal) => {
    for (const line of requestLines(request)) err.line(line);
    return transport(request, signal);
  };
}

const hidden = new Set(['access-key', 'access-sign', 'access-passphrase']);

function requestLines({ method, path, query, headers, body }: WireRequest): string[] {
  return [
    plainText(`${method} ${path}${query === '' ? '' : `?${query}`}`, 4_000),
    ...Object.entries(headers).map(
      ([name, value]) => `${name}: ${hidden.has(name.toLowerCase()) ? '•••' : plainText(value)}`,
    ),
    ...(body === '' ? [] : [plainText(body, 4_000)]),
    '',
  ];
}
