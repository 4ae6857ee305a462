/** E-mail, by a server that accepts messages for its users. */
import { isLoopbackName } from '../../base/host.ts';
import type { Channel } from './channel.ts';

export const email = {
  name: 'email',
  recipient: 'email',
  describes: {
    recipient: 'Mailboxes',
    address:
      'Source of the address: smtps://USER:PASSWORD@HOST?from=ADDRESS&to=ADDRESS, or smtp:// with STARTTLS',
  },
  isSigned: false,
  isMail: true,
  serves: isMailAddress,
  addressProblem: mailProblem,
  body: ({ document }) => document,
} as const satisfies Channel;

function isMailAddress({ protocol }: URL): boolean {
  return protocol === 'smtps:' || protocol === 'smtp:';
}

/** The problem of an e-mail's address: a password is sent without encryption only to this machine. */
function mailProblem(url: URL, isSandbox: boolean): string | undefined {
  const { protocol, hostname, username, password, searchParams } = url;
  if (!isMailAddress(url)) return 'the url of an e-mail must be smtps:// or smtp://';
  const asked = searchParams.getAll('tls');
  if (asked.length > 1 || !asked.every((each) => each === 'required' || each === 'off')) {
    return 'tls of an e-mail is required or off';
  }
  if (isEncryptedMail(url, isSandbox)) return undefined;
  if (protocol === 'smtps:') return 'tls=off is for smtp://, and smtps:// is always encrypted';
  return `${username}${password}` === '' || isLoopbackName(hostname)
    ? undefined
    : 'tls=off with a user is for this machine only: others could read the password on the way';
}

/**
 * Whether an e-mail is sent over TLS or not at all: by default `smtp://` requires STARTTLS, except to
 * this machine for a sandbox. The server's offer decides nothing.
 */
export function isEncryptedMail(
  { protocol, hostname, searchParams }: URL,
  isSandbox: boolean,
): boolean {
  const asked = searchParams.get('tls');
  if (asked !== null) return asked !== 'off';
  return protocol === 'smtps:' || !isSandbox || !isLoopbackName(hostname);
}
