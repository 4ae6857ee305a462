/** One session of the service: an invocation that follows a process over its connection. */
import type { Socket } from 'node:net';
import { alarm } from '../../../base/clock.ts';
import type { Next, Session, WantedStream } from '../objects/stream.ts';
import { sendTo, type SessionMessage, type StreamBatch } from './messages.ts';

export interface Connection {
  readonly socket: Socket;
  /** The open sessions of the connection, by number. */
  readonly sessions: Map<number, OpenSession>;
}

interface SessionWatcher {
  /** Called with the number of lines of the run that are stored. */
  reported(lines: number): void;
  /** Called once, when the session has ended. */
  ended(session: OpenSession): void;
}

const batchesMax = 500; // the journal of an invocation is in memory
const charactersMax = 4 * 1024 * 1024;

export class OpenSession implements Session {
  readonly #connection: Connection;
  readonly #number: number;
  readonly #arrived: Next[] = [];
  readonly #cancels: (() => void)[];
  readonly #watcher: SessionWatcher;
  #waiting: ((next: Next) => void) | undefined;
  #ending: Next | undefined;
  #isOpen = false;
  #isClosed = false;
  #batches = 0;
  #characters = 0;
  #given = 0;

  /**
   * @param until the attempt of the handler is over
   */
  constructor(
    connection: Connection,
    { session, atMost }: WantedStream,
    until: AbortSignal,
    watcher: SessionWatcher,
  ) {
    this.#connection = connection;
    this.#number = session;
    this.#watcher = watcher;
    const { socket, sessions } = connection;
    sessions.get(session)?.end('ended');
    sessions.set(session, this);
    const abandon = (): void => this.#abandon();
    until.addEventListener('abort', abandon);
    this.#cancels = [
      alarm(atMost, () => this.end('ended')),
      () => until.removeEventListener('abort', abandon),
      () => sessions.delete(session),
      () => watcher.ended(this),
    ];
    if (until.aborted) abandon();
    else if (socket.destroyed) this.end('lost');
  }

  next(): Promise<Next> {
    // Readers look for these lines from now on.
    if (this.#isOpen) this.#watcher.reported(this.#given);
    const session = this.#number;
    this.#send(
      this.#isOpen ? { kind: 'kept', session, lines: this.#given } : { kind: 'open', session },
    );
    this.#isOpen = true;
    if (this.#batches >= batchesMax || this.#characters > charactersMax) this.end('ended');
    return new Promise((resolve) => {
      this.#waiting = resolve;
      this.#give();
    });
  }

  /** Takes a batch that has arrived. */
  hear(batch: StreamBatch): void {
    this.#batches += 1;
    this.#characters += batch.rows.reduce((sum, { text }) => sum + text.length, 0);
    this.#arrived.push({ kind: 'batch', batch });
    this.#give();
  }

  /** Ends the session, after the batches that have arrived. */
  end(kind: 'ended' | 'lost'): void {
    if (this.#ending !== undefined) return;
    this.#ending = { kind };
    for (const cancel of this.#cancels) cancel();
    this.#give();
  }

  /** Drops the arrived batches that nobody takes: the process sends again what was not acknowledged. */
  #abandon(): void {
    this.#arrived.length = 0;
    this.#close();
    this.end('ended');
  }

  #give(): void {
    const next = this.#waiting && (this.#arrived.shift() ?? this.#ending);
    if (next === undefined) return;
    if (next.kind === 'batch') this.#given = next.batch.rows.at(-1)?.last ?? 0;
    else this.#close();
    this.#waiting?.(next);
    this.#waiting = undefined;
  }

  #close(): void {
    if (!this.#isClosed) this.#send({ kind: 'closed', session: this.#number });
    this.#isClosed = true;
  }

  #send(message: SessionMessage): void {
    sendTo(this.#connection.socket, message);
  }
}
