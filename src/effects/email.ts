/** One e-mail over SMTP: `smtps://user:password@host?from=a@x&to=b@y`, or `smtp://` on this machine. */
import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { connect as connectTls } from 'node:tls';

export interface Email {
  /** Of its Message-ID; letters and digits. Default: the server chooses one. */
  readonly id?: string;
  readonly subject: string;
  readonly text: string;
}

/**
 * The server refused, or the address has no sender or recipient; the message contains no address.
 */
export class EmailError extends Error {
  /** Whether the server asks to try again later. */
  readonly isPassing: boolean;

  constructor(message: string, isPassing = false) {
    super(message);
    this.isPassing = isPassing;
  }
}

/** @throws EmailError; errors of the connection are passed on */
export async function sendEmail(url: URL, email: Email, signal: AbortSignal): Promise<void> {
  const { from, to } = envelopeOf(url);
  const socket = await opened(url, signal);
  const stop = (): void => void socket.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const say = dialogOver(socket);
    await say(undefined, 220);
    await say('EHLO deskhand', 250);
    if (url.username !== '') await say(`AUTH PLAIN ${credentialsOf(url)}`, 235);
    await say(`MAIL FROM:<${from}>`, 250);
    for (const one of to) await say(`RCPT TO:<${one}>`, 250);
    await say('DATA', 354);
    await say(`${messageOf({ from, to }, email)}\r\n.`, 250);
    socket.end('QUIT\r\n');
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroySoon();
  }
}

interface Envelope {
  readonly from: string;
  readonly to: readonly string[];
}

/** Plain addresses only: they cannot inject a line into the dialog or the message. */
function envelopeOf({ searchParams }: URL): Envelope {
  const from = searchParams.get('from') ?? '';
  const to = searchParams.getAll('to').flatMap((text) => text.split(','));
  const isAddress = (text: string): boolean => /^[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+$/.test(text);
  if (!isAddress(from) || to.length === 0 || !to.every(isAddress)) {
    throw new EmailError('the address needs ?from=…&to=… with e-mail addresses');
  }
  return { from, to };
}

async function opened(url: URL, signal: AbortSignal): Promise<Socket> {
  const isTls = url.protocol === 'smtps:';
  const host = url.hostname.replaceAll(/[[\]]/g, '');
  const port = Number(url.port || (isTls ? 465 : 25));
  const socket = isTls ? connectTls({ host, port, servername: host }) : connectPlain(port, host);
  try {
    await once(socket, isTls ? 'secureConnect' : 'connect', { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function credentialsOf({ username, password }: URL): string {
  const words = ['', decodeURIComponent(username), decodeURIComponent(password)];
  return Buffer.from(words.join('\0')).toString('base64');
}

const replyLinesMax = 100; // lines of one reply; a longer reply is an error

/** Sends a line and waits for the reply, whose last line has a space after the code. */
function dialogOver(socket: Socket): (line: string | undefined, code: number) => Promise<void> {
  const reader = createInterface({ input: socket });
  const lines = reader[Symbol.asyncIterator]();
  socket.on('error', () => undefined); // closing it ends the reader
  socket.once('close', () => reader.close());
  return async (line, code) => {
    if (line !== undefined) socket.write(`${line}\r\n`);
    for (let count = 0; count < replyLinesMax; count += 1) {
      const { value, done } = await lines.next();
      if (done === true) throw new EmailError('the server closed the connection');
      const [, digits, more] = /^(\d{3})(-?)/.exec(String(value)) ?? [];
      if (digits === undefined) throw new EmailError('the server does not use SMTP');
      if (more === '-') continue;
      if (Math.trunc(Number(digits) / 10) === Math.trunc(code / 10)) return;
      throw new EmailError(`the server answered ${digits}`, digits.startsWith('4'));
    }
    throw new EmailError('the server does not end its reply');
  };
}

/** Base64 in short lines: no text can end the message early. */
function messageOf({ from, to }: Envelope, { id, subject, text }: Email): string {
  const base64 = (words: string): string => Buffer.from(words).toString('base64');
  const body = base64(text).match(/.{1,76}/g) ?? [];
  return [
    `From: ${from}`,
    `To: ${to.join(', ')}`,
    `Subject: ${encodedWords(subject)}`,
    ...(id === undefined ? [] : [`Message-ID: <${id}@${from.split('@')[1] ?? 'deskhand'}>`]),
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
