/** The embedded exchange: one world behind one gateway, in this process or shared by several. */
import type { Clock, Millis } from '../base/clock.ts';
import { TransportError, type Transport, type WireRequest } from '../exchange/api/exchange.ts';
import { control, controlResponse } from './control.ts';
import type { ControlContext, ControlMethod } from './control/control-context.ts';
import type { Delivery } from './faults/delivery.ts';
import { carryInProcess } from './faults/in-process.ts';
import type { RawRequest, RawResponse } from './gateway/request.ts';
import { requestLog } from './requests.ts';
import { serviceOf, type Service } from './service.ts';
import { SharedStore } from './persistence/shared.ts';
import { memoryStore, type Store } from './persistence/world-store.ts';
import { foundingAccounts, type SandboxAccounts } from './world/initial-accounts.ts';
import { newWorld } from './world/genesis.ts';
import { timeFrom, type TimeMode } from './world/time.ts';
import type { Birth, Origin } from './world/world.ts';

export interface SandboxOptions {
  readonly clock: Clock;
  /** The seed of the world: another seed gives other prices, customers and history. Default: 1. */
  readonly seed?: number;
  /** The file of a world shared by processes; without it the world ends with this process. */
  readonly stateFile?: string;
  /**
   * Whether the world's time follows the clock (default), is frozen until it is advanced, or is
   * accelerated.
   */
  readonly time?: TimeMode;
  /** The factor of accelerated time. */
  readonly speed?: number;
  /** The world's start time; default: the current time. */
  readonly startAt?: Millis;
  /** Whether rate limits are enforced; default: true. */
  readonly limits?: boolean;
}

export interface Sandbox {
  readonly clock: Clock;
  /**
   * A transport for clients in this process, through the same gateway as bytes from a socket,
   * including faults.
   */
  readonly transport: Transport;
  readonly accounts: SandboxAccounts;
  /** Identifies this world among those of the same file: a reset creates a new one. */
  readonly world: string;
  /** The world's time, which is `requestTime` in responses. */
  now(): Millis;
  /** Answers one request as an exchange without faults, as one commit. */
  handle(request: RawRequest): RawResponse;
  /** Answers a request, or leaves it unanswered, according to the fault rules. */
  deliver(request: RawRequest): Delivery;
  /**
   * Executes a request of the control interface, without HTTP.
   * @param path the part after `/_sandbox/`, as `clock/advance`
   * @throws Refusal when it cannot be executed
   */
  control(method: ControlMethod, path: string, fields?: object): unknown;
  /** Answers an HTTP request of the control interface. */
  controlResponse(request: RawRequest, token: string | undefined): RawResponse;
  close(): Promise<void>;
}

/**
 * Opens a sandbox: a new world, or that of a file. A file's world keeps its own seed, clock and
 * settings; the options only apply to a new one.
 * @throws DamagedError when the file cannot be read
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { clock, stateFile } = options;
  const birth = birthOf(options);
  const store: Store =
    stateFile === undefined
      ? memoryStore(newWorld(birth), clock)
      : new SharedStore(stateFile, birth, clock);
  const requests = requestLog();
  const service = serviceOf(store, clock, requests);
  const context: ControlContext = { store, requests, shelf: new Map() };
  return {
    clock,
    get accounts() {
      return foundingAccounts(store.world().origin.seed);
    },
    get world() {
      return worldName(store.world().origin);
    },
    transport: transportOf(service, clock),
    now: () => store.exclusive(() => store.now()),
    handle: (request) => service.answer(request),
    deliver: (request) => service.deliver(request),
    control: (method, path, fields = {}) => control({ method, path, fields }, context),
    controlResponse: (request, token) => controlResponse(request, context, token),
    close: async () => store.close(),
  };
}

function birthOf({
  clock,
  seed = 1,
  time = 'real',
  speed = 1,
  startAt,
  limits = true,
}: SandboxOptions): Birth {
  const born = startAt ?? clock.now();
  return {
    origin: { seed, born, generation: 0 },
    time: timeFrom(time, { at: born, wall: clock.now(), speed }),
    limits,
  };
}

function worldName({ seed, born, generation }: Origin): string {
  return [seed, born.toString(36), ...(generation > 0 ? [generation] : [])].join('-');
}

const inProcessAddress = '127.0.0.1';

function transportOf(service: Service, clock: Clock): Transport {
  return async (request, signal) => {
    if (signal.aborted)
      throw new TransportError('canceled before it was sent', 'no', signal.reason);
    return carryInProcess(service.deliver(rawRequest(request)), clock, signal);
  };
}

function rawRequest({ method, path, query, headers, body }: WireRequest): RawRequest {
  return {
    method,
    target: query === '' ? path : `${path}?${query}`,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    ),
    body: Buffer.from(body, 'utf8'),
    ip: inProcessAddress,
  };
}
