/** `call`: a single operation, with the same checks, pacing and signature as in a playbook. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import type { JsonRecord } from '../../base/json.ts';
import { randomId } from '../../base/random.ts';
import { mask, secretFinder } from '../../base/secret.ts';
import { plainText } from '../../base/text.ts';
import type { OpenedProfile } from '../../app/config/opened-profile.ts';
import { collecting, type OperationDeviation } from '../../exchange/api/collected.ts';
import { deviationText } from '../../exchange/api/deviation.ts';
import { checkInput } from '../../exchange/api/check.ts';
import {
  DoubtError,
  InputError,
  type Exchange,
  type InputProblem,
  type Transport,
  type WireRequest,
} from '../../exchange/api/exchange.ts';
import { ignoredFields } from '../../exchange/api/ignored.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import { withMode } from '../../exchange/api/position-mode.ts';
import { checkRead, readAll, type ReadRange } from '../../exchange/api/reading.ts';
import { approveCall } from '../approval/ask.ts';
import { oneOf, outputOf, type Context, type Args } from '../context.ts';
import { fieldsFrom, operationNamed, timesIn } from '../args/operation-words.ts';
import { handLimits, type HandLimits } from '../../app/planning/guarded.ts';
import { configOf, profileOf } from '../../app/config/opened.ts';
import { openWork, type Work } from '../../app/accounts/work.ts';
import { recordByHand } from '../../engine/journal/by-hand.ts';
import { badge } from '../../report/terminal/badge.ts';
import type { Terminal } from '../../report/terminal/terminal.ts';
import { valueLines } from '../../report/terminal/value.ts';
import { rangeWords } from '../../report/words.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { terminal } = context;
  const format = outputOf(context, ['text', 'json']);
  const operation = operationNamed(args.positionals[0] ?? '');
  const pages = args.text('page');
  const isAll = pages !== undefined && oneOf(pages, ['all', 'one'], '--page') === 'all';
  const input = inputOf(operation, args.positionals.slice(1), isAll);
  checkIgnored(operation, input, context);
  const config = await configOf(context);
  const session = await openWork(context, config, profileOf(context, config), {
    needsKey: operationOf(operation).access === 'signed',
    ...(args.isOn('show-request') && { watch: (transport) => watched(transport, terminal) }),
  });
  try {
    refuseSecret(input, session);
    if (operationOf(operation).effect !== 'read') {
      (await session.book()).refuseConflict(session.destination, true);
    }
    const limits = recordedByHand(operation, input, session, context);
    await limits.check();
    if (args.isOn('dry-run')) {
      if (isAll) checkRead(operation, input);
      else checkInput(operation, input);
      preview(operation, input, session, format, terminal);
      return exits.done;
    }
    await approveCall(operation, session, context);
    printName(operation, input, context);
    const strict = args.isOn('strict') ? collecting(session.exchange) : undefined;
    const exchange = strict?.exchange ?? session.exchange;
    const answered = await answerOf({ operation, input, isAll }, { ...session, exchange }, limits);
    const deviations = strict?.deviations();
    show({ operation, ...answered, ...(deviations && { deviations }) }, session, format, terminal);
    return deviations?.length ? exits.changes : exits.done;
  } finally {
    await session.close();
  }
}

type Fields = JsonRecord;

/** The limits of a call; a write that sets a state is recorded before it is sent. */
function recordedByHand(
  operation: OperationName,
  input: Fields,
  session: Work,
  context: Context,
): HandLimits {
  const limits = handLimits(operation, input, session, context);
  if (operationOf(operation).sets === undefined) return limits;
  const { destination, config } = session;
  return {
    ...limits,
    beforeSend: async (sending) => {
      await limits.beforeSend(sending);
      const { signedAt: at } = sending;
      await recordByHand(config.stateDir, { at, destination, operation, input });
    },
  };
}

/** The typed fields of a call: one response is requested with exactly these. */
function inputOf(operation: OperationName, words: readonly string[], isAll: boolean): Fields {
  const typed = fieldsFrom(operation, words);
  const fields = isAll ? timesIn(typed) : typed;
  const { key } = operationOf(operation);
  return { ...Object.fromEntries(fields), ...(key && !fields.has(key) && { [key]: ownKey() }) };
}

/** Refuses a field that a write would ignore. @throws InputError */
function checkIgnored(operation: OperationName, input: Fields, context: Context): void {
  const { err } = context.terminal;
  const found = ignoredFields(operation, input, Object.keys(input));
  const errors = found.filter(({ level }) => level === 'error');
  if (errors.length > 0) {
    const problems = errors.map(({ field, message, hint }): InputProblem => {
      return { path: [field], keyword: 'rule', message, hint };
    });
    throw new InputError(operation, problems);
  }
  if (context.globals.isQuiet) return;
  for (const { message, hint } of found) {
    err.line(`${err.theme.paint('warn', 'warning')} ${message}; ${hint}`);
  }
}

