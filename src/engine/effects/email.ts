/** One e-mail over SMTP: `smtps://user:password@host?from=a@x&to=b@y`, or `smtp://` with STARTTLS. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { NodemailerError } from 'nodemailer';
import SMTPConnection, { type SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection';
import { EmailError } from './email-error.ts';
import { messageOf, type Email, type Envelope } from './email-message.ts';

export interface EmailOptions {
  /** Whether everything after the greeting must be encrypted; nothing is sent to a server without TLS. */
  readonly isEncrypted: boolean;
  readonly signal: AbortSignal;
  /** Certificates of authorities as PEM. Default: those that Node trusts. */
  readonly ca?: string;
}

/** @throws EmailError; errors of the connection are passed on */
export async function sendEmail(url: URL, email: Email, options: EmailOptions): Promise<void> {
  const { signal } = options;
  const envelope = envelopeOf(url);
  const login = loginOf(url);
  const message = await messageOf(envelope, email);
  const connection = openedOn(await connected(url, options), url, options);
  const end = (): void => connection.close();
  signal.addEventListener('abort', end, { once: true });
  try {
    const { step, ended } = stepsOf(connection);
    await step((done) => connection.connect(done));
    if (login !== undefined) await step((done) => connection.login(login, done));
    await step((done) =>
      connection.send(envelope, message, (error, info) =>
        done(error ?? partlyRefused(envelope, info)),
      ),
    );
    connection.quit();
    await ended; // accepted, however the connection ends
  } finally {
    signal.removeEventListener('abort', end);
    connection.close();
  }
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

interface Login {
  readonly user: string;
  readonly pass: string;
}

function loginOf({ username, password }: URL): Login | undefined {
  if (username === '' && password === '') return undefined;
  if (username === '' || password === '') {
    throw new EmailError('the address has a user without a password, or the reverse');
  }
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch {
    throw new EmailError('the user and the password of the address must be percent-encoded');
  }
}

async function connected(url: URL, { isEncrypted, signal }: EmailOptions): Promise<Socket> {
  const usual = url.protocol === 'smtps:' ? 465 : isEncrypted ? 587 : 25;
  const socket = connect(Number(url.port || usual), hostOf(url));
  try {
    await once(socket, 'connect', { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function hostOf({ hostname }: URL): string {
  return hostname.replaceAll(/[[\]]/g, '');
}

function openedOn(connection: Socket, url: URL, { isEncrypted, ca }: EmailOptions): SMTPConnection {
  const isTls = url.protocol === 'smtps:';
  return new SMTPConnection({
    connection,
    host: hostOf(url),
    secure: isTls,
    requireTLS: isEncrypted && !isTls,
    ignoreTLS: !isEncrypted,
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
    socketCloseTimeout: 0, // it is not kept open for a server that does not close it
  });
}

type Done = (error?: NodemailerError | EmailError | null) => void;

interface Steps {
  /** Resolves when the step is done. @throws EmailError, or the error of the connection */
  readonly step: (begin: (done: Done) => void) => Promise<void>;
  /** Resolves when the connection has ended, for any reason. */
  readonly ended: Promise<void>;
}

/** The library reports errors of a connection as events, whatever step they concern. */
function stepsOf(connection: SMTPConnection): Steps {
  let failure: unknown = new EmailError('the server closed the connection', true);
  const ended = new Promise<void>((resolve) => {
    connection.on('error', (error: NodemailerError) => {
      failure = problemOf(error);
    });
    connection.once('end', resolve);
  });
  return {
    ended,
    step: (begin) =>
      new Promise((resolve, reject) => {
        void ended.then(() => reject(failure));
        begin((error) => (error ? reject(problemOf(error)) : resolve()));
      }),
  };
}

/**
 * The error for an e-mail that only some recipients got: it is not sent again, because they would get
 * it twice.
 */
function partlyRefused(
  { to }: Envelope,
  { accepted, rejectedErrors = [] }: SMTPConnectionSendInfo,
): EmailError | undefined {
  const [first] = rejectedErrors;
  if (first === undefined) return undefined;
  const { responseCode = 'a refusal' } = first;
  return new EmailError(
    `sent to ${accepted.length} of ${to.length} recipients: the server answered ${responseCode} for others`,
  );
}

/** The error of a failed e-mail without the server's text, which may repeat what it was sent. */
function problemOf(error: NodemailerError | EmailError): Error {
  if (error instanceof EmailError) return error;
  const { code, originalCode, responseCode, command = '' } = error;
  if (command === 'STARTTLS' && code === 'ETLS' && responseCode !== undefined) {
    const isPassing = String(responseCode).startsWith('4');
    const message = `the server does not offer STARTTLS (${responseCode}), and nothing was sent`;
    return new EmailError(message, isPassing);
  }
  if (responseCode !== undefined) {
    const at = /^[A-Z]+(?: [A-Z]+)?$/.test(command) && command !== 'CONN' ? ` to ${command}` : '';
    const isPassing = String(responseCode).startsWith('4');
    return new EmailError(`the server answered ${responseCode}${at}`, isPassing);
  }
  const known = originalCode ?? code ?? '';
  if (/CERT|ISSUER|SIGNATURE|SSL|TLS/.test(known)) {
    return new EmailError(`the encrypted connection failed: ${known}`);
  }
  if (code === 'EPROTOCOL') return new EmailError('the server does not use SMTP');
  if (code === 'ECONNECTION') return new EmailError('the server closed the connection', true);
  return Object.assign(new Error('the connection failed'), { code: known });
}
