/** Converts times to durations since the start of a run, without the pauses between attempts. */
import type { Millis } from '../base/clock.ts';
import type { ActionStory, Story } from './story.ts';

/** Converts a time to the duration of the run up to that time. */
export type Elapsed = (at: Millis) => Millis;

export function elapsedOf({ attempts }: Story): Elapsed {
  return (at) => {
    let before = 0;
    for (const { from, to } of attempts) {
      if (at <= from) break;
      before += Math.min(at, to) - from;
    }
    return before;
  };
}

export interface Extent {
  readonly from: Millis;
  readonly to: Millis;
}

/**
 * The time range from the first request of some actions to their last record; undefined if there was none.
 */
export function extentOf(actions: readonly ActionStory[], elapsed: Elapsed): Extent | undefined {
  let from = Infinity;
  let to = -Infinity;
  const reach = (start: Millis, end: Millis): void => {
    from = Math.min(from, start);
    to = Math.max(to, end);
  };
  for (const { intents, answers, waits, settledAt } of actions) {
    for (const { at } of intents) reach(elapsed(at), elapsed(at));
    for (const { at, ms } of answers) reach(Math.max(0, elapsed(at) - ms), elapsed(at));
    for (const { at, ms } of waits) reach(elapsed(at), elapsed(at + ms));
    if (settledAt !== undefined) reach(elapsed(settledAt), elapsed(settledAt));
  }
  return to < from ? undefined : { from, to };
}

/** The duration of a wait, which the end of its process ends, too. */
export function waitedMs({ attempts }: Story, { at, ms }: ActionStory['waits'][number]): Millis {
  const place = attempts.findLastIndex(({ from }) => from <= at);
  const attempt = attempts[place];
  if (attempt === undefined || place === attempts.length - 1) return ms;
  return Math.min(ms, Math.max(0, attempt.to - at));
}
