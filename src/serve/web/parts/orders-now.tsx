/** The states of the listed orders as the exchange shows them, read when a person asks for them. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { read, type Answer, type CallError, type Parameters } from '../api.ts';

interface Asked {
  readonly isBusy: boolean;
  readonly failure: CallError | undefined;
  /** The states by `orderKey`; empty before they were asked for. */
  readonly states: ReadonlyMap<string, string>;
  readonly ask: () => void;
}

type Place = Pick<Answer<'GET /orders/now'>['states'][number], 'desk' | 'run' | 'address'>;

export function orderKey({ desk, run, address }: Place): string {
  return JSON.stringify([desk, run, address]);
}

const none: ReadonlyMap<string, string> = new Map();

/** The states of the orders of a page; another page or filter begins without them. */
export function useStatesNow(wanted: Parameters<'GET /orders/now'>): Asked {
  const [states, setStates] = useState(none);
  const [failure, setFailure] = useState<CallError>();
  const [isBusy, setBusy] = useState(false);
  const reading = useRef(new AbortController());
  const { since: _since, until: _until, ...others } = wanted; // periods move every minute
  useEffect(
    () => () => {
      reading.current.abort();
      setStates(none);
      setFailure(undefined);
      setBusy(false);
    },
    [JSON.stringify(others)],
  );
  const ask = (): void => {
    reading.current = new AbortController();
    const { signal } = reading.current;
    setBusy(true);
    setFailure(undefined);
    read('GET /orders/now', wanted, signal).then(
      (answer) => {
        if (signal.aborted) return;
        setBusy(false);
        setStates(new Map(answer.states.map((each) => [orderKey(each), each.now])));
      },
      (error: CallError) => {
        if (signal.aborted) return;
        setBusy(false);
        setFailure(error);
      },
    );
  };
  return { isBusy, failure, states, ask };
}
