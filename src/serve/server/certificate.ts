/** The certificate of the server, read again while it runs, because it is renewed. */
import { createSecureContext } from 'node:tls';
import { minute, type Clock, type Millis } from '../../base/clock.ts';
import { ConfigError, messageOf } from '../../base/error.ts';

/** A certificate and its key as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * Reads the certificate. @throws ConfigError when the files cannot be read, or do not fit each
 * other
 */
export async function checkedCertificate(read: () => Promise<Certificate>): Promise<Certificate> {
  const certificate = await read();
  try {
    createSecureContext(certificate);
  } catch (error) {
    // Messages of OpenSSL name a reason, never a part of the key.
    throw new ConfigError(`serve.tls: ${messageOf(error)}`, 'check cert and key of deskhand.yaml');
  }
  return certificate;
}

const interval: Millis = minute;

/**
 * Renews the certificate until the signal is aborted. A file that is half written is reported, and
 * the old certificate remains.
 */
export async function renewing(
  first: Certificate,
  options: {
    readonly read: () => Promise<Certificate>;
    readonly renew: (certificate: Certificate) => void;
    readonly onError: (error: unknown) => void;
    readonly clock: Clock;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { read, renew, onError, clock, signal } = options;
  let current = first;
  while (!signal.aborted) {
    await clock.sleep(interval, signal).catch(() => undefined);
    if (signal.aborted) return;
    try {
      const next = await checkedCertificate(read);
      if (next.cert === current.cert && next.key === current.key) continue;
      renew(next);
      current = next;
    } catch (error) {
      onError(error);
    }
  }
}
