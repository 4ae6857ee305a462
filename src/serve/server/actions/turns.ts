/** Limits work for requests of anyone who may read: a few at once, because it takes memory and time. */
import { semaphore } from '../../../base/semaphore.ts';
import { Refusal } from '../failure.ts';

export interface Turns {
  /** Does the work when there is a place. @throws Refusal when too many requests wait already */
  take<T>(work: () => Promise<T>): Promise<T>;
}

const atOnceMax = 4; // a large plan has 12 MB
const waitingMax = 50; // people who open a plan

/** @param refusal the message for those who find all places taken */
export function openTurns(
  atOnce = atOnceMax,
  waiting = waitingMax,
  refusal = 'the server computes too many plans',
): Turns {
  const full = (): Refusal =>
    new Refusal(503, 'busy', refusal, 'try again', { 'Retry-After': '5' });
  const take = semaphore({ atOnce, waiting, full });
  return { take: (work) => take(work) };
}
