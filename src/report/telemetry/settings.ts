/** Settings of the collector that traces are sent to, from the standard variables of OpenTelemetry. */
import { second, type Millis } from '../../base/clock.ts';
import { ConfigError } from '../../base/error.ts';
import { environmentProxy, type Proxy } from '../../base/proxy.ts';
import { Secret } from '../../base/secret.ts';

export interface TraceSettings {
  readonly url: URL;
  readonly proxy?: Proxy;
  /** Headers of each request; a value is often a token. */
  readonly headers: ReadonlyMap<string, Secret>;
  readonly service: string;
  /** The timeout of each request. */
  readonly timeoutMs: Millis;
}

type Environment = Readonly<Record<string, string | undefined>>;

const prefix = 'OTEL_EXPORTER_OTLP_';

/** Whether traces are on; nothing is loaded for them otherwise. */
export function wantsTraces(env: Environment): boolean {
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return false;
  return Boolean(env[`${prefix}ENDPOINT`] ?? env[`${prefix}TRACES_ENDPOINT`]);
}

/** @throws ConfigError naming the variable, never its value */
export function traceSettingsIn(env: Environment): TraceSettings {
  const protocol = env[`${prefix}TRACES_PROTOCOL`] ?? env[`${prefix}PROTOCOL`];
  if (protocol === 'grpc') {
    throw new ConfigError(
      `${prefix}PROTOCOL is grpc; traces are sent over HTTP as JSON`,
      'unset it, and name the HTTP port of the collector (4318 by default)',
    );
  }
  const milliseconds = env[`${prefix}TIMEOUT`];
  const url = urlIn(env);
  const proxy = environmentProxy(url, env);
  return {
    url,
    ...(proxy && { proxy }),
    headers: headersIn(env[`${prefix}TRACES_HEADERS`] ?? env[`${prefix}HEADERS`] ?? ''),
    service: env['OTEL_SERVICE_NAME'] || 'deskhand',
    timeoutMs: /^\d{1,5}$/.test(milliseconds ?? '') ? Number(milliseconds) : 5 * second,
  };
}

/**
 * The URL of the collector: the endpoint of traces is used unchanged, as the specification says; the general
 * one has a path added.
 */
function urlIn(env: Environment): URL {
  const own = env[`${prefix}TRACES_ENDPOINT`];
  const name = `${prefix}${own ? 'TRACES_' : ''}ENDPOINT`;
  const text = own || `${(env[name] ?? '').replace(/\/+$/, '')}/v1/traces`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new ConfigError(`${name} is not an address`, 'such as http://localhost:4318');
}

/** Parses headers: `name=value,name=value`, with values percent-encoded. */
function headersIn(text: string): ReadonlyMap<string, Secret> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return new Map(
    pairs.map((pair) => {
      const [, name = '', value = ''] =
        /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
      const decoded = decodedOf(value);
      if (name !== '' && decoded !== undefined && /^[\x20-\x7e]*$/.test(decoded)) {
        return [name.toLowerCase(), new Secret(decoded)];
      }
      throw new ConfigError(`${prefix}HEADERS is not valid`, 'such as api-key=SECRET,tenant=desk');
    }),
  );
}

function decodedOf(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined; // a lone percent sign
  }
}
