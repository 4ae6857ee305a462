/** The content of an e-mail on the wire: headers, a text, the same as HTML, and files. */
import MailComposer from 'nodemailer/lib/mail-composer';
import type { Millis } from '../../base/clock.ts';
import { cut } from '../../base/text-table.ts';

export interface Email {
  /** The id in the e-mail's Message-ID; letters and digits. Default: a random one. */
  readonly id?: string;
  readonly subject: string;
  readonly text: string;
  /** The text for readers with HTML. Default: the text only. */
  readonly html?: string;
  readonly attached?: readonly AttachedFile[];
  readonly at: Millis;
}

export interface AttachedFile {
  /** The name that a reader sees, without a folder. */
  readonly name: string;
  readonly content: Buffer;
}

/** The sender and recipients on the wire, as plain addresses. */
export interface Envelope {
  readonly from: string;
  readonly to: string[];
}

const subjectMax = 120; // characters

/** Bodies are base64 in short lines: no text can end the message early, or add a header. */
export async function messageOf(
  { from, to }: Envelope,
  { id, subject, text, html, attached = [], at }: Email,
): Promise<Buffer> {
  const host = from.split('@')[1] ?? 'deskhand';
  const composer = new MailComposer({
    from,
    to,
    subject: cut(subject.replaceAll(/\s+/g, ' ').trim(), subjectMax),
    date: new Date(at),
    ...(id !== undefined && { messageId: `<${id}@${host}>` }),
    headers: { 'Auto-Submitted': 'auto-generated' }, // no automatic replies
    text: { content: contentOf(text), contentTransferEncoding: 'base64' },
    ...(html !== undefined && {
      html: { content: contentOf(html), contentTransferEncoding: 'base64' },
    }),
    attachments: attached.map(({ name, content }) => ({
      filename: name,
      content,
      contentTransferEncoding: 'base64',
    })),
    textEncoding: 'base64',
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** The composer refuses an empty text, and takes empty bytes. */
function contentOf(text: string): string | Buffer {
  return text === '' ? Buffer.alloc(0) : text;
}
