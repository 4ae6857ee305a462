/** The side of this process of an invocation that follows it, or may begin to. */
import type { Holder } from '../../shared/shared-runs.ts';
import type { ServiceConnection } from './connection.ts';
import type { SessionMessage, StreamBatch } from './messages.ts';

/** True when what was sent is stored; undefined when it must be sent in another way. */
export type Acknowledgement = true | undefined;

export class ClientSession {
  /** Identifies the session among those of this process. */
  readonly number: number;
  readonly holder: Holder;
  /** The header that was stored with it. */
  readonly header: string | undefined;
  #connection: ServiceConnection | undefined;
  /** Last line of the batch that was sent. */
  #sentTo: number | undefined;
  #settle: ((acknowledgement: Acknowledgement) => void) | undefined;

  constructor(number: number, holder: Holder, header: string | undefined) {
    this.number = number;
    this.holder = holder;
    this.header = header;
  }

  /** The connection over which it is open; undefined before that. */
  get connection(): ServiceConnection | undefined {
    return this.#connection;
  }

  /** Nothing is awaited. */
  get isIdle(): boolean {
    return this.#settle === undefined;
  }

  /** Whether a batch of this holder with this header can be sent over it now. */
  accepts(holder: Holder, header: string): boolean {
    const { incarnation, lease } = this.holder;
    const isSameHolder = incarnation === holder.incarnation && lease === holder.lease;
    return this.isIdle && isSameHolder && this.header === header;
  }

  /** Resolves when the service has opened it, with what it was called with stored. */
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
   * @returns false if it is not the one that is awaited: a repetition of the call opened the session again,
   * which says nothing about the batch that was sent
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

  /** What is awaited must be sent in another way. */
  giveUp(): void {
    this.#settleWith(undefined);
  }

  #settleWith(acknowledgement: Acknowledgement): void {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(acknowledgement);
  }
}
