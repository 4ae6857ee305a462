/** The signed client: every call is validated, paced, signed, sent and validated again. */
import { second, type Clock, type Millis } from '../../base/clock.ts';
import { ConfigError, DeskhandError, exits } from '../../base/error.ts';
import type { Random } from '../../base/random.ts';
import { checkInput } from '../api/check.ts';
import type { CallEvent, CallOptions, Exchange, Transport } from '../api/exchange.ts';
import { wrongFamily, WrongFamilyError, type Family } from '../api/family.ts';
import { operationOf, type AnswerOf, type OperationName } from '../api/operations/index.ts';
import { walk, type WalkedPage, type WalkOptions } from '../api/pages.ts';
import { encode } from '../api/wire.ts';
import { Anchor } from './anchor.ts';
import { anchoring } from './layers/anchoring.ts';
import { layered } from './layers/layer.ts';
import { createLimiter, pacing, type Limiter } from './layers/limit.ts';
import { untilSettled } from './layers/retry.ts';
import { signing, type Credentials } from './layers/sign.ts';
import { tracing } from './layers/trace.ts';
import { overWire } from './layers/wire.ts';
import { TimeLearner } from './learn-time.ts';

export interface ClientOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  /** The credentials; without them only public operations are possible. */
  readonly credentials?: Credentials;
  /** Language of the exchange's messages, `en-US` by default. */
  readonly locale?: string;
  /** The limiter. Default: one for this process only. */
  readonly limiter?: Limiter;
  /** The deadline of a call without its wait for a slot, default 30 s. */
  readonly timeoutMs?: Millis;
  /** The maximum attempts of a call, including the first, not counting rate limits; default 5. */
  readonly attempts?: number;
  /** Receives the events of calls without an observer. */
  readonly onEvent?: (event: CallEvent) => void;
  /** Whether the key is one of the exchange's demo trading. */
  readonly isDemo?: boolean;
  /** The account family of the key; operations of the other are refused before they are sent. */
  readonly family?: Family;
}

export interface Client extends Exchange {
  /** Reads every page and window of a list. */
  pages<N extends OperationName>(
    name: N,
    input: object,
    options?: WalkOptions,
  ): AsyncGenerator<WalkedPage<N>>;
}

const initialTimeout: Millis = 30 * second;
const initialAttempts = 5;

/**
 * A client of the exchange behind `transport`.
 * @throws ConfigError when a key or passphrase is invalid in a header
 */
export function createClient(options: ClientOptions): Client {
  const { transport, clock, random, credentials } = options;
  refuseUnprintable(credentials);
  const anchor = new Anchor(clock);
  const now = (): Millis => anchor.now() ?? clock.now();
  const carry = layered(overWire(transport, clock, credentials && Object.values(credentials)), [
    anchoring(anchor),
    pacing(options.limiter ?? createLimiter({ clock }), now),
    signing({ credentials, headers: headersOf(options), now }),
    tracing,
  ]);

  async function settle<N extends OperationName>(
    name: N,
    input: object,
    call: CallOptions,
  ): Promise<AnswerOf<N>> {
    const request = { headers: {}, ...encode(name, input) };
    const bounds = {
      timeoutMs: call.timeoutMs ?? options.timeoutMs ?? initialTimeout,
      attempts: call.attempts ?? options.attempts ?? initialAttempts,
    };
    return untilSettled(
      carry,
      { name, input, request },
      { bounds, options: options.onEvent ? { onEvent: options.onEvent, ...call } : call },
      { clock, random, now },
    );
  }

  const time = new TimeLearner(anchor, (call) => settle('market/list-discount-rates', {}, call));

  /** Whether the time must be confirmed first: a refused timestamp would leave the write in doubt. */
  function needsTime(name: OperationName, { resend }: CallOptions): boolean {
    const { effect } = operationOf(name);
    return resend !== true && (effect === 'keyed' || effect === 'once') && anchor.isStale();
  }

  const client: Client = {
    call: async (name, input, call = {}) => {
      checkInput(name, input);
      checkFamily(name, options.family);
      if (operationOf(name).access === 'signed') {
        if (credentials === undefined) throw missingCredentials(name);
        if (anchor.now() === undefined || needsTime(name, call)) await time.learn(name, call);
      }
      return settle(name, input, call);
    },
    serverTime: async (signal) => {
      if (anchor.now() === undefined) {
        await time.learn('market/list-discount-rates', signal ? { signal } : {});
      }
      return now();
    },
    latestTime: () => anchor.latest(),
    watchTime: () => anchor.watch(),
    pages: (name, input, walking) => walk(client, name, input, walking),
  };
  return client;
}

/** @throws WrongFamilyError for an operation that serves the other account family */
function checkFamily(name: OperationName, family: Family | undefined): void {
  const wrong = family && wrongFamily(name, family);
  if (wrong) throw new WrongFamilyError(wrong);
}

function headersOf({ locale, isDemo }: ClientOptions): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    locale: locale ?? 'en-US',
    ...(isDemo && { paptrading: '1' }),
  };
}

/**
 * The characters allowed in values that people choose: a passphrase may have spaces within, and so may
 * a header.
 */
const mayHold: Readonly<Record<string, RegExp>> = {
  apiKey: /^[\x21-\x7e]+$/,
  secretKey: /^[\s\S]+$/,
  passphrase: /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/,
};

/** A space copied along with a key makes an invalid header; report it before anything is sent. */
function refuseUnprintable(credentials: Credentials | undefined): void {
  if (credentials === undefined) return;
  const { apiKey, secretKey, passphrase } = credentials;
  for (const [name, secret] of Object.entries({ apiKey, secretKey, passphrase })) {
    if (mayHold[name]?.test(secret.reveal())) continue;
    throw new ConfigError(
      `${name} is empty or has a character that is not allowed in a header`,
      'check for copied spaces and line breaks',
    );
  }
}

function missingCredentials(name: OperationName): DeskhandError {
  return new DeskhandError(`${name} must be signed, but there are no credentials`, {
    code: 'credentials',
    actor: 'operator',
    exit: exits.credentials,
    hint: 'set a key, its secret and its passphrase for the profile; nothing was sent',
  });
}