/** Refuses a secret in a field: the exchange would store it, and show it in its lists. */
function refuseSecret(input: Fields, { secrets }: OpenedProfile): void {
  const holds = secretFinder(secrets);
  const field = Object.keys(input).find((name) => holds(textIn(input, name)));
  if (field === undefined) return;
  throw new UsageError(`${field} contains a secret of this profile`, 'nothing was sent');
}

/**
 * Prints the id of a write before the request: after an interruption only this id finds the order.
 */
function printName(operation: OperationName, input: Fields, { terminal, globals }: Context): void {
  const { key } = operationOf(operation);
  if (key === undefined || globals.isQuiet) return;
  terminal.err.line(terminal.err.theme.paint('faint', `${key} ${plainText(textIn(input, key))}`));
}

function textIn(input: Fields, field: string): string {
  const value = input[field];
  return typeof value === 'string' ? value : '';
}

/** A new clientOid, so that a write whose response is lost can be looked up. */
function ownKey(): string {
  return `dh${randomId(26)}`;
}

interface Asked {
  readonly operation: OperationName;
  readonly input: Fields;
  /** Whether all pages are read. */
  readonly isAll: boolean;
}

interface Answered {
  readonly answer: unknown;
  /** The range that the rows of all pages cover. */
  readonly range?: ReadRange;
}

async function answerOf(
  { operation, input, isAll }: Asked,
  { exchange, profile }: Pick<OpenedProfile, 'profile'> & { readonly exchange: Exchange },
  { beforeSend }: HandLimits,
): Promise<Answered> {
  if (!isAll) {
    checkInput(operation, input);
    const options = { beforeSend, resend: profile.onDoubt === 'resend' };
    return {
      answer: await exchange
        .call(operation, input, options)
        .catch(async (error: unknown) =>
          named(
            operation,
            input,
          )(await withMode(error, { operation, input }, { exchange, family: profile.family })),
        ),
    };
  }
  checkRead(operation, input);
  const now = await exchange.serverTime();
  const { answer, range } = await readAll(operation, input, { exchange, options: {}, now });
  return { answer, ...(range && { range }) };
}

/** Adds the write's name to a doubt. */
function named(operation: OperationName, input: Fields): (error: unknown) => never {
  return (error) => {
    const { key } = operationOf(operation);
    if (key === undefined || !(error instanceof DoubtError)) throw error;
    throw error.with(`look for ${key} ${textIn(input, key)} among the orders`);
  };
}

function show(
  {
    operation,
    answer,
    range,
    deviations,
  }: Answered & {
    readonly operation: OperationName;
    readonly deviations?: readonly OperationDeviation[];
  },
  { destination }: OpenedProfile,
  format: 'text' | 'json',
  { out, err }: Terminal,
): void {
  if (format === 'json') {
    return out.json({
      version: 1,
      operation,
      ...(range && { range }),
      ...(deviations && { deviations }),
      answer,
    });
  }
  err.line(`${badge(destination.target, err.theme)} ${destination.profile}`);
  if (range !== undefined) {
    const asked = range.asked === undefined ? '' : `, of ${rangeWords(range.asked)} requested`;
    err.line(err.theme.paint('faint', `${rangeWords(range)}${asked}`));
  }
  out.line(valueLines(answer, out.theme).join('\n'));
  for (const deviation of deviations ?? []) {
    const { operation: where, count } = deviation;
    err.line(
      `${err.theme.paint('warn', 'deviates')} ${where}: ${deviationText(deviation)} (${count})`,
    );
  }
}

/** Shows the request and its destination; sends nothing. */
function preview(
  operation: OperationName,
  input: Fields,
  { destination: { profile, target, host } }: OpenedProfile,
  format: 'text' | 'json',
  { out, err }: Terminal,
): void {
  const { method, path, effect } = operationOf(operation);
  if (format === 'json') {
    out.json({ version: 1, operation, effect, method, path, profile, target, host, input });
    return;
  }
  err.line(`${badge(target, err.theme)} ${plainText(profile)}`);
  out.line(`${method} ${path}`);
  out.line(valueLines(input, out.theme).join('\n'));
  err.line(err.theme.paint('faint', 'nothing was sent: --dry-run'));
}

/** Shows each request when it is sent; credentials and signature are hidden. */
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
      ([name, value]) => `${name}: ${hidden.has(name.toLowerCase()) ? mask : plainText(value)}`,
    ),
    ...(body === '' ? [] : [plainText(body, 4_000)]),
    '',
  ];
}
