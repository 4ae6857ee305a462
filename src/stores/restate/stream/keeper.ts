/** Stores batches of this process: over its connection to the service where it has one, else by calls. */
import { alarm, minute, second, type Clock, type Millis } from '../../../base/clock.ts';
import { isLoopbackName } from '../../../base/host.ts';
import type { Batch, Holder } from '../../shared/shared-runs.ts';
import { StoreError } from '../../store.ts';
import type { CallOptions } from '../ingress.ts';
import type { KeepInput, Kept } from '../objects/keep.ts';
import { connectTo, type ServiceConnection } from './connection.ts';
import type { SessionMessage, StreamAddress } from './messages.ts';

export interface Keeper {
  /** As of SharedRuns. @param batch default: only the lease is renewed */
  keep(holder: Holder, isRenewal: boolean, batch?: Batch): Promise<boolean>;
  /** Before another call for the run of which this process is the holder. */
  end(run: string): void;
  close(): void;
}

export interface KeeperOptions {
  /** Calls the handler `keep` of a run. @throws StoreError */
  readonly call: (run: string, input: KeepInput, options: CallOptions) => Promise<Kept>;
  readonly clock: Clock;
  /** Of each call. */
  readonly timeoutMs: Millis;
  /** Whether connections beyond this machine are not protected either. */
  readonly isPlain: boolean;
}

/** An invocation that follows this process, or may begin to. */
interface Sitting {
  readonly number: number;
  readonly holder: Holder;
  /** That was stored with it. */
  readonly header: string | undefined;
  /** Over which it is open. */
  connection: ServiceConnection | undefined;
  /** Last line of the batch that was sent. */
  sent: number | undefined;
  /** What is awaited: true when it is stored; undefined when it must be sent in another way. */
  settle: ((isKept: true | undefined) => void) | undefined;
}

const sittingMax: Millis = 2 * second; // another call for the run may wait so long
const retryAfter: Millis = minute; // an address that could not be reached, or gave no answer

