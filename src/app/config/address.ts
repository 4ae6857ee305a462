/** The address of an exchange: always explicit, and encrypted unless it is this machine. */
import { ConfigError } from '../../base/error.ts';
import { isLoopbackName } from '../../base/host.ts';
import { CredentialError } from './credential-error.ts';

/**
 * Parses an address.
 * @throws ConfigError when it is invalid; CredentialError when it would send keys unencrypted
 */
export function baseUrlOf(text: string, where: string): URL {
  if (!URL.canParse(text)) throw new ConfigError(`${where}: base-url is not an address`);
  const url = new URL(text);
  if (url.href !== `${url.origin}/`) {
    throw new ConfigError(`${where}: base-url has more than scheme and host`);
  }
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))) return url;
  throw new CredentialError(
    `${where}: base-url must begin with https://; keys are never sent unencrypted`,
    'http:// is accepted only for an exchange on this machine',
  );
}

/** Whether an address always refers to this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return isLoopbackName(hostname);
}
