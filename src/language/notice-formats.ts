/** The formats of a notification (`json` is our own), and the addresses to which they may be sent. */
import { isLoopbackName } from '../base/host.ts';
import { isRecord } from '../base/json.ts';

export const noticeFormats = ['json', 'slack', 'teams', 'email'] as const;
export type NoticeFormat = (typeof noticeFormats)[number];

export function isNoticeFormat(text: string): text is NoticeFormat {
  return noticeFormats.some((format) => format === text);
}

/** The requested format, or the one derived from the address. */
export function formatOf(notice: object, { protocol, hostname }: URL): NoticeFormat {
  const asked = isRecord(notice) ? notice['format'] : undefined;
  if (typeof asked === 'string' && isNoticeFormat(asked)) return asked;
  if (protocol === 'smtps:' || protocol === 'smtp:') return 'email';
  if (hostname === 'hooks.slack.com' || hostname === 'hooks.slack-gov.com') return 'slack';
  return teamsHost.test(hostname) ? 'teams' : 'json';
}

const teamsHost = /\.(?:webhook\.office\.com|logic\.azure\.com|api\.powerplatform\.com)$/;

export interface NoticeSubject {
  readonly format: NoticeFormat;
  /** Whether it is about a sandbox. */
  readonly isSandbox: boolean;
}

/**
 * Why a notification must not be sent to an address; undefined if it may be. A POST is sent without
 * encryption only to this machine, and only for a sandbox; a password of an e-mail only to this machine.
 */
export function addressProblem(url: URL, about: NoticeSubject): string | undefined {
  const { protocol, hostname, username, password, searchParams } = url;
  if (about.format !== 'email') {
    const isPlainHere = protocol === 'http:' && about.isSandbox && isLoopbackName(hostname);
    return protocol === 'https:' || isPlainHere
      ? undefined
      : 'url must be https:// (http:// only to this machine, and only in the sandbox)';
  }
  if (protocol !== 'smtps:' && protocol !== 'smtp:') {
    return 'the url of an e-mail must be smtps:// or smtp://';
  }
  const asked = searchParams.getAll('tls');
  if (asked.length > 1 || !asked.every((each) => each === 'required' || each === 'off')) {
    return 'tls of an e-mail is required or off';
  }
  if (isEncryptedMail(url, about)) return undefined;
  if (protocol === 'smtps:') return 'tls=off is for smtp://, and smtps:// is always encrypted';
  return `${username}${password}` === '' || isLoopbackName(hostname)
    ? undefined
    : 'tls=off with a user is for this machine only: others could read the password on the way';
}

/**
 * Whether an e-mail is sent over TLS or not at all: by default `smtp://` requires STARTTLS, except to
 * this machine for a sandbox. What the server offers decides nothing.
 */
export function isEncryptedMail(
  { protocol, hostname, searchParams }: URL,
  { isSandbox }: Pick<NoticeSubject, 'isSandbox'>,
): boolean {
  const asked = searchParams.get('tls');
  if (asked !== null) return asked !== 'off';
  return protocol === 'smtps:' || !isSandbox || !isLoopbackName(hostname);
}
