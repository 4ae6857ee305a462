/** Everything under way in one run, by key: begun once, waited for by anybody. */
import { InternalError } from '../base/error.ts';
import { InterruptedError, type Durable, type Ended, type Handle } from '../run/durable.ts';
import { failureOf } from '../run/outcome.ts';
import { ReusedKeyError } from './reused.ts';

export interface Flights extends Pick<Durable<object>, 'first' | 'all'> {
  /**
   * Begins work under a key, or finds it under way. One that merely waits for others does not hold
   * up the end of a run that is broken.
   */
  begin(key: string, of: string, work: () => Promise<Ended>, kind?: 'works' | 'waits'): Handle;
  /** Ends what nobody here works on. */
  land(key: string, end: Ended): void;
  /** Aborted when the run cannot go on. */
  readonly broken: AbortSignal;
}

interface Flight {
  readonly of: string;
  readonly handle: Handle;
  end?: Ended;
}

/** @param stops what ends waiting: whoever is ended by one of them has no word on its work */
export function flights(stops: readonly AbortSignal[]): Flights {
  const all = new Map<string, Flight>();
  const broken = new AbortController();
  let working = 0;
  let waiting: (() => void)[] = [];

  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const go of woken) go();
  };
  const breakOff = (error: unknown): void => {
    if (!broken.signal.aborted) broken.abort(error);
  };
  const fly = async (flight: Flight, work: () => Promise<Ended>): Promise<void> => {
    try {
      const end = await work().catch((error: unknown) => endOf(error, stops));
      flight.end ??= end;
    } catch (error) {
      breakOff(error);
    }
  };
  const endedOf = ({ key }: Handle): Ended | undefined => {
    const flight = all.get(key);
    if (flight === undefined) throw new InternalError(`nothing is under way as ${key}`);
    return flight.end;
  };
  const first = async (handles: readonly Handle[]): Promise<Handle> => {
    for (;;) {
      // Nothing goes on behind the back of an error: it is told when all work has ended.
      if (broken.signal.aborted && working === 0) throw broken.signal.reason;
      if (!broken.signal.aborted) {
        const found = handles.find((handle) => endedOf(handle) !== undefined);
        if (found !== undefined) return found;
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };

  return {
    broken: broken.signal,
    first,
    all: async (handles) => {
      for (let left = handles; left.length > 0; left = left.filter((one) => !endedOf(one))) {
        await first(left);
      }
      return handles.map((handle) => endedOf(handle) ?? { kind: 'interrupted' });
    },
    land: (key, end) => {
      const flight = all.get(key);
      if (flight) flight.end ??= end;
      wake();
    },
    begin: (key, of, work, kind = 'works') => {
      const there = all.get(key);
      if (there) {
        if (there.of !== of) breakOff(new ReusedKeyError(key));
        return there.handle;
      }
      const flight: Flight = { of, handle: { key } };
      all.set(key, flight);
      if (kind === 'works') working += 1;
      void fly(flight, work).then(() => {
        if (kind === 'works') working -= 1;
        wake();
      });
      return flight.handle;
    },
  };
}

/** How work ended that threw; what is no statement about the work goes on up. */
function endOf(error: unknown, stops: readonly AbortSignal[]): Ended {
  const isStopped = stops.some(({ aborted, reason }) => aborted && error === reason);
  return isStopped || error instanceof InterruptedError
    ? { kind: 'interrupted' }
    : failureOf(error);
}
