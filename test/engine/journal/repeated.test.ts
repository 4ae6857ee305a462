/** Which run already sent what the rest of a resumed one would send. */
import { expect, test } from 'vitest';
import type { Entry, Event } from '../../../src/engine/journal/entry.ts';
import { identityOf } from '../../../src/engine/journal/identity.ts';
import { repeatedSince, setAsideEvent } from '../../../src/engine/journal/unfinished.ts';
import { started } from '../../support/desk-setup.ts';

const account = { profile: 'main', target: 'sandbox', host: 'here' } as const;
const address = 'ladder[1]';
const finished: Event = { kind: 'finished', status: 'done', exit: 0, outputs: {} };

interface When {
  /** The time of its plan, by the exchange's clock. */
  readonly time: number;
  /** The time when it began, by the clock of the machine. */
  readonly at: number;
  /** When it sent its order, by both clocks; default: it did not. */
  readonly sent?: number;
  readonly per?: 'run' | 'playbook';
  readonly more?: readonly Event[];
  readonly scheduledFor?: number;
}

function recordOf(run: string, { time, at, sent, per = 'run', more = [], scheduledFor }: When) {
  const identity = per === 'run' ? identityOf({ per: 'run', run }, address, null) : 'lasting';
  const operation = 'futures/place-order';
  const begun = {
    ...started(run, account),
    time,
    ...(scheduledFor !== undefined && { scheduledFor }),
  } as Event;
  const entries: Entry[] = [{ ...begun, seq: 1, at }];
  const add = (event: Event): number => entries.push({ ...event, seq: 2, at: sent ?? at });
  if (sent !== undefined) {
    add({ kind: 'intended', address, operation, input: {}, identity, attempt: 1, signedAt: sent });
    const outcome = { kind: 'done', output: {}, evidence: 'answered' } as const;
    add({ kind: 'settled', address, outcome });
    add(finished);
  }
  for (const event of more) add(event);
  return { run, entries };
}

function repeats(own: When, other: When, planned: readonly string[] = []): boolean {
  const records = [recordOf('r-other', other)];
  const found = repeatedSince(
    recordOf('r-own', own),
    records,
    (then) => then.profile === 'main',
    (each) => planned.includes(each),
  );
  return found === 'r-other';
}

test('an older run counts if it sent something after the other one began, by both clocks', () => {
  const own = { time: 20, at: 20 };
  expect(repeats(own, { time: 10, at: 10, sent: 30 })).toBe(true);
  expect(repeats(own, { time: 10, at: 10, sent: 15 })).toBe(false);
  expect(repeats(own, { time: 10, at: 10 })).toBe(false);
  // The plan of the other one was saved before.
  expect(repeats({ time: 5, at: 20 }, { time: 10, at: 10, sent: 15 })).toBe(false);
});

test('a later run counts if it sent anything, unless it was set aside or is another occurrence', () => {
  const own = { time: 20, at: 20 };
  const later = { time: 30, at: 30, sent: 31 };
  expect(repeats(own, later)).toBe(true);
  expect(repeats(own, { time: 30, at: 30 })).toBe(false);
  const word = setAsideEvent({ who: 'ana', reason: 'cancelled' });
  expect(repeats(own, { ...later, more: [word] })).toBe(false);
  expect(repeats({ ...own, scheduledFor: 1 }, { ...later, scheduledFor: 2 })).toBe(false);
  expect(repeats({ ...own, scheduledFor: 1 }, { ...later, scheduledFor: 1 })).toBe(true);
});

test('what is done once per playbook counts where the plan creates it, as its content is another one', () => {
  const own = { time: 20, at: 20 };
  for (const other of [
    { time: 30, at: 30, sent: 31 },
    { time: 10, at: 10, sent: 31 },
  ]) {
    const lasting = { ...other, per: 'playbook' } as const;
    expect(repeats(own, lasting, [address])).toBe(true);
    expect(repeats(own, lasting, ['ladder[2]'])).toBe(false);
  }
});
