/** A small OpenID Connect issuer on loopback, whose answers a test changes to attack the server. */
import {
  createHmac,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
  type KeyPairKeyObjectResult,
} from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { sha256 } from '../../../../src/base/json.ts';

export type Claims = Record<string, unknown>;

export interface Algorithms {
  readonly alg: 'RS256' | 'none' | 'HS256';
  /** Signs with a key that the issuer does not publish. */
  readonly isForeign?: boolean;
}

export interface Issuer {
  readonly url: string;
  readonly port: number;
  /** What the next ID tokens say, besides what is correct. */
  claims: Claims;
  /** Of the userinfo; undefined: the issuer has none. */
  userinfo: Claims | undefined;
  how: Algorithms;
  /** Replaces parts of its metadata. */
  metadata: Claims;
  /** Codes that were redeemed, and requests that were refused. */
  readonly log: string[];
  /** Its own clock, Unix seconds. */
  now: () => number;
  /** What a browser does there: signs in and is sent back. @returns the address it returns to */
  authorize(url: string): URL;
  close(): Promise<void>;
}

export const clientSecret = 'issuer-client-secret-0123456789';
const clientId = 'deskhand';

const keyPair = (): KeyPairKeyObjectResult => generateKeyPairSync('rsa', { modulusLength: 2048 });
const own = keyPair(); // takes long: once for all tests
const foreign = keyPair();

/** @param name at which it is known, for who reaches it through a proxy; default: its address */
export async function startIssuer(name?: string): Promise<Issuer> {
  const codes = new Map<string, URLSearchParams>();
  const http = createServer((request, response) => {
    void text(request).then((body) => {
      const answer = answerTo(request.url ?? '', body, request.headers.authorization ?? '');
      response.writeHead(answer === undefined ? 400 : 200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(answer ?? { error: 'invalid_grant' }));
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const issuer: Issuer = {
    url: name ?? `http://127.0.0.1:${port}`,
    port,
    claims: {},
    userinfo: undefined,
    how: { alg: 'RS256' },
    metadata: {},
    log: [],
    now: () => 0,
    authorize: (url) => {
      const { searchParams: asked } = new URL(url);
      const code = randomBytes(16).toString('hex');
      codes.set(code, asked);
      const back = new URL(asked.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({
        code,
        state: asked.get('state') ?? '',
        iss: issuer.url,
      }).toString();
      return back;
    },
    close: async () => {
      http.close();
      http.closeAllConnections();
    },
  };

  function answerTo(path: string, body: string, authorization: string): unknown {
    switch (path) {
      case '/.well-known/openid-configuration':
        return metadata();
      case '/jwks':
        return { keys: [{ ...own.publicKey.export({ format: 'jwk' }), use: 'sig', kid: 'k' }] };
      case '/userinfo':
        return issuer.userinfo;
      case '/token':
        return tokens(new URLSearchParams(body), authorization);
      default:
        return undefined;
    }
  }

  function metadata(): Claims {
    return {
      issuer: issuer.url,
      authorization_endpoint: `${issuer.url}/authorize`,
      token_endpoint: `${issuer.url}/token`,
      jwks_uri: `${issuer.url}/jwks`,
      end_session_endpoint: `${issuer.url}/end`,
      ...(issuer.userinfo && { userinfo_endpoint: `${issuer.url}/userinfo` }),
      authorization_response_iss_parameter_supported: true,
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      ...issuer.metadata,
    };
  }

  /** Redeems a code once, for who has the verifier and the secret. */
  function tokens(form: URLSearchParams, authorization: string): unknown {
    const code = form.get('code') ?? '';
    const asked = codes.get(code);
    codes.delete(code);
    const client = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();
    const challenge = Buffer.from(sha256(form.get('code_verifier') ?? ''), 'hex').toString(
      'base64url',
    );
    const isRight =
      asked?.get('code_challenge') === challenge &&
      asked.get('redirect_uri') === form.get('redirect_uri') &&
      decodeURIComponent(client) === `${clientId}:${clientSecret}`;
    issuer.log.push(isRight ? 'redeemed' : 'refused');
    if (!isRight) return undefined;
    const now = issuer.now();
    const claims = {
      iss: issuer.url,
      aud: clientId,
      sub: 'u-1',
      nonce: asked.get('nonce'),
      iat: now,
      exp: now + 300,
      ...issuer.claims,
    };
    return { access_token: 'a', token_type: 'Bearer', id_token: token(claims) };
  }

  function token(claims: Claims): string {
    const { alg, isForeign = false } = issuer.how;
    const key = isForeign ? foreign.privateKey : own.privateKey;
    const parts = [{ alg, kid: 'k' }, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    return [...parts, signature(parts.join('.'), alg, key)].join('.');
  }

  return issuer;
}

function signature(input: string, alg: Algorithms['alg'], key: KeyObject): string {
  switch (alg) {
    case 'none':
      return '';
    case 'HS256':
      return createHmac('sha256', clientSecret).update(input).digest('base64url');
    case 'RS256':
      return sign('sha256', Buffer.from(input), key).toString('base64url');
  }
}
