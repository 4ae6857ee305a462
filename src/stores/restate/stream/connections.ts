/** The connections of this process to processes of the service, and the addresses that are avoided for a time.
 */
import { minute, type Clock, type Millis } from '../../../base/clock.ts';
import { isLoopbackName } from '../../../base/host.ts';
import { connectTo, type Listeners, type ServiceConnection } from './connection.ts';
import type { StreamAddress } from './messages.ts';

const retryAfter: Millis = minute; // an address that could not be reached, or gave no answer

export interface ConnectionsOptions {
  readonly clock: Clock;
  /** Whether connections beyond this machine are not protected either. */
  readonly isPlain: boolean;
  readonly listeners: Listeners;
}

export class ServiceConnections {
  readonly #options: ConnectionsOptions;
  /** The open connections, by the id of the service's process. */
  readonly #open = new Map<string, ServiceConnection>();
  /** The time until which no connection to a process of the service is opened, or used. */
  readonly #avoidedUntil = new Map<string, Millis>();
  #isClosed = false;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  usable(): readonly ServiceConnection[] {
    const usable = [...this.#open].filter(([service]) => !this.#isAvoided(service));
    return usable.map(([, connection]) => connection);
  }

  /** Whether some address is avoided now. */
  isAnyAvoided(): boolean {
    return [...this.#avoidedUntil.keys()].some((service) => this.#isAvoided(service));
  }

  /** Connects to an address of the service, unless it is connected, avoided or not allowed. */
  async connect(at: StreamAddress): Promise<void> {
    const { service } = at;
    const { isPlain, listeners } = this.#options;
    const isAllowed = isPlain || isLoopbackName(at.host);
    const isTried = this.#open.has(service) || this.#isAvoided(service);
    if (this.#isClosed || !isAllowed || isTried) return;
    this.#avoid(service);
    const connection = await connectTo(at, {
      ...listeners,
      onClose: (from) => {
        this.#open.delete(service);
        listeners.onClose(from);
      },
    });
    if (connection === undefined) return;
    this.#avoidedUntil.delete(service);
    if (this.#isClosed) connection.close();
    else this.#open.set(service, connection);
  }

  /** Avoids connections that were silent: they may lose the messages that are sent. */
  avoid(silent: readonly ServiceConnection[]): void {
    for (const [service, connection] of this.#open) {
      if (silent.includes(connection)) this.#avoid(service);
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#open.values()) connection.close();
  }

  #avoid(service: string): void {
    this.#avoidedUntil.set(service, this.#options.clock.monotonic() + retryAfter);
  }

  #isAvoided(service: string): boolean {
    return (this.#avoidedUntil.get(service) ?? 0) > this.#options.clock.monotonic();
  }
}
