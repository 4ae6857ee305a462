/** A profile opened for work: an exchange to call, where it is, and the secrets that come with it. */
import { join } from 'node:path';
import type { Clock, Millis } from '../base/clock.ts';
import { ConfigError, InternalError } from '../base/error.ts';
import { sha256 } from '../base/json.ts';
import { systemRandom } from '../base/random.ts';
import type { Secret } from '../base/secret.ts';
import { createClient, type Client } from '../client/client.ts';
import { createLimiter, type Limiter } from '../client/layers/limit.ts';
import type { Transport } from '../contract/exchange.ts';
import { termsFrom, type AskTerms, type TermsOf } from '../contract/terms.ts';
import type { Destination } from '../journal/entry.ts';
import { controlOverHttp } from './control.ts';
import type { Profile } from './profile.ts';
import {
  CredentialError,
  credentialsIn,
  openSecrets,
  type Credentials,
  type Environment,
} from './secrets.ts';

export interface Session {
  readonly exchange: Client;
  /** What orders are held against; absent on live, where nothing tells it. */
  readonly terms?: TermsOf;
  readonly destination: Destination;
  readonly profile: Profile;
  /** What must never be shown. */
  readonly secrets: readonly Secret[];
  /** A secret of the playbook. @throws ConfigError naming it when it is not set */
  secret(name: string): string;
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly stateDir: string;
  readonly env: Environment;
  readonly clock: Clock;
  /** Put around the transport, to show what is sent. */
  readonly watch?: (transport: Transport) => Transport;
  /** Whether signed operations will be called. */
  readonly needsKey: boolean;
  /** Nothing is asked of anybody, no secret is looked up, no program is started. */
  readonly isOffline?: boolean;
}

/** @throws CredentialError when a key is missing or not kept safely */
export async function openSession(profile: Profile, options: SessionOptions): Promise<Session> {
  if (options.isOffline === true) return offlineSession(profile, options);
  const store = await openSecrets(profile.secrets, options.env);
  const wire =
    profile.baseUrl === undefined
      ? await openEmbedded(profile, options)
      : await openRemote(profile, profile.baseUrl, options, () =>
          credentialsIn(store, profile.name),
        );
  const transport = options.watch?.(wire.transport) ?? wire.transport;
  const { credentials } = wire;
  const given: Secret[] = credentials === undefined ? [] : Object.values(credentials);
  return {
    profile,
    exchange: createClient({
      transport,
      clock: options.clock,
      random: systemRandom(),
      limiter: limiterFor(profile, wire, options),
      ...(credentials && { credentials }),
    }),
    ...(credentials &&
      wire.askTerms && { terms: termsFrom(wire.askTerms, credentials.apiKey.reveal()) }),
    destination: {
      profile: profile.name,
      target: profile.target,
      host: wire.host,
      ...(credentials && { keyFingerprint: sha256(credentials.apiKey.reveal()).slice(0, 8) }),
    },
    secrets: given,
    secret: (name) => {
      const found = store.find(name);
      if (found !== undefined) return found.reveal();
      throw new ConfigError(`the secret ${name} is not set`, `set ${store.nameOf(name)}`);
    },
    close: () => wire.close(),
  };
}

/** A profile that only says where it would lead: safe with anybody's configuration. */
function offlineSession(profile: Profile, { clock }: SessionOptions): Session {
  const { name, target, baseUrl } = profile;
  const unreachable = (): Promise<never> => {
    throw new InternalError('something was asked of the exchange offline');
  };
  return {
    profile,
    exchange: createClient({ transport: unreachable, clock, random: systemRandom() }),
    destination: { profile: name, target, host: baseUrl?.host ?? inProcess },
    secrets: [],
    secret: (secret) => {
      throw new ConfigError(`the secret ${secret} is not looked up offline`);
    },
    close: async () => undefined,
  };
}

/** One count of requests for all processes of this machine that share the state folder. */
function limiterFor(
  { as: account }: Profile,
  { host, credentials }: Wire,
  { clock, stateDir }: SessionOptions,
): Limiter {
  const key = credentials === undefined ? '' : sha256(credentials.apiKey.reveal()).slice(0, 16);
  return createLimiter({
    clock,
    account: `${key}@${host}`,
    isLeader: host.startsWith(inProcess) && account === 'leader',
    paceDir: join(stateDir, 'pace', host.replaceAll(/[^A-Za-z0-9.-]/g, '_')),
  });
}

const inProcess = 'in-process';

/** Whether an account lives inside this process and its state folder, unknown to everybody else. */
export function isEmbedded({ host }: Destination): boolean {
  return host.startsWith(inProcess);
}

interface Wire {
  readonly transport: Transport;
  readonly host: string;
  readonly credentials?: Credentials;
  readonly askTerms?: AskTerms;
  close(): Promise<void>;
}

/** The built-in exchange, with the key of the account the profile names. */
async function openEmbedded(profile: Profile, options: SessionOptions): Promise<Wire> {
  const { openSandbox } = await import('../sandbox/sandbox.ts');
  const stateFile = sandboxFile(options.stateDir);
  const sandbox = await openSandbox({ clock: options.clock, stateFile });
  return {
    transport: sandbox.transport,
    // A world that was reset is another account: its ledger must not speak for the new one.
    host: `${inProcess}-${sandbox.world}`,
    credentials: keyOf(sandbox.accounts[profile.as]),
    askTerms: (fields) => sandbox.control('GET', 'terms', fields),
    close: () => sandbox.close(),
  };
}

/** The secrets of an account, without what is no secret. */
function keyOf({ apiKey, secretKey, passphrase }: Credentials): Credentials {
  return { apiKey, secretKey, passphrase };
}

/** Where the built-in exchange keeps its world. */
export function sandboxFile(stateDir: string): string {
  return join(stateDir, 'sandbox', 'world.ndjson');
}

async function openRemote(
  profile: Profile,
  baseUrl: URL,
  { env, needsKey }: SessionOptions,
  credentials: () => Credentials,
): Promise<Wire> {
  if (profile.target === 'live' && env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    throw new CredentialError(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 switches the check of certificates off',
      'unset it: keys are only sent to the exchange itself',
    );
  }
  const key = needsKey ? { credentials: credentials() } : {};
  const { httpTransport } = await import('../client/transports/http.ts');
  const wire = httpTransport({ baseUrl: baseUrl.href });
  return {
    transport: wire.transport,
    host: baseUrl.host,
    ...key,
    ...(profile.target === 'sandbox' &&
      baseUrl.protocol === 'http:' && { askTerms: askOver(baseUrl) }),
    close: () => wire.close(),
  };
}

const patience: Millis = 3_000;

/** Only an address of this machine is asked: a sandbox elsewhere is no less guarded than an exchange. */
function askOver(baseUrl: URL): AskTerms {
  const control = new URL('/_sandbox', baseUrl);
  return (fields) =>
    controlOverHttp(
      control,
      { method: 'POST', path: 'terms', fields }, // the key stands in the body
      AbortSignal.timeout(patience),
    );
}
