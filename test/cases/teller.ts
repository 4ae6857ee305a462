/** Executes the steps of a case against a sandbox behind a real socket, with a separate client. */
import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { request } from 'undici';
import { expect } from 'vitest';
import { standingClock, type StandingClock } from '../../src/base/clock.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { startServer, type RunningServer } from '../../src/sandbox/server.ts';
import type { Case, Step, Walk } from './format.ts';
import {
  areDistinct,
  areTexts,
  countFits,
  doesFit,
  duration,
  filled,
  fits,
  found,
  isSorted,
  rowsAt,
  withAt,
  type Memory,
  type Scene,
} from './matching.ts';

const born = Date.UTC(2026, 10, 20, 4, 0, 0);

/** Signs for keys that were created with the public key known to steps as `$rsa`. */
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const rsaPublic = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString();

interface Stage {
  readonly clock: StandingClock;
  readonly sandbox: Sandbox;
  readonly server: RunningServer;
  readonly memory: Memory;
}

/** Executes one case in its own world. */
export async function tell({ limits = false, steps }: Case): Promise<void> {
  const clock = standingClock(born);
  const sandbox = await openSandbox({ clock, limits });
  const server = await startServer(sandbox, { port: 0 });
  const stage = { clock, sandbox, server, memory: new Map([['rsa', rsaPublic]]) };
  try {
    for (const [index, step] of steps.entries()) await play(step, stage, index + 1);
  } finally {
    await server.close();
    await sandbox.close();
  }
}

async function play(step: Step, stage: Stage, number: number): Promise<void> {
  const scene = { memory: stage.memory, now: stage.sandbox.now() };
  try {
    if (step.elapse !== undefined) stage.clock.advance(duration(step.elapse));
    else if (step.advance !== undefined) {
      stage.sandbox.control('POST', 'clock/advance', { ms: duration(step.advance) });
    } else if (step.repeat !== undefined) await playRepeated(step, { stage, scene });
    else await playEach(step, { stage, scene });
  } catch (error) {
    const what = step.send ?? step.control ?? 'time';
    throw new Error(`step ${number}, ${what}: ${String(error)}`, { cause: error });
  }
}

interface Performance {
  readonly stage: Stage;
  readonly scene: Scene;
}

async function playRepeated(step: Step, performance: Performance): Promise<void> {
  const tally: Record<string, number> = {};
  for (let turn = 0; turn < (step.repeat ?? 0); turn++) {
    const { envelope } = await answerTo(step, performance);
    const code = String(found(envelope, 'code'));
    tally[code] = (tally[code] ?? 0) + 1;
  }
  expect(tally).toEqual(step.tally);
}

/** Executes the step as it is written, or once for each value of `each`. */
async function playEach({ each, ...step }: Step, performance: Performance): Promise<void> {
  for (const [field, values] of Object.entries(each ?? {})) {
    for (const value of values) {
      const variant = { ...step, with: { ...step.with, [field]: value } };
      try {
        await playOnce(variant, performance);
      } catch (error) {
        throw new Error(`${field} ${JSON.stringify(value)}: ${String(error)}`, { cause: error });
      }
    }
  }
  if (each === undefined) await playOnce(step, performance);
}

async function playOnce(step: Step, performance: Performance): Promise<void> {
  if (step.lost === true) return expect(answerTo(step, performance)).rejects.toThrow();
  const answer =
    step.walk === undefined
      ? await answerTo(step, performance)
      : await wholeAnswer(step, step.walk, performance);
  checkAnswer(step, answer, performance.scene);
}

const pagesMax = 100;

/** The first response, with the rows of all pages. */
async function wholeAnswer(
  step: Step,
  { rows: path, sends, taking }: Walk,
  performance: Performance,
): Promise<Answer> {
  const rows: unknown[] = [];
  let first: Answer | undefined;
  let page: unknown;
  for (let number = 1; number <= pagesMax; number++) {
    const fields = { ...step.with, ...(page !== undefined && { [sends]: page }) };
    const answer = await answerTo({ ...step, with: fields }, performance);
    const shown = rowsAt(answer.envelope, path);
    first ??= answer;
    if (shown.length === 0) return { ...first, envelope: withAt(first.envelope, path, rows) };
    rows.push(...shown);
    const last = shown.at(-1);
    page =
      taking === undefined
        ? String(number + 1)
        : found({ ...Object(answer.envelope), last }, taking);
  }
  throw new Error(`${pagesMax} pages, and none is empty`);
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly envelope: unknown;
}

