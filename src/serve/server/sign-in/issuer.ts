/** The OpenID Connect issuer, which signs a person in, and its statements about the person. */
import type { AuthorizationResponseError, Configuration, ServerMetadata } from 'openid-client';
import { minute, second, systemClock, type Clock, type Millis } from '../../../base/clock.ts';
import { DeskhandError, exits, networkMessageOf } from '../../../base/error.ts';
import type { Secret } from '../../../base/secret.ts';
import type { AuthSettings } from '../../../app/config/served-team.ts';
import { sendRequest } from '../../../base/http-request.ts';
import type { Proxy } from '../../../base/proxy.ts';
import { plainText } from '../../../base/text.ts';
import { userAgent } from '../../../base/version.ts';
import type { Claims } from './person.ts';
import type { PendingSignIn } from './pending.ts';

/**
 * An answer of the issuer that is refused, or a missing answer. The message has no part of a token.
 */
export class IssuerError extends DeskhandError {
  constructor(
    message: string,
    hint = 'check serve.auth of deskhand.yaml and the client that the issuer knows',
  ) {
    super(message, { code: 'issuer', actor: 'operator', exit: exits.credentials, hint });
  }
}

/** The error when the issuer, or the person there, declined the sign-in. */
export class DeclinedError extends IssuerError {}

export interface Issuer {
  /** The address of the issuer to which the browser is sent. @throws IssuerError */
  signInUrl(
    signIn: PendingSignIn,
    options: { readonly returnTo: string; readonly asksAgain: boolean },
  ): Promise<URL>;
  /**
   * Redeems the code in the address that the browser returned to. State, code, PKCE, and issuer,
   * audience, expiry, nonce and signature of the ID token are verified.
   * @returns claims of the ID token, and of the issuer's userinfo if it has that
   * @throws DeclinedError, IssuerError
   */
  redeem(returned: URL, signIn: PendingSignIn): Promise<readonly Claims[]>;
  /** The address to sign out of the issuer, if it has one. @throws IssuerError */
  signOutUrl(returnTo: string): Promise<URL | undefined>;
}

const metadataAge: Millis = 10 * minute;
const answerMax = 1024 * 1024; // bytes
const timeout: Millis = 10 * second;

export interface IssuerOptions {
  /** Reads the secret of the client, each time, because it may have been replaced. */
  readonly secretOf: () => Promise<Secret | undefined>;
  /** The proxy to an address of the issuer. @throws ConfigError */
  readonly proxyTo: ProxyTo;
  readonly clock: Clock;
}

export type ProxyTo = (url: URL) => Proxy | undefined;

