/** Signs each attempt again and lets the caller make its intent durable before the first byte. */
import { second, type Millis } from '../../../base/clock.ts';
import { redactor, Secret } from '../../../base/secret.ts';
import { plainText } from '../../../base/text.ts';
import { successCode } from '../../api/errors.ts';
import { TransportError, type WireRequest } from '../../api/exchange.ts';
import { operationOf } from '../../api/operations/index.ts';
import { signatureOf } from '../../api/signature.ts';
import { signedQuery } from '../../api/wire.ts';
import type { Answer, Layer } from './layer.ts';

export interface Credentials {
  readonly apiKey: Secret;
  /** The key's secret, or its RSA private key in PEM. */
  readonly secretKey: Secret;
  readonly passphrase: Secret;
}

const freshFor: Millis = 10 * second; // the exchange accepts a timestamp for 30 s

export interface Signing {
  readonly credentials: Credentials | undefined;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exchange's time, if known. */
  readonly now: () => Millis;
}

/**
 * Adds the headers, signs requests of operations that are not public, then awaits `beforeSend`: if it
 * throws, nothing is sent.
 */
export function signing({ credentials, headers, now }: Signing): Layer {
  return (next) =>
    async ({ request, call, number, timeoutMs, watch }) => {
      const { operation } = request;
      const signedAt = now();
      const proof =
        credentials && operationOf(operation).access === 'signed'
          ? proofOf(request, headers, credentials, String(signedAt))
          : undefined;
      await call.beforeSend?.({ operation, attempt: number, signedAt });
      // The machine may have been suspended: a request with an old signature is not sent.
      if (now() - signedAt > freshFor) throw new TransportError('the machine was suspended', 'no');
      const { method, path, query, body } = request;
      const proved = proof?.headers ?? headers;
      const signed = { operation, method, path, query, body, headers: proved };
      const answer = await next({ request: signed, number, timeoutMs, watch, call });
      return withoutSecrets(answer, proof?.secrets ?? []);
    };
}

interface Proof {
  /** All headers of the request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly Secret[];
}

/** The exchange verifies the decoded query, in the order sent; the request has the encoded one. */
function proofOf(
  { method, path, query, body }: WireRequest,
  headers: Readonly<Record<string, string>>,
  { apiKey, secretKey, passphrase }: Credentials,
  timestamp: string,
): Proof {
  const parts = { timestamp, method, path, query: signedQuery(query), body };
  const signature = signatureOf(parts, secretKey);
  return {
    headers: {
      'ACCESS-KEY': apiKey.reveal(),
      'ACCESS-SIGN': signature,
      'ACCESS-TIMESTAMP': timestamp,
      'ACCESS-PASSPHRASE': passphrase.reveal(),
      ...headers, // last: properties added after a spread take 2 µs
    },
    secrets: [apiKey, secretKey, passphrase, new Secret(signature)],
  };
}

/**
 * An answer without secrets: a refusal may quote the refused headers, so its message becomes one safe
 * line without them.
 */
function withoutSecrets(answer: Answer, secrets: readonly Secret[]): Answer {
  const { content } = answer;
  if (content.kind !== 'envelope' || content.envelope.code === successCode) return answer;
  const hide = redactor(secrets);
  const envelope = {
    ...content.envelope,
    code: plainText(hide(content.envelope.code), 40),
    msg: plainText(hide(content.envelope.msg)),
  };
  return { ...answer, content: { kind: 'envelope', envelope } };
}