function checkAnswer(step: Step, { status, headers, envelope }: Answer, scene: Scene): void {
  const code = step.code ?? '00000';
  const wanted = step.status ?? (code === '00000' ? 200 : 400);
  expect({ status, ...Object(envelope) }).toMatchObject({ code, status: wanted });
  if (step.envelope !== undefined) fits(envelope, step.envelope, scene, 'answer');
  if (step.texts === true) areTexts(found(envelope, 'data'));
  if (step.data !== undefined) fits(found(envelope, 'data'), step.data, scene);
  for (const path of step.lacks ?? []) expect(found(envelope, path), path).toBeUndefined();
  for (const [path, count] of Object.entries(step.count ?? {})) {
    countFits(rowsAt(envelope, path), count, path);
  }
  for (const [path, pattern] of Object.entries(step.includes ?? {})) {
    expect(
      rowsAt(envelope, path).some((row) => doesFit(row, pattern, scene)),
      `no row of ${path} is ${JSON.stringify(pattern)}`,
    ).toBe(true);
  }
  for (const [path, pattern] of Object.entries(step.every ?? {})) {
    rowsAt(envelope, path).forEach((row, index) => fits(row, pattern, scene, `${path}.${index}`));
  }
  for (const [path, order] of Object.entries(step.sorted ?? {})) {
    isSorted(rowsAt(envelope, path), order, path);
  }
  for (const [path, fields] of Object.entries(step.distinct ?? {})) {
    areDistinct(rowsAt(envelope, path), fields, path);
  }
  for (const [name, pattern] of Object.entries(step.answers ?? {})) {
    fits(headers[name.toLowerCase()], pattern, scene, name);
  }
}

async function answerTo(step: Step, { stage, scene }: Performance): Promise<Answer> {
  const [method = '', path = ''] = (step.send ?? step.control ?? '').split(' ');
  const fields = without(filled(step.with ?? {}, scene));
  const query = step.query ?? (method === 'GET' ? queryOf(fields) : '');
  const body = step.body ?? (method === 'GET' ? '' : JSON.stringify(fields));
  const target = query === '' ? path : `${path}?${query}`;
  const url =
    step.send === undefined
      ? `${stage.server.controlUrl}/${target}`
      : `${stage.server.baseUrl}${target}`;
  const {
    statusCode,
    headers,
    body: answer,
  } = await request(url, {
    method: method as 'GET',
    headers: headersOf(step, { stage, method, path, query, body }),
    ...(body !== '' && { body }),
  });
  return { status: statusCode, headers, envelope: await answer.json() };
}

/** The fields that remain after removing null values. */
function without(fields: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(Object(fields)).filter(([, value]) => value !== null));
}

function queryOf(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');
}

interface Request {
  readonly stage: Stage;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
}

function headersOf(step: Step, request: Request): Record<string, string> {
  return without({
    'Content-Type': 'application/json',
    ...(step.as !== undefined && credentials(step.as, step, request)),
    ...step.headers,
  }) as Record<string, string>;
}

/** The signature as the public documentation describes it, deliberately implemented again. */
function credentials(
  as: string,
  { skew = '+0s', signs }: Step,
  { stage, ...sent }: Request,
): Record<string, string> {
  const { apiKey, secret, passphrase } = keyOf(as, stage);
  const timestamp = String(stage.clock.now() + duration(skew));
  const { method, path, query, body } = { ...sent, ...signs };
  const text = `${timestamp}${method}${path}${query && `?${query}`}${body}`;
  return {
    'ACCESS-KEY': apiKey,
    'ACCESS-PASSPHRASE': passphrase,
    'ACCESS-TIMESTAMP': timestamp,
    'ACCESS-SIGN':
      typeof secret === 'string'
        ? createHmac('sha256', secret).update(text).digest('base64')
        : createSign('sha256').update(text).sign(secret, 'base64'),
    locale: 'en-US',
  };
}

interface Key {
  readonly apiKey: string;
  readonly passphrase: string;
  readonly secret: string | KeyObject;
}

/** The key of a role, or one created in an earlier step, by its name. */
function keyOf(name: string, { sandbox }: Stage): Key {
  for (const [role, { apiKey, secretKey, passphrase }] of Object.entries(sandbox.accounts)) {
    if (role !== name) continue;
    const secret = secretKey.reveal();
    return { apiKey: apiKey.reveal(), passphrase: passphrase.reveal(), secret };
  }
  const keys = sandbox.control('GET', 'keys') as readonly (Key & { secretKey?: string })[];
  const made = keys.find(({ apiKey }) => apiKey === name);
  if (made === undefined) throw new Error(`there is no key ${name}`);
  return { ...made, secret: made.secretKey ?? rsa.privateKey };
}