export function keeperOver(options: KeeperOptions): Keeper {
  const { call, clock, timeoutMs, isPlain } = options;
  /** By the id of the process of the service. */
  const connections = new Map<string, ServiceConnection>();
  /** Until when no connection there is opened, or used. */
  const unreachable = new Map<string, Millis>();
  /** By run; those that must end are only in `byNumber`. */
  const current = new Map<string, Sitting>();
  const opening = new Map<string, Promise<unknown>>();
  const byNumber = new Map<number, Sitting>();
  let numbers = 0;
  let isClosed = false;

  const forget = (sitting: Sitting): void => {
    byNumber.delete(sitting.number);
    if (current.get(sitting.holder.run) === sitting) current.delete(sitting.holder.run);
    sitting.settle?.(undefined);
  };

  const onSession = (connection: ServiceConnection, message: SessionMessage): void => {
    const { session } = message;
    const sitting = byNumber.get(session);
    if (sitting === undefined) {
      // It was given up, and its batch sent in another way.
      if (message.kind !== 'closed') connection.send({ kind: 'end', session });
      return;
    }
    if (message.kind === 'closed') {
      forget(sitting);
      return;
    }
    const isAwaited =
      message.kind === 'open' ? sitting.connection === undefined : message.lines === sitting.sent;
    if (isAwaited) {
      sitting.connection = connection;
      sitting.settle?.(true);
    } else {
      // A repetition of the call opened it again: that says nothing about the batch that was sent.
      forget(sitting);
      connection.send({ kind: 'end', session });
    }
  };

  const learn = async (at: StreamAddress): Promise<void> => {
    const isAllowed = isPlain || isLoopbackName(at.host);
    const isTried = connections.has(at.service) || isUnreachable(at.service);
    if (isClosed || !isAllowed || isTried) return;
    unreachable.set(at.service, clock.monotonic() + retryAfter);
    const mine = await connectTo(at, {
      onSession,
      onClose: (from) => {
        connections.delete(at.service);
        for (const sitting of byNumber.values()) {
          if (sitting.connection !== from) continue;
          const isIdle = sitting.settle === undefined;
          forget(sitting);
          // The service shortened the lease: it cannot know whether this process lives.
          if (isIdle && !isClosed) void keep(sitting.holder, true).catch(() => undefined);
        }
      },
    });
    if (mine === undefined) return;
    unreachable.delete(at.service);
    if (isClosed) mine.close();
    else connections.set(at.service, mine);
  };

  const isUnreachable = (service: string): boolean =>
    (unreachable.get(service) ?? 0) > clock.monotonic();

  /** Those that nothing arrived over may swallow what is sent. */
  const avoid = (isSilent: (connection: ServiceConnection) => boolean): void => {
    for (const [service, connection] of connections) {
      if (isSilent(connection)) unreachable.set(service, clock.monotonic() + retryAfter);
    }
  };

  /** @returns undefined if it must be sent in another way */
  const sent = (
    sitting: Sitting,
    connection: ServiceConnection,
    isRenewal: boolean,
    { after, rows, link }: Batch,
  ): Promise<true | undefined> =>
    new Promise((resolve) => {
      const cancel = alarm(timeoutMs / 2, () => {
        connection.send({ kind: 'end', session: sitting.number });
        avoid((each) => each === connection);
        forget(sitting);
      });
      connection.hold();
      sitting.sent = rows.at(-1)?.last;
      sitting.settle = (isKept) => {
        sitting.settle = undefined;
        cancel();
        connection.release();
        resolve(isKept);
      };
      const batch = { after, rows, link, isRenewal };
      connection.send({ kind: 'batch', session: sitting.number, batch });
    });

  /** Calls the handler, which may follow this process from then on. */
  const called = async (holder: Holder, isRenewal: boolean, batch?: Batch): Promise<boolean> => {
    const { run } = holder;
    const sitting: Sitting = {
      number: ++numbers,
      holder,
      header: batch?.header,
      connection: undefined,
      sent: undefined,
      settle: undefined,
    };
    byNumber.set(sitting.number, sitting);
    current.set(run, sitting);
    const answered = new AbortController();
    const isOpen = new Promise<true | undefined>((resolve) => {
      sitting.settle = (isKept) => {
        sitting.settle = undefined;
        resolve(isKept);
      };
    });
    const usable = [...connections].filter(([service]) => !isUnreachable(service));
    const stream = {
      holder: holder.incarnation,
      connections: usable.map(([, { id }]) => id),
      session: sitting.number,
      atMost: Math.min(holder.lease / 3, sittingMax),
    };
    const mayOpen = usable.length > 0 || ![...unreachable.keys()].some(isUnreachable);
    const input = { holder, ...(batch && { batch }), isRenewal, ...(mayOpen && { stream }) };
    const answer = call(run, input, { isRepeatable: true, signal: answered.signal });
    answer.catch(() => undefined); // it is aborted once the invocation is open
    try {
      const won = await Promise.race([answer, isOpen.then(async (open) => open ?? answer)]);
      if (won === true) return true;
      if (won.at !== undefined) void learn(won.at);
      const isUnseen = won.wasOpen === true && sitting.connection === undefined;
      forget(sitting);
      if (!isUnseen || usable.length === 0) return won.isKept;
      avoid((each) => usable.some(([, offered]) => offered === each));
      return await called(holder, true); // the lease may be shortened, see `keep`
    } catch (error) {
      forget(sitting); // if it opens later, it gets a message to end
      throw error;
    } finally {
      answered.abort(new StoreError('the answer is not needed', 'this is not reported'));
    }
  };

  const keep = async (holder: Holder, isRenewal: boolean, batch?: Batch): Promise<boolean> => {
    const { run } = holder;
    while (opening.has(run)) await opening.get(run);
    const sitting = current.get(run);
    const { connection } = sitting ?? {};
    let isInterrupted = false;
    if (sitting !== undefined && connection !== undefined) {
      const isSame =
        batch !== undefined &&
        sitting.settle === undefined &&
        isEqual(sitting.holder, holder) &&
        sitting.header === batch.header;
      if (isSame && (await sent(sitting, connection, isRenewal, batch)) === true) return true;
      end(run);
      // The service shortened the lease if it saw that the connection was lost.
      isInterrupted = isSame;
    }
    const work = called(holder, isRenewal || isInterrupted || batch === undefined, batch);
    const done = work.then(
      () => undefined,
      () => undefined,
    );
    opening.set(run, done);
    try {
      return await work;
    } finally {
      if (opening.get(run) === done) opening.delete(run);
    }
  };

  const end = (run: string): void => {
    const sitting = current.get(run);
    if (sitting?.connection === undefined) return;
    current.delete(run);
    sitting.connection.send({ kind: 'end', session: sitting.number });
  };

  return {
    keep,
    end,
    close: () => {
      isClosed = true;
      for (const connection of connections.values()) connection.close();
    },
  };
}

function isEqual(one: Holder, other: Holder): boolean {
  return one.incarnation === other.incarnation && one.lease === other.lease;
}
