/** The control interface: changes of the world that no exchange would allow. */
import type { Millis } from '../base/clock.ts';
import { decodeUtf8, JsonError, parseJson } from '../base/json.ts';
import { equalInConstantTime } from '../exchange/api/signature.ts';
import { accountControls } from './control/accounts.ts';
import {
  controlMethods,
  type ControlContext,
  type ControlMethod,
  type ControlTable,
} from './control/control-context.ts';
import { clockControls } from './control/clock.ts';
import { controlFields, type ControlField } from './control/fields.ts';
import { faultControls } from './control/faults.ts';
import { marketControls } from './control/market.ts';
import { orderControls } from './control/orders.ts';
import { positionControls } from './control/positions.ts';
import { scenarioControls } from './control/scenario.ts';
import { termsControls } from './control/terms.ts';
import { worldControls } from './control/world.ts';
import {
  answered,
  textOf,
  mediaTypeOf,
  refused,
  type RawRequest,
  type RawResponse,
} from './gateway/request.ts';
import { Refusal } from './refusal.ts';

export const controlPath = '/_sandbox/';

const table: ControlTable = {
  ...worldControls,
  ...clockControls,
  ...marketControls,
  ...accountControls,
  ...positionControls,
  ...orderControls,
  ...faultControls,
  ...scenarioControls,
  ...termsControls,
};

/** A path below `/_sandbox/`. */
export const controlPaths: readonly string[] = Object.keys(table);

export interface ControlRoute {
  readonly path: string;
  readonly method: ControlMethod;
  readonly fields: readonly ControlField[];
}

/** Every path with each of its methods, and the fields that it accepts. */
export function controlRoutes(): readonly ControlRoute[] {
  return Object.entries(table).flatMap(([path, methods]) =>
    controlMethods.flatMap((method) => {
      const handler = methods[method];
      if (handler === undefined) return [];
      return [{ path, method, fields: controlFields(handler.schema ?? {}) }];
    }),
  );
}

/**
 * Executes one control request.
 * @param path the part after `/_sandbox/`
 * @throws Refusal when it cannot be executed
 */
export function control(
  { method, path, fields }: { method: string; path: string; fields: unknown },
  context: ControlContext,
): unknown {
  const methods = Object.hasOwn(table, path) ? table[path] : undefined;
  if (methods === undefined) throw new Refusal('40404', path);
  const handler = isControlMethod(method) ? methods[method] : undefined;
  if (handler === undefined) {
    throw new Refusal('40405', `${path} accepts only ${Object.keys(methods).join(', ')}`);
  }
  return context.store.exclusive(() => {
    context.store.settle();
    return handler(fields, context);
  });
}

/**
 * Answers a control request over HTTP: GET with a query, POST and PUT with JSON; with a token if
 * one is set.
 */
export function controlResponse(
  request: RawRequest,
  context: ControlContext,
  token: string | undefined,
): RawResponse {
  const now = (): Millis => context.store.exclusive(() => context.store.now());
  try {
    checkToken(request, token);
    const [path = '', query = ''] = request.target.slice(controlPath.length).split('?');
    const fields = request.method === 'GET' ? queryFields(query) : bodyFields(request);
    const data = control({ method: request.method, path, fields }, context);
    return answered(data ?? null, now());
  } catch (error) {
    if (error instanceof Refusal) return refused(error, now());
    throw error;
  }
}

function isControlMethod(method: string): method is ControlMethod {
  return controlMethods.some((each) => each === method);
}

function checkToken(request: RawRequest, token: string | undefined): void {
  if (token === undefined) return;
  const given = textOf(request.headers['authorization']) ?? '';
  if (!equalInConstantTime(given, `Bearer ${token}`)) throw new Refusal('40006', undefined, 401);
}

function queryFields(query: string): unknown {
  return Object.fromEntries(new URLSearchParams(query));
}

function bodyFields(request: RawRequest): unknown {
  if (mediaTypeOf(request) !== 'application/json') throw new Refusal('40007');
  try {
    return parseJson(decodeUtf8(request.body));
  } catch (error) {
    if (error instanceof JsonError) throw new Refusal('40409', error.message);
    throw error;
  }
}
