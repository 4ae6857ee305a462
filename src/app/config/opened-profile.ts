/** An opened profile: its exchange, its destination, and its secrets. */
import { join } from 'node:path';
import { second, type Clock, type Millis } from '../../base/clock.ts';
import { ConfigError, InternalError } from '../../base/error.ts';
import { canonicalHost } from '../../base/host.ts';
import { sha256 } from '../../base/json.ts';
import type { Proxy } from '../../base/proxy.ts';
import { systemRandom } from '../../base/random.ts';
import type { Secret } from '../../base/secret.ts';
import { spoken } from '../../base/text.ts';
import { createClient, type Client } from '../../exchange/client/client.ts';
import { createLimiter, type Limiter } from '../../exchange/client/layers/limit.ts';
import type { CallEvent, Transport } from '../../exchange/api/exchange.ts';
import { termsFrom, type AskTerms, type TermsOf } from '../../exchange/api/terms.ts';
import { idKey, inProcess } from '../../engine/journal/account.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import { isCredentialName } from '../../language/check/secrets.ts';
import type { SharedPaces } from '../../stores/shared/shared-paces.ts';
import { embeddedSandbox } from './embedded.ts';
import type { Profile } from './profile.ts';
import { CredentialError } from './credential-error.ts';
import { credentialsIn, fingerprintOf, secretsOf, type Environment } from './secrets.ts';
import { proxiesOf, proxyOn, type ProfileProxies } from './proxy.ts';
import type { Credentials } from './credentials.ts';
import { storedPace } from './stored-pace.ts';

export interface OpenedProfile {
  readonly exchange: Client;
  /** Trading rules that orders are checked against; absent on live, where they are not known. */
  readonly terms?: TermsOf;
  readonly destination: Destination;
  readonly profile: Profile;
  /** Values that are masked in all output. */
  readonly secrets: readonly Secret[];
  /** Finds the proxy to a receiver of notifications. @throws ConfigError for a wrong variable */
  readonly proxyTo: (url: URL) => Proxy | undefined;
  /** A secret of the playbook. @throws ConfigError naming it when it is not set */
  secret(name: string): string;
  close(): Promise<void>;
}

export interface OpeningOptions {
  readonly stateDir: string;
  readonly env: Environment;
  readonly clock: Clock;
  /** Wraps the transport to observe requests. */
  readonly watch?: (transport: Transport) => Transport;
  /** Whether signed operations will be called. */
  readonly needsKey: boolean;
  /** Whether the profile sends no requests, and uses no secrets or programs. */
  readonly isOffline?: boolean;
  /** Opens the transport to an address. Default: HTTP. */
  readonly reach?: Reach;
  /** Whether another machine may have just sent requests for the account: the rate limits start used up. */
  readonly startsFull?: boolean;
  /** Rate limits that several machines share; absent if each machine keeps its own. */
  readonly paces?: SharedPaces;
  /** Receives warnings for a person: nothing fails because of them. */
  readonly warn: (message: string) => void;
}

/** Opens a connection to an address. Tests replace it, so that whole machines can be simulated. */
export type Reach = (baseUrl: URL, proxy?: Proxy) => Promise<Pick<Wire, 'transport' | 'close'>>;

/** @throws CredentialError when a key is missing or not stored safely */
export async function openProfile(
  profile: Profile,
  options: OpeningOptions,
): Promise<OpenedProfile> {
  if (options.isOffline === true) return offlineProfile(profile, options);
  const store = await secretsOf(profile, options.env);
  const proxies = await proxiesOf(profile, options.env);
  const wire =
    profile.baseUrl === undefined
      ? await openEmbedded(profile, options)
      : await openRemote(profile, profile.baseUrl, proxies, options, () =>
          credentialsIn(store, profile.name),
        );
  const transport = options.watch?.(wire.transport) ?? wire.transport;
  const { credentials } = wire;
  const own = [...(credentials ? Object.values(credentials) : []), ...store.all()];
  return {
    profile,
    exchange: createClient({
      transport,
      clock: options.clock,
      random: systemRandom(),
      limiter: limiterFor(profile, wire, options),
      onEvent: (event) => reportWait(event, options),
      ...(profile.family !== undefined && { family: profile.family }),
      ...(profile.target === 'demo' && { isDemo: true }),
      ...(credentials && { credentials }),
    }),
    ...(credentials &&
      wire.askTerms && { terms: termsFrom(wire.askTerms, credentials.apiKey.reveal()) }),
    destination: {
      profile: profile.name,
      target: profile.target,
      host: wire.host,
      ...(credentials && { keyFingerprint: fingerprintOf(credentials.apiKey) }),
      ...idOf(profile, own),
      ...familyIn(profile),
    },
    secrets: [...own, ...proxies.secrets],
    proxyTo: (url) => proxyOn(proxies.toOthers(url)),
    secret: (name) => {
      const found = isCredentialName(name) ? undefined : store.find(name);
      const isOwn = Object.values(credentials ?? {}).some(
        (secret) => secret.reveal() === found?.reveal(),
      );
      if (isCredentialName(name) || isOwn) {
        throw new ConfigError(
          `the secret ${name} is a credential of the exchange`,
          'playbooks cannot use these; give the other system its own secret',
        );
      }
      if (found !== undefined) return found.reveal();
      throw new ConfigError(`the secret ${name} is not set`, `set ${store.nameOf(name)}`);
    },
    close: () => wire.close(),
  };
}

