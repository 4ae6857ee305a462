/** Learns the exchange's time before a call that needs it: one read for all that wait. */
import { messageOf } from '../../base/error.ts';
import { ProxyError } from '../../base/proxy.ts';
import { UnavailableError, type CallOptions } from '../api/exchange.ts';
import type { OperationName } from '../api/operations/index.ts';
import type { Anchor } from './anchor.ts';
import { Turnstile } from './turn.ts';

export class TimeLearner {
  readonly #anchor: Anchor;
  readonly #read: (call: CallOptions) => Promise<unknown>;
  readonly #turnstile = new Turnstile();

  /** @param read a public call; every response has the exchange's time, so even a failed one may set it */
  constructor(anchor: Anchor, read: (call: CallOptions) => Promise<unknown>) {
    this.#anchor = anchor;
    this.#read = read;
  }

  /** @param name of the call that needs the time @throws UnavailableError naming that call */
  async learn(
    name: OperationName,
    { beforeSend: _notForThis, ...call }: CallOptions,
  ): Promise<void> {
    const anchor = this.#anchor;
    const { signal } = call;
    await this.#turnstile.through(async () => {
      if (!anchor.isStale()) return;
      anchor.dropIfSlept();
      try {
        await this.#read(call);
      } catch (error) {
        signal?.throwIfAborted();
        if (!anchor.isStale()) return;
        if (error instanceof ProxyError) throw error;
        const because = error instanceof UnavailableError ? error.because : messageOf(error);
        throw new UnavailableError(
          name,
          `the exchange’s clock could not be read: ${because}`,
          error,
        );
      }
    }, signal);
  }
}