export function openIssuer(
  { issuer, clientId, scopes }: AuthSettings,
  { secretOf, proxyTo, clock }: IssuerOptions,
): Issuer {
  let known: { readonly metadata: Promise<ServerMetadata>; readonly until: Millis } | undefined;
  const metadata = (): Promise<ServerMetadata> => {
    if (known !== undefined && known.until > clock.now()) return known.metadata;
    const found = discovered(issuer, clientId, proxyTo);
    known = { metadata: found, until: clock.now() + metadataAge };
    found.catch(() => {
      known = undefined;
    });
    return found;
  };
  const configuration = async (secret?: Secret): Promise<Configuration> =>
    configured(await metadata(), { clientId, issuer, secret, proxyTo, clock });
  return {
    signInUrl: (signIn, { returnTo, asksAgain }) =>
      explained('cannot be reached', async () => {
        const client = await import('openid-client');
        return client.buildAuthorizationUrl(await configuration(), {
          redirect_uri: returnTo,
          scope: scopes.join(' '),
          state: signIn.state,
          nonce: signIn.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(signIn.verifier),
          code_challenge_method: 'S256',
          ...(asksAgain && { prompt: 'login' }),
        });
      }),
    redeem: (returned, { state, nonce, verifier }) =>
      explained('refused the sign-in', async () => {
        const client = await import('openid-client');
        const configured = await configuration(await secretOf());
        const checks = {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        };
        const granted = client.authorizationCodeGrant(configured, returned, checks);
        const tokens = await granted.catch((error: unknown) => {
          // The state and issuer of the answer were verified before.
          const isAnswer = error instanceof client.AuthorizationResponseError;
          throw isAnswer && error.error === 'access_denied' ? declined(error) : error;
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new IssuerError('the issuer sent no ID token');
        if (configured.serverMetadata().userinfo_endpoint === undefined) return [{ ...claims }];
        const more = await client.fetchUserInfo(configured, tokens.access_token, claims.sub);
        return [{ ...claims }, { ...more }];
      }),
    signOutUrl: (returnTo) =>
      explained('cannot be reached', async () => {
        const client = await import('openid-client');
        const configured = await configuration();
        if (configured.serverMetadata().end_session_endpoint === undefined) return undefined;
        return client.buildEndSessionUrl(configured, { post_logout_redirect_uri: returnTo });
      }),
  };
}

/**
 * The metadata of an issuer, which must name exactly the configured issuer, not a tenant or an
 * alias of it.
 */
async function discovered(
  issuer: URL,
  clientId: string,
  proxyTo: ProxyTo,
): Promise<ServerMetadata> {
  const client = await import('openid-client');
  const found = await client.discovery(issuer, clientId, undefined, client.None(), {
    timeout: timeout / second,
    [client.customFetch]: limitedFetch(proxyTo),
    ...(issuer.protocol === 'http:' && { execute: [client.allowInsecureRequests] }),
  });
  const metadata = found.serverMetadata();
  if (new URL(metadata.issuer).href === issuer.href) return metadata;
  throw new IssuerError(`its metadata is of another issuer, ${metadata.issuer.slice(0, 200)}`);
}

interface ClientOptions {
  readonly clientId: string;
  readonly issuer: URL;
  readonly secret: Secret | undefined;
  readonly proxyTo: ProxyTo;
  readonly clock: Clock;
}

/**
 * The configuration for one sign-in: keys of the issuer are fetched each time, because they rotate.
 */
async function configured(
  metadata: ServerMetadata,
  { clientId, issuer, secret, proxyTo, clock }: ClientOptions,
): Promise<Configuration> {
  const client = await import('openid-client');
  const isPostOnly =
    metadata.token_endpoint_auth_methods_supported?.includes('client_secret_basic') === false;
  const authenticated = isPostOnly ? client.ClientSecretPost : client.ClientSecretBasic;
  const skew = Math.round((clock.now() - systemClock.now()) / second);
  const found = new client.Configuration(
    metadata,
    clientId,
    { [client.clockSkew]: skew },
    secret === undefined ? client.None() : authenticated(secret.reveal()),
  );
  found.timeout = timeout / second;
  found[client.customFetch] = limitedFetch(proxyTo);
  client.enableNonRepudiationChecks(found); // verifies signatures of ID tokens with published keys
  if (issuer.protocol === 'http:') client.allowInsecureRequests(found);
  return found;
}

/** A fetch that reads no more of an answer than its limit, and follows no redirect. */
function limitedFetch(proxyTo: ProxyTo): (url: string, options: object) => Promise<Response> {
  return async (url, options) => {
    const asked = new Request(url, options);
    const { method, headers, signal } = asked;
    const body = Buffer.from(await asked.arrayBuffer());
    const target = new URL(url);
    const request = {
      method,
      headers: { ...Object.fromEntries(headers), 'user-agent': userAgent }, // instead of the package's
      signal,
      proxy: proxyTo(target),
      ...(body.length > 0 && { body }),
    };
    const answer = await sendRequest(target, request, answerMax);
    const isEmpty = [101, 204, 205, 304].includes(answer.status);
    return new Response(isEmpty ? null : answer.body, answer);
  };
}

/**
 * Calls a function and explains its errors. Errors of the package may have tokens in their causes:
 * only their messages are kept.
 */
async function explained<T>(what: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof DeclinedError) throw error;
    const chain = causesOf(error);
    const own = chain.find((each) => each instanceof DeskhandError); // of the proxy
    throw new IssuerError(`the issuer ${what}: ${reasonOf(error, chain)}`, own?.hint);
  }
}

/**
 * The error of a declined sign-in, for the terminal: some issuers explain here that a person may
 * not use the client.
 */
function declined({ error_description: why }: AuthorizationResponseError): DeclinedError {
  const words = why === undefined ? '' : `: ${plainText(why, 200)}`;
  return new DeclinedError(`the sign-in was declined at the issuer (access_denied)${words}`);
}

const depthMax = 4; // causes, of a package that may link them in a circle

function causesOf(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let each = error; each instanceof Error && chain.length < depthMax; each = each.cause) {
    chain.push(each);
  }
  return chain;
}

function reasonOf(error: unknown, chain: readonly Error[]): string {
  if (!(error instanceof Error)) return 'unknown';
  const known = chain.find((each) => each instanceof DeskhandError || 'syscall' in each);
  if (known !== undefined) return plainText(networkMessageOf(known), 300);
  const codes = chain.flatMap((each) => {
    const code = 'error' in each ? each.error : 'code' in each ? each.code : undefined;
    return typeof code === 'string' ? [code] : [];
  });
  const details = codes.length === 0 ? '' : ` (${[...new Set(codes)].join(', ')})`;
  return plainText(`${error.message}${details}`, 300);
}
