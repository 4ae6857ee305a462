/** Stores batches of this process: over its connection to the service if it has one, else by calls. */
import { alarm, second, type Clock, type Millis } from '../../../base/clock.ts';
import type { Batch, Holder } from '../../shared/shared-runs.ts';
import { StoreError } from '../../store.ts';
import type { CallOptions } from '../ingress.ts';
import type { KeepInput, Kept } from '../objects/keep.ts';
import { ClientSession, type Acknowledgement } from './client-session.ts';
import type { ServiceConnection } from './connection.ts';
import { ServiceConnections } from './connections.ts';
import type { WantedStream } from '../objects/stream.ts';
import type { SessionMessage, StreamBatch } from './messages.ts';

export interface Keeper {
  /** Stores a batch, as in SharedRuns. @param batch default: only the lease is renewed */
  keep(holder: Holder, isRenewal: boolean, batch?: Batch): Promise<boolean>;
  /** Ends the session of a run that this process has, before another call for the run. */
  end(run: string): void;
  close(): void;
}

export interface KeeperOptions {
  /** Calls the handler `keep` of a run. @throws StoreError */
  readonly call: (run: string, input: KeepInput, options: CallOptions) => Promise<Kept>;
  readonly clock: Clock;
  /** The timeout of each call. */
  readonly timeoutMs: Millis;
  /** Whether connections beyond this machine are not protected either. */
  readonly isPlain: boolean;
}

const sessionMax: Millis = 2 * second; // another call for the run may wait so long

export function keeperOver(options: KeeperOptions): Keeper {
  return new SessionKeeper(options);
}

/** Keeps a session open for each run, in which an invocation follows this process. */
class SessionKeeper implements Keeper {
  readonly #options: KeeperOptions;
  readonly #connections: ServiceConnections;
  /** The session of each run. Sessions that must end are only in `#byNumber`. */
  readonly #current = new Map<string, ClientSession>();
  readonly #byNumber = new Map<number, ClientSession>();
  /** The call of each run that may open its next session. */
  readonly #opening = new Map<string, Promise<unknown>>();
  #numbers = 0;

  constructor(options: KeeperOptions) {
    const { clock, isPlain } = options;
    this.#options = options;
    this.#connections = new ServiceConnections({
      clock,
      isPlain,
      listeners: {
        onSession: (from, message) => this.#onMessage(from, message),
        onClose: (from) => this.#onClose(from),
      },
    });
  }

  async keep(holder: Holder, isRenewal: boolean, batch?: Batch): Promise<boolean> {
    const { run } = holder;
    while (this.#opening.has(run)) await this.#opening.get(run);
    const session = this.#current.get(run);
    let isInterrupted = false;
    if (session?.connection !== undefined) {
      const isAccepted = batch !== undefined && session.accepts(holder, batch.header);
      if (isAccepted && (await this.#send(session, session.connection, { ...batch, isRenewal }))) {
        return true;
      }
      this.end(run);
      // The service shortened the lease if it saw that the connection was lost.
      isInterrupted = isAccepted;
    }
    return this.#open(holder, isRenewal || isInterrupted || batch === undefined, batch);
  }

  end(run: string): void {
    const session = this.#current.get(run);
    if (session?.connection === undefined) return;
    this.#current.delete(run);
    session.connection.send({ kind: 'end', session: session.number });
  }

  close(): void {
    this.#connections.close();
  }

  /** Sends a batch over an open session, which is given up without an acknowledgement in time. */
  async #send(
    session: ClientSession,
    connection: ServiceConnection,
    batch: StreamBatch,
  ): Promise<Acknowledgement> {
    const cancel = alarm(this.#options.timeoutMs / 2, () => {
      connection.send({ kind: 'end', session: session.number });
      this.#connections.avoid([connection]);
      this.#giveUp(session);
    });
    try {
      return await session.send(connection, batch);
    } finally {
      cancel();
    }
  }

  /** Calls the handler while no other call for the run may open a session. */
  async #open(holder: Holder, isRenewal: boolean, batch?: Batch): Promise<boolean> {
    const { run } = holder;
    const work = this.#call(holder, isRenewal, batch);
    const done = work.then(
      () => undefined,
      () => undefined,
    );
    this.#opening.set(run, done);
    try {
      return await work;
    } finally {
      if (this.#opening.get(run) === done) this.#opening.delete(run);
    }
  }

  /** Calls the handler, which may follow this process from then on. */
  async #call(holder: Holder, isRenewal: boolean, batch?: Batch): Promise<boolean> {
    const session = this.#begin(holder, batch?.header);
    const offered = this.#connections.usable();
    const stream = this.#offer(session, offered);
    const opened = session.opened();
    const answered = new AbortController();
    const answer = this.#options.call(
      holder.run,
      { holder, ...(batch && { batch }), isRenewal, ...(stream && { stream }) },
      { isRepeatable: true, signal: answered.signal },
    );
    answer.catch(() => undefined); // it is aborted once the invocation is open
    try {
      const first = await Promise.race([answer, opened.then(async (open) => open ?? answer)]);
      if (first === true) return true;
      if (first.at !== undefined) void this.#connections.connect(first.at);
      const isUnseen = first.wasOpen === true && session.connection === undefined;
      this.#giveUp(session);
      if (!isUnseen || offered.length === 0) return first.isKept;
      this.#connections.avoid(offered);
      return await this.#call(holder, true); // the lease may be shortened, see `keep`
    } catch (error) {
      this.#giveUp(session); // if it opens later, it gets a message to end
      throw error;
    } finally {
      answered.abort(new StoreError('the answer is not needed', 'this is not reported'));
    }
  }

  #begin(holder: Holder, header: string | undefined): ClientSession {
    const session = new ClientSession(++this.#numbers, holder, header);
    this.#byNumber.set(session.number, session);
    this.#current.set(holder.run, session);
    return session;
  }

  /** The stream that is offered to the handler. Without connections, the answer says where to connect. */
  #offer(
    { number, holder }: ClientSession,
    connections: readonly ServiceConnection[],
  ): WantedStream | undefined {
    if (connections.length === 0 && this.#connections.isAnyAvoided()) return undefined;
    return {
      holder: holder.incarnation,
      connections: connections.map(({ id }) => id),
      session: number,
      atMost: Math.min(holder.lease / 3, sessionMax),
    };
  }

  #onMessage(from: ServiceConnection, message: SessionMessage): void {
    const session = this.#byNumber.get(message.session);
    if (message.kind === 'closed') {
      if (session !== undefined) this.#giveUp(session);
      return;
    }
    if (session?.acknowledge(from, message) === true) return;
    // The session was given up, and its batch was sent in another way, or must be.
    if (session !== undefined) this.#giveUp(session);
    from.send({ kind: 'end', session: message.session });
  }

  #onClose(from: ServiceConnection): void {
    for (const session of this.#byNumber.values()) {
      if (session.connection !== from) continue;
      const { isIdle, holder } = session;
      this.#giveUp(session);
      // The service shortened the lease: it cannot know whether this process lives.
      if (isIdle && !this.#connections.isClosed) {
        void this.keep(holder, true).catch(() => undefined);
      }
    }
  }

  #giveUp(session: ClientSession): void {
    const { run } = session.holder;
    this.#byNumber.delete(session.number);
    if (this.#current.get(run) === session) this.#current.delete(run);
    session.giveUp();
  }
}
