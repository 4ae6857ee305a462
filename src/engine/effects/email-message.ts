/** The content of an e-mail on the wire: headers, and a body in base64. */
import type { Millis } from '../../base/clock.ts';

export interface Email {
  /** The id in the e-mail's Message-ID; letters and digits. Default: the server chooses one. */
  readonly id?: string;
  readonly subject: string;
  readonly text: string;
  readonly at: Millis;
}

/** The sender and recipients on the wire, as plain addresses. */
export interface Envelope {
  readonly from: string;
  readonly to: string[];
}

/** Base64 in short lines: no text can end the message early, or add a header. */
export function messageOf({ from, to }: Envelope, { id, subject, text, at }: Email): string {
  const base64 = (words: string): string => Buffer.from(words).toString('base64');
  const body = base64(text).match(/.{1,76}/g) ?? [];
  return [
    `From: ${from}`,
    `To: ${to.join(', ')}`,
    `Subject: ${encodedWords(subject)}`,
    `Date: ${new Date(at).toUTCString().replace('GMT', '+0000')}`,
    ...(id === undefined ? [] : [`Message-ID: <${id}@${from.split('@')[1] ?? 'deskhand'}>`]),
    'Auto-Submitted: auto-generated', // no automatic replies
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    ...body,
  ].join('\r\n');
}

/** Any text as a header: encoded words of at most 75 characters, one per line. */
function encodedWords(text: string): string {
  const pieces = text.match(/.{1,10}/gsu) ?? []; // 10 characters are at most 40 bytes
  const words = pieces.map((piece) => `=?UTF-8?B?${Buffer.from(piece).toString('base64')}?=`);
  return words.slice(0, 12).join('\r\n ');
}
