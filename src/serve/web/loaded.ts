/** An answer of the server that a page shows, read again when something changes. */
import { computed, signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { read, type Answer, type CallError, type Parameters, type ReadName } from './api.ts';
import { atMost } from './clock.ts';
import { onNotice, type Notice } from './live.ts';

/** Number of answers that are read for the first time. */
const awaited = signal(0);

/** Whether the page shows less than it will. */
export const isLoading = computed(() => awaited.value > 0);

export interface Loaded<A> {
  /** The last answer; it stays while a newer one is read. */
  readonly answer?: A;
  readonly failure?: CallError;
}

/**
 * An answer of the server that is kept up to date.
 * @param concerns whether a notice changes the answer; default: every notice
 * @param interval ms between two reads, at least
 */
export function useLoaded<N extends ReadName>(
  name: N,
  parameters: Parameters<N>,
  concerns: (notice: Notice) => boolean = () => true,
  interval = 400,
): Loaded<Answer<N>> {
  const [loaded, setLoaded] = useState<Loaded<Answer<N>>>({});
  const key = JSON.stringify(parameters);
  const isConcerned = useRef(concerns);
  isConcerned.current = concerns;
  useEffect(() => {
    const ended = new AbortController();
    const arrived = awaitFirst();
    let current = new AbortController();
    const load = (): void => {
      current.abort();
      current = new AbortController();
      const { signal } = current;
      const settle = (next: (last: Loaded<Answer<N>>) => Loaded<Answer<N>>): void => {
        if (signal.aborted) return;
        setLoaded(next);
        arrived();
      };
      read(name, parameters, signal).then(
        (answer) => settle(() => ({ answer })),
        (failure: CallError) => settle((last) => ({ ...last, failure })),
      );
    };
    const loadSoon = atMost(interval, ended.signal, load);
    loadSoon();
    const end = onNotice((notice) => {
      if (notice.kind === 'reset' || isConcerned.current(notice)) loadSoon();
    });
    return () => {
      end();
      ended.abort(); // else a read that waits for its interval would show an answer for earlier parameters
      current.abort();
      arrived();
    };
  }, [name, key]);
  return loaded;
}

/** Counts an answer that has not arrived. @returns what is called when it has, or is not wanted any more */
function awaitFirst(): () => void {
  let hasArrived = false;
  awaited.value += 1;
  return () => {
    if (!hasArrived) awaited.value -= 1;
    hasArrived = true;
  };
}
