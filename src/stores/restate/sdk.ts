/** Defines virtual objects with the package `@restatedev/restate-sdk`: this is the only file that imports it.
 */
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type * as Sdk from '@restatedev/restate-sdk/node';
import { hour, minute, second, type Clock, type Millis } from '../../base/clock.ts';
import { isCode } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { StoreError } from '../store.ts';
import type { Invocation, ObjectDefinition } from './objects/object.ts';
import type { Streams } from './objects/stream.ts';

export type RequestHandler = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

export interface EndpointOptions {
  readonly objects: readonly ObjectDefinition[];
  /** The clock of the leases. */
  readonly clock: Clock;
  readonly streams: Streams;
  /** Public keys of servers whose requests are accepted. If there are none, every request is. */
  readonly identityKeys: readonly string[];
  /** Called when an attempt of a handler has failed, or a request was refused. */
  readonly onProblem: (message: string) => void;
}

/** The HTTP handler of the service. @throws StoreError when the package is not installed */
export async function endpointOf(options: EndpointOptions): Promise<RequestHandler> {
  const { objects, identityKeys, onProblem } = options;
  const sdk = await loaded();
  return sdk.createEndpointHandler({
    services: objects.map((object) => objectIn(sdk, object, options)),
    bidirectional: true,
    ...(identityKeys.length > 0 && { identityKeys: [...identityKeys] }),
    logger: ({ level }, message) => {
      if (level === 'warn' || level === 'error') onProblem(String(message));
    },
  });
}

/**
 * The options of every object. A key is blocked until its handler ends, so the handler is tried again at
 * short intervals, and never given up: by default a server pauses it.
 */
const handling: Sdk.ObjectOptions = {
  retryPolicy: {
    initialInterval: 50,
    exponentiationFactor: 2,
    maxInterval: second,
    maxAttempts: 1e9,
  },
  journalRetention: 0,
  idempotencyRetention: hour,
  inactivityTimeout: minute,
};

function objectIn(
  sdk: typeof Sdk,
  { name, isLazy, exclusive, shared, internal }: ObjectDefinition,
  here: Pick<EndpointOptions, 'clock' | 'streams'>,
): Sdk.VirtualObjectDefinition<string, unknown> {
  const execute =
    (handler: ObjectDefinition['exclusive'][string]) =>
    async (context: Sdk.ObjectSharedContext, input: unknown): Promise<unknown> => {
      if (!isRecord(input)) throw new sdk.TerminalError('expected an object', { errorCode: 400 });
      const invocation = invocationOf(sdk, context as Sdk.ObjectContext, here);
      return (await handler(invocation, input as never)) ?? null;
    };
  const exclusives = Object.entries(exclusive).map(([key, handler]) => [
    key,
    sdk.handlers.object.exclusive({ ingressPrivate: internal.includes(key) }, execute(handler)),
  ]);
  const shareds = Object.entries(shared).map(([key, handler]) => [
    key,
    sdk.handlers.object.shared({}, execute(handler)),
  ]);
  // Without this, a request with unexpected fields would be tried again permanently, and block its key.
  const asTerminalError = (error: unknown): Sdk.TerminalError | undefined =>
    error instanceof TypeError ? new sdk.TerminalError(error.message) : undefined;
  return sdk.object({
    name,
    handlers: Object.fromEntries([...exclusives, ...shareds]),
    options: { ...handling, enableLazyState: isLazy, asTerminalError },
  });
}

function invocationOf(
  sdk: typeof Sdk,
  context: Sdk.ObjectContext,
  { clock, streams }: Pick<EndpointOptions, 'clock' | 'streams'>,
): Invocation {
  const asJson = <Value>(): Sdk.Serde<Value> => sdk.serde.json as Sdk.Serde<Value>;
  return {
    key: context.key,
    get: async <Value>(name: string) => (await context.get<Value>(name)) ?? undefined,
    set: (name, value) => context.set(name, value),
    clear: (name) => context.clear(name),
    clearAll: () => context.clearAll(),
    names: () => context.stateKeys(),
    now: (): Promise<Millis> => context.run('now', () => clock.now()),
    record: async <Value>(name: string, action: () => Value | Promise<Value>) =>
      context.run(name, async () => action()),
    streams,
    over: context.request().attemptCompletedSignal,
    token: () => context.rand.uuidv4(),
    call: <Result>(object: string, key: string, method: string, parameter: object) =>
      context.genericCall<object, Result>({
        service: object,
        method,
        key,
        parameter,
        inputSerde: asJson<object>(),
        outputSerde: asJson<Result>(),
      }),
    send: (object, key, method, parameter) => {
      const inputSerde = asJson<object>();
      context.genericSend({ service: object, method, key, parameter, inputSerde });
    },
  };
}

async function loaded(): Promise<typeof Sdk> {
  polyfill();
  try {
    return await import('@restatedev/restate-sdk/node');
  } catch (error) {
    if (!isCode(error, 'ERR_MODULE_NOT_FOUND') && !isCode(error, 'MODULE_NOT_FOUND')) throw error;
    throw new StoreError(
      'the package "@restatedev/restate-sdk" is not installed',
      'npm install @restatedev/restate-sdk',
    );
  }
}

/** Adds a function that the package uses and Node 20 does not have. */
function polyfill(): void {
  if ('withResolvers' in Promise) return;
  const withResolvers = <Value>(): PromiseWithResolvers<Value> => {
    let resolve: PromiseWithResolvers<Value>['resolve'] = () => undefined;
    let reject: PromiseWithResolvers<Value>['reject'] = () => undefined;
    const promise = new Promise<Value>((yes, no) => {
      resolve = yes;
      reject = no;
    });
    return { promise, resolve, reject };
  };
  Object.assign(Promise, { withResolvers });
}
