/** Sends one request to the control interface of a sandbox over HTTP, and returns the data of its response.
 */
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { agentFor } from '../../base/agent.ts';
import { DeskhandError, exits, UsageError } from '../../base/error.ts';
import { isRecord, JsonError, parseJson, type JsonRecord } from '../../base/json.ts';
import type { Proxy } from '../../base/proxy.ts';
import { plainText } from '../../base/text.ts';
import { userAgent } from '../../base/version.ts';

export interface ControlRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** The path of the request, below `/_sandbox/`. */
  readonly path: string;
  readonly fields: object;
}

export interface ControlOptions {
  readonly signal?: AbortSignal;
  readonly proxy?: Proxy | undefined;
}

/**
 * Sends one request to the control interface of a sandbox.
 * @param base its address, up to `/_sandbox`
 * @throws UsageError when the sandbox refuses; UnreachableError when it does not respond
 */
export async function controlOverHttp(
  base: URL,
  { method, path, fields }: ControlRequest,
  options: ControlOptions = {},
): Promise<unknown> {
  const url = new URL(`${base.pathname.replace(/\/$/, '')}/${path}`, base);
  const body = method === 'GET' ? '' : JSON.stringify(fields);
  if (method === 'GET') {
    for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, String(value));
  }
  const answer = envelopeIn(await exchange(url, { method, body, ...options }));
  if (answer === undefined) {
    throw new UsageError(
      `what listens at ${url.host} does not answer like a sandbox`,
      'check the base-url of the profile, or start one with `deskhand sandbox start`',
    );
  }
  if (answer['code'] !== '00000')
    throw new UsageError(`the sandbox refused: ${plainText(JSON.stringify(answer['msg']))}`);
  return answer['data'];
}

function envelopeIn(content: string): JsonRecord | undefined {
  try {
    const answer = parseJson(content);
    return isRecord(answer) && 'code' in answer ? answer : undefined;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

interface Sent extends ControlOptions {
  readonly method: string;
  readonly body: string;
}

function exchange(url: URL, { method, body, signal, proxy }: Sent): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': userAgent,
    };
    const agent = proxy && { agent: agentFor(url, proxy) };
    const options = { method, headers, ...agent, ...(signal && { signal }) };
    const asking = request(url, options, (answer) => resolve(text(answer)));
    asking.once('error', (error) => reject(new UnreachableError(url, error)));
    asking.end(body);
  });
}

/** A sandbox was started here and does not respond. */
class UnreachableError extends DeskhandError {
  constructor({ host }: URL, cause: unknown) {
    super(`the sandbox at ${host} does not answer`, {
      code: 'unavailable',
      actor: 'operator',
      exit: exits.stopped,
      hint: 'start it again with `deskhand sandbox start`',
      cause,
    });
  }
}