/** Reports a wait that the exchange imposes, when the wait begins. */
function reportWait(event: CallEvent, { warn }: OpeningOptions): void {
  if (event.kind !== 'retrying' || event.reason !== 'limit' || event.inMs < second) return;
  warn(`${event.operation} waits ${spoken(event.inMs)}: ${event.because}`);
}

/**
 * The id of the account.
 * @throws ConfigError for an account-id that contains a secret, because ids are displayed and recorded
 */
function idOf(
  { name, accountId }: Profile,
  secrets: readonly Secret[],
): { readonly accountId?: string } {
  if (accountId === undefined) return {};
  const holds = (secret: string): boolean =>
    accountId === secret || (secret.length >= 8 && accountId.includes(secret));
  if (!secrets.some((secret) => holds(secret.reveal()))) return { accountId };
  throw new ConfigError(
    `the account-id of profile ${name} contains its key, and account-ids are displayed`,
    'use the uid of the account on the exchange, or any permanent name',
  );
}

function familyIn({ family }: Profile): Pick<Destination, 'family'> {
  return family === undefined ? {} : { family };
}

/** A profile that only names its destination: safe with any configuration. */
function offlineProfile(profile: Profile, { clock }: OpeningOptions): OpenedProfile {
  const { name, target, baseUrl, accountId } = profile;
  const unreachable = (): Promise<never> => {
    throw new InternalError('a request was made offline');
  };
  return {
    profile,
    exchange: createClient({ transport: unreachable, clock, random: systemRandom() }),
    destination: {
      profile: name,
      target,
      host: baseUrl?.host ?? inProcess,
      ...(accountId !== undefined && { accountId }),
      ...familyIn(profile),
    },
    secrets: [],
    proxyTo: () => undefined,
    secret: (secret) => {
      throw new ConfigError(`the secret ${secret} is not looked up offline`);
    },
    close: async () => undefined,
  };
}

/** The rate limiter: one count of requests for all processes of this machine that share the state folder. */
function limiterFor(
  { as: account, accountId }: Profile,
  { host, credentials }: Wire,
  { clock, stateDir, startsFull = false, paces, warn }: OpeningOptions,
): Limiter {
  const key = credentials === undefined ? '' : sha256(credentials.apiKey.reveal()).slice(0, 16);
  const place = canonicalHost(host);
  return createLimiter({
    clock,
    // The exchange counts per account, with any key.
    account: `${accountId === undefined ? key : `id ${idKey(accountId)}`}@${place}`,
    isLeader: host.startsWith(inProcess) && account === 'leader',
    paceDir: join(stateDir, 'pace', place.replaceAll(/[^A-Za-z0-9.-]/g, '_')),
    startsFull,
    ...(paces && {
      paces: (name, limit) => storedPace(paces, `${place} ${name}`, limit, { clock, warn }),
    }),
  });
}

interface Wire {
  readonly transport: Transport;
  readonly host: string;
  readonly credentials?: Credentials;
  readonly askTerms?: AskTerms;
  close(): Promise<void>;
}

/** The built-in exchange, with the key of the profile's account. */
async function openEmbedded(profile: Profile, options: OpeningOptions): Promise<Wire> {
  const { sandbox, close } = await embeddedSandbox(sandboxFile(options.stateDir), options.clock);
  return {
    transport: sandbox.transport,
    // A world that was reset is another account: its ledger must not apply to the new one.
    host: `${inProcess}-${sandbox.world}`,
    credentials: keyOf(sandbox.accounts[profile.as]),
    askTerms: (fields) => sandbox.control('GET', 'terms', fields),
    close,
  };
}

/** The secrets of an account's key, without fields that are not secret. */
function keyOf({ apiKey, secretKey, passphrase }: Credentials): Credentials {
  return { apiKey, secretKey, passphrase };
}

/** The file with the built-in sandbox's world. */
export function sandboxFile(stateDir: string): string {
  return join(stateDir, 'sandbox', 'world.ndjson');
}

async function openRemote(
  profile: Profile,
  baseUrl: URL,
  proxies: ProfileProxies,
  { env, needsKey, reach }: OpeningOptions,
  credentials: () => Credentials,
): Promise<Wire> {
  if (profile.target !== 'sandbox' && env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    throw new CredentialError(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 disables the verification of certificates',
      'unset it: keys must only be sent to the exchange',
    );
  }
  const key = needsKey ? { credentials: credentials() } : {};
  const proxy = proxyOn(proxies.toExchange(baseUrl));
  const wire = await (reach ?? overHttp)(baseUrl, proxy);
  return {
    transport: wire.transport,
    host: baseUrl.host,
    ...key,
    ...(profile.target === 'sandbox' &&
      baseUrl.protocol === 'http:' &&
      reach === undefined && { askTerms: askOver(baseUrl, proxy) }),
    close: () => wire.close(),
  };
}

async function overHttp(baseUrl: URL, proxy?: Proxy): ReturnType<Reach> {
  const { httpTransport } = await import('../../exchange/client/transports/http.ts');
  return httpTransport({ baseUrl: baseUrl.href, ...(proxy && { proxy }) });
}

const patience: Millis = 3_000;

/**
 * Asks an exchange for its trading rules, if it is on this machine, through the proxy of the profile, which
 * is on this machine, too. A remote exchange may not be a sandbox.
 */
function askOver(baseUrl: URL, proxy: Proxy | undefined): AskTerms {
  const control = new URL('/_sandbox', baseUrl);
  return async (fields) => {
    const { controlOverHttp } = await import('./control.ts');
    return controlOverHttp(
      control,
      { method: 'POST', path: 'terms', fields }, // the request contains the API key
      { signal: AbortSignal.timeout(patience), proxy },
    );
  };
}
