/** A session as the process with a run sees it: an invocation follows the process, or may begin to. */
import type { Holder } from '../../shared/shared-runs.ts';
import type { ServiceConnection } from './connection.ts';
import type { SessionMessage, StreamBatch } from './messages.ts';

/** Whether a batch is stored: true if so; undefined when it must be sent in another way. */
export type Acknowledgement = true | undefined;

export class ClientSession {
  /** Identifies the session among those of this process. */
  readonly number: number;
  readonly holder: Holder;
  /** The header of the run that was stored with the session's first batch. */
  readonly header: string | undefined;
  #connection: ServiceConnection | undefined;
  /** Number of the last line in the batch that was sent. */
  #sentTo: number | undefined;
  #settle: ((acknowledgement: Acknowledgement) => void) | undefined;

  constructor(number: number, holder: Holder, header: string | undefined) {
    this.number = number;
    this.holder = holder;
    this.header = header;
  }

  /** The connection over which the session is open; undefined before that. */
  get connection(): ServiceConnection | undefined {
    return this.#connection;
  }

  /** Whether no acknowledgement is awaited. */
  get isIdle(): boolean {
    return this.#settle === undefined;
  }

  /** Whether a batch of this holder with this header can be sent over the session now. */
  accepts(holder: Holder, header: string): boolean {
    const { incarnation, lease } = this.holder;
    const isSameHolder = incarnation === holder.incarnation && lease === holder.lease;
    return this.isIdle && isSameHolder && this.header === header;
  }

  /**
   * Resolves when the service has opened the session, and has stored the batch of the call that opened it.
   */
  opened(): Promise<Acknowledgement> {
    return new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Sends a batch. The program lives until there is an acknowledgement. */
  send(
    connection: ServiceConnection,
    { after, rows, link, isRenewal }: StreamBatch,
  ): Promise<Acknowledgement> {
    return new Promise((resolve) => {
      connection.hold();
      this.#sentTo = rows.at(-1)?.last;
      this.#settle = (acknowledgement) => {
        connection.release();
        resolve(acknowledgement);
      };
      const batch = { after, rows, link, isRenewal };
      connection.send({ kind: 'batch', session: this.number, batch });
    });
  }

  /**
   * Takes an acknowledgement of the service.
   * @returns false if it is not the awaited one: a repetition of the call opened the session again, which
   * says nothing about the batch that was sent
   */
  acknowledge(
    connection: ServiceConnection,
    message: Exclude<SessionMessage, { readonly kind: 'closed' }>,
  ): boolean {
    const isAwaited =
      message.kind === 'open' ? this.#connection === undefined : message.lines === this.#sentTo;
    if (!isAwaited) return false;
    this.#connection = connection;
    this.#settleWith(true);
    return true;
  }

  /** Ends the wait for an acknowledgement: the batch must be sent in another way. */
  giveUp(): void {
    this.#settleWith(undefined);
  }

  #settleWith(acknowledgement: Acknowledgement): void {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(acknowledgement);
  }
}
