/** The URL of a database: which parts are allowed in it, and which may be shown. */
import { ConfigError } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';

export interface Address {
  /** The URL for the driver; it may have a password. */
  readonly url: string;
  /** The text for people: host, port and database. */
  readonly shown: string;
  /** Values of the URL that no message may contain. */
  readonly hidden: readonly string[];
}

/** The allowed SSL modes: all others fall back to a connection without TLS, which nobody notices. */
const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'];

/** Parses the URL of a database. @throws ConfigError, which shows nothing of the URL */
export function addressIn(text: string): Address {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw new ConfigError(
      'the URL of the database is not valid',
      'expected postgres://USER:PASSWORD@HOST:PORT/DATABASE',
    );
  }
  const sslMode = url.searchParams.get('sslmode');
  if (sslMode !== null && !sslModes.includes(sslMode)) {
    throw new ConfigError(
      'the URL of the database has an unsupported sslmode',
      `expected one of ${sslModes.join(', ')}`,
    );
  }
  if (sslMode === 'verify-ca' && !url.searchParams.has('sslrootcert')) {
    throw new ConfigError(
      'sslmode=verify-ca in the URL of the database needs sslrootcert',
      'add sslrootcert=FILE, or use sslmode=verify-full',
    );
  }
  const host = url.searchParams.get('host') ?? decoded(url.hostname);
  const port = url.searchParams.get('port') ?? url.port;
  const shown = `${host || 'localhost'}:${port || '5432'}${decoded(url.pathname)}`;
  const login = [url.username, url.password].map(decoded);
  const named = ['user', 'password'].map((name) => url.searchParams.get(name) ?? '');
  // The modes mean what they mean to every other client of Postgres.
  url.searchParams.set('uselibpqcompat', 'true');
  return {
    url: url.href,
    shown: plainText(shown, 200),
    hidden: [...login, ...named].filter((value) => value !== ''),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
