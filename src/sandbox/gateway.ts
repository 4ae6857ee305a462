/** The pipeline of every request to its response, with each step in one place. */
import type { Millis } from '../base/clock.ts';
import type { Operation, Permission } from '../exchange/api/operation.ts';
import type { Input, OperationName, Output } from '../exchange/api/operations/index.ts';
import { fieldOf, plainJson } from '../base/json.ts';
import { successCode } from '../exchange/api/errors.ts';
import { authenticate, type Clocks } from './gateway/authenticate.ts';
import { callOf, isWrite, type Caller } from './gateway/call.ts';
import type { KeyRecord } from './gateway/api-keys.ts';
import { checkParameters, parametersOf } from './gateway/parameters.ts';
import {
  answered,
  answeredAs,
  refused,
  type RawRequest,
  type RawResponse,
} from './gateway/request.ts';
import { realAnswer } from './gateway/real-answer.ts';
import { routeOf, type Route } from './gateway/route.ts';
import type { Throttle } from './gateway/throttle.ts';
import { Refusal } from './refusal.ts';
import type { Call } from './world/act.ts';
import type { Config } from './world/world-settings.ts';

/** The parts of the world that the gateway needs for one request. */
export interface GatewayPorts {
  readonly throttle: Throttle;
  readonly monotonic: Millis;
  readonly clocks: Clocks;
  readonly config: Config;
  /** The world's seed, by which real forms of responses are chosen. */
  readonly seed: number;
  keyOf(apiKey: string): KeyRecord | undefined;
  /** Executes a read. @throws Refusal when the exchange refuses it; so does `write` */
  read<N extends OperationName>(name: N, input: Input<N>, caller: Caller): Output<N>;
  write(call: Call): unknown;
}

/** A response, with information about the request. */
export interface Handled {
  readonly response: RawResponse;
  readonly code: string;
  readonly name: OperationName | undefined;
  readonly uid: string | undefined;
}

const tooManyRequests = 429;

/** Processes a request; throws only for an internal error. */
export function answerOf(request: RawRequest, ports: GatewayPorts): Handled {
  let name: OperationName | undefined;
  let uid: string | undefined;
  let remaining: number | undefined;
  const { business } = ports.clocks;
  try {
    const route = routeOf(request);
    name = route.name;
    const { operation } = route;
    if (operation.limit.of === 'ip') remaining = throttled(operation, request.ip, ports);
    const key = keyFor(route, request, ports);
    if (key !== undefined) {
      uid = key.uid;
      if (operation.limit.of === 'uid') remaining = throttled(operation, key, ports);
      checkRights(operation, key);
    }
    const fields = parametersOf(request, route, ports.config.pageOverflow);
    const data = performed(name, fields, { caller: callerOf(key), ports });
    if (ports.config.quirks.answers !== 'real') {
      return { name, uid, code: successCode, response: answered(data, business, remaining) };
    }
    const occasion = {
      seed: ports.seed,
      name: `${request.target} ${business}`,
      size: sizeIn(fields),
    };
    const text = realAnswer(name, plainJson(data ?? null), occasion);
    return { name, uid, code: successCode, response: answeredAs(text, business, remaining) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const left = error.status === tooManyRequests ? 0 : remaining;
    return { name, uid, code: error.code, response: refused(error, business, left) };
  }
}

/** The page size that a request asks for. */
function sizeIn(fields: unknown): number | undefined {
  const size = fieldOf(fields, 'limit') ?? fieldOf(fields, 'pageSize');
  return typeof size === 'string' ? Number(size) : undefined;
}

/** The write that a request makes once it is accepted; undefined for any other request. */
export function admittedCall(request: RawRequest, ports: GatewayPorts): Call | undefined {
  try {
    const route = routeOf(request);
    if (!isWrite(route.name)) return undefined;
    const key = keyFor(route, request, ports);
    if (key !== undefined) checkRights(route.operation, key);
    const fields = parametersOf(request, route, ports.config.pageOverflow);
    return callOf(route.name, fields, callerOf(key));
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

function keyFor(route: Route, request: RawRequest, ports: GatewayPorts): KeyRecord | undefined {
  if (route.operation.access === 'public') return undefined; // credentials on a public path are ignored
  return authenticate(request, route, ports);
}

/**
 * Applies the rate limit. A request is counted after its signature is verified, so that other
 * clients cannot use up an account's limit.
 */
function throttled(
  operation: Operation,
  who: KeyRecord | string,
  { throttle, monotonic, config }: GatewayPorts,
): number {
  const isAddress = typeof who === 'string';
  const isLeader = !isAddress && who.leads !== undefined;
  const limit = (isLeader ? operation.leaderLimit : undefined) ?? operation.limit;
  if (!config.limits) return limit.permits;
  return throttle.pass(`${operation.path} ${isAddress ? who : who.uid}`, limit, monotonic);
}

function checkRights(operation: Operation, key: KeyRecord): void {
  const { permission, isMainOnly } = operation;
  if (permission !== undefined && !isAllowed(key, permission)) {
    throw new Refusal('40014', permission);
  }
  if (isMainOnly && key.isSub) throw new Refusal('40068');
}

/** Whether a key has the permission: a key that may write may also read (endpoints 2 and 3). */
function isAllowed({ permissions }: KeyRecord, wanted: Permission): boolean {
  if (permissions.includes(wanted)) return true;
  const wider = widerThan[wanted];
  return wider !== undefined && permissions.includes(wider);
}

const widerThan: Partial<Readonly<Record<Permission, Permission>>> = {
  'account-read': 'account-write',
  'trade-read': 'trade-write',
};

function performed<N extends OperationName>(
  name: N,
  fields: unknown,
  { caller, ports }: { caller: Caller; ports: GatewayPorts },
): unknown {
  if (isWrite(name)) return ports.write(callOf(name, fields, caller));
  checkParameters(name, fields);
  return ports.read(name, fields, caller);
}

function callerOf(key: KeyRecord | undefined): Caller {
  return { uid: key?.uid ?? '', ...(key?.leads && { leads: key.leads }) };
}
