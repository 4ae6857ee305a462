/** A list of ids by age in an object: the oldest is removed first. */
import type { Millis } from '../../../base/clock.ts';
import { addTo, dropBefore, endsOf, pageAt } from './log.ts';
import type { Invocation } from './object.ts';

export interface Aged {
  readonly id: string;
  readonly at: Millis;
}

export async function remember(invocation: Invocation, log: string, aged: Aged): Promise<void> {
  await addTo(invocation, log, aged);
}

/** The ids that are older than an age. @returns ids, oldest first @param most default: all of them */
export async function olderThan(
  invocation: Invocation,
  log: string,
  age: Millis,
  most = Infinity,
): Promise<readonly string[]> {
  const until = (await invocation.now()) - age;
  const { from, to } = await endsOf(invocation, log);
  const found: string[] = [];
  for (let position = from; position < to && found.length < most;) {
    const { entries, next } = await pageAt<Aged>(invocation, log, position);
    const isOld = (entry: Aged | null): boolean => entry !== null && entry.at < until;
    const young = entries.findIndex((entry) => !isOld(entry));
    const old = young === -1 ? entries : entries.slice(0, young);
    found.push(...old.flatMap((entry) => entry?.id ?? []));
    if (young !== -1) break;
    position = next;
  }
  return found.slice(0, most);
}

/** The newest ids. @returns ids, newest first */
export async function newestIn(
  invocation: Invocation,
  log: string,
  most: number,
): Promise<readonly string[]> {
  const { from, to } = await endsOf(invocation, log);
  const found: Aged[] = [];
  for (let position = Math.max(from, to - most); position < to;) {
    const { entries, next } = await pageAt<Aged>(invocation, log, position);
    found.push(...entries.filter((entry) => entry !== null));
    position = next;
  }
  return found.toReversed().map(({ id }) => id);
}

/** Removes the oldest ids. @param count as `olderThan` has found */
export async function forgetOldest(
  invocation: Invocation,
  log: string,
  count: number,
): Promise<void> {
  const { from } = await endsOf(invocation, log);
  await dropBefore(invocation, log, from + count);
}
