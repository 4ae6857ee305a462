/** The waits of a run in words: the name of each kind, its reason, and both in one phrase. */
import type { Entry } from '../engine/journal/entry.ts';

type Why = Extract<Entry, { readonly kind: 'waited' }>['why'];

/** The name of a wait, as the events of a run begin. */
export const waitNames: Readonly<Record<Why, string>> = {
  limit: 'waiting',
  retry: 'retry',
  poll: 'polling',
  'look-up': 'look-up',
};

/** The reason of a wait, after its length: `2 s for a slot of the rate limit`. */
export const waitReasons: Readonly<Record<Why, string>> = {
  limit: 'for a slot of the rate limit',
  retry: 'before another attempt',
  poll: 'before the next poll',
  'look-up': 'before the next lookup',
};

/** A wait in one phrase, as in legends and in lists of requests. */
export const waitPhrases: Readonly<Record<Why, string>> = {
  limit: `waiting ${waitReasons.limit}`,
  retry: `pause ${waitReasons.retry}`,
  poll: `pause ${waitReasons.poll}`,
  'look-up': `pause ${waitReasons['look-up']}`,
};
