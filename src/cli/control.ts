/** Control of the sandbox: over HTTP when one was started here, else on the world in its file. */
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DeskhandError, exits, UsageError } from '../base/error.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { sandboxFile } from '../config/session.ts';
import { Refusal } from '../sandbox/refusal.ts';
import { openSandbox } from '../sandbox/sandbox.ts';
import { plainText } from '../base/text.ts';
import type { Context } from './context.ts';

export interface ControlRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** What follows `/_sandbox/`. */
  readonly path: string;
  readonly fields: object;
}

/** Where a started sandbox says how it can be reached. */
export function runningFile(stateDir: string): string {
  return join(stateDir, 'sandbox-server.json');
}

/** @throws UsageError when the sandbox refuses */
export async function controlSandbox(
  asked: ControlRequest,
  stateDir: string,
  { clock }: Context,
): Promise<unknown> {
  const url = await runningUrl(stateDir);
  if (url !== undefined) return overHttp(url, asked);
  const sandbox = await openSandbox({ clock, stateFile: sandboxFile(stateDir) });
  try {
    return inWords(() => sandbox.control(asked.method, asked.path, asked.fields));
  } finally {
    await sandbox.close();
  }
}

/** @throws UsageError with the words of a refusal */
export function inWords<T>(request: () => T): T {
  try {
    return request();
  } catch (error) {
    if (error instanceof Refusal) throw new UsageError(`the sandbox refused: ${error.message}`);
    throw error;
  }
}

/** Address of the control interface of a sandbox that was started here. */
export async function runningUrl(stateDir: string): Promise<URL | undefined> {
  try {
    const note: unknown = parseJson(await readFile(runningFile(stateDir), 'utf8'));
    const url = isRecord(note) ? note['controlUrl'] : undefined;
    return typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function overHttp(base: URL, { method, path, fields }: ControlRequest): Promise<unknown> {
  const url = new URL(`${base.pathname.replace(/\/$/, '')}/${path}`, base);
  const body = method === 'GET' ? '' : JSON.stringify(fields);
  if (method === 'GET') {
    for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, String(value));
  }
  const answer = parseJson(await exchange(url, method, body));
  if (!isRecord(answer)) throw new UsageError('the sandbox gave no answer in its frame');
  if (answer['code'] !== '00000')
    throw new UsageError(`the sandbox refused: ${plainText(JSON.stringify(answer['msg']))}`);
  return answer['data'];
}

function exchange(url: URL, method: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const asking = request(url, { method, headers }, (answer) => resolve(text(answer)));
    asking.once('error', (error) => reject(new UnreachableError(url, error)));
    asking.end(body);
  });
}

/** A sandbox was started here and does not answer. */
class UnreachableError extends DeskhandError {
  constructor({ host }: URL, cause: unknown) {
    super(`the sandbox at ${host} does not answer`, {
      code: 'unavailable',
      actor: 'operator',
      exit: exits.stopped,
      hint: 'start it again with «deskhand sandbox start»',
      cause,
    });
  }
}
