/** The lock protocol's steps in every order: never two holders, and never locked permanently. */
import { expect, test } from 'vitest';
import type { Claimant, Found, Outcome, Step, Steps } from '../../../src/base/lock/protocol.ts';
import { explore, ours, type Protocol, type Setting } from './interleavings.ts';

type Case = readonly [name: string, atLeast: number, setting: Omit<Setting, 'protocol'>];

test.each<Case>([
  ['two take a dead lock, any may die', 1_000, { takers: 2, deaths: 2, first: 'dead' }],
  ['three take a dead lock', 50_000, { takers: 3, deaths: 0, first: 'dead' }],
  ['three take a dead lock, one may die', 100_000, { takers: 3, deaths: 1, first: 'dead' }],
  ['three take a free lock, all may die', 15_000, { takers: 3, deaths: 3, first: 'nothing' }],
  [
    'two people free a lock that one takes, one of them may die',
    1_000,
    { takers: 1, people: 2, deaths: 1, first: 'unknown' },
  ],
  [
    'a person frees a lock that two take, any may die',
    1_000,
    { takers: 2, people: 1, deaths: 3, first: 'unknown' },
  ],
])('%s', (_name, atLeast, setting) => {
  const { states, wrong } = explore({ ...setting, protocol: ours });
  expect(wrong).toEqual([]);
  expect(states).toBeGreaterThan(atLeast);
});

type Refusing = Steps<Outcome | 'again'>;

const refused: Outcome = {
  kind: 'refused',
  found: { kind: 'absent' },
  life: { state: 'alive' },
};

function* asked(step: Step): Steps<boolean> {
  return (yield step) === true;
}

/** What `file` contains if its owner is dead; otherwise whether to try again. */
function* deadIn({ owner, file }: Claimant): Steps<Found | 'held' | 'again' | 'refused'> {
  if (yield* asked({ act: 'link', from: owner, to: file })) return 'held';
  const found = yield { act: 'read', path: file };
  if (typeof found !== 'object' || !('kind' in found) || found.kind !== 'text') return 'again';
  const life = yield { act: 'check-owner', found };
  return typeof life === 'object' && 'state' in life && life.state === 'dead' ? found : 'refused';
}

/** Reads, checks, unlinks. */
function* unlinking(us: Claimant): Refusing {
  const found = yield* deadIn(us);
  if (found === 'held') return { kind: 'done' };
  if (typeof found === 'string') return found === 'again' ? found : refused;
  yield { act: 'remove', path: us.file };
  return 'again';
}

/** Renames the checked file away, verifies it, and restores it if it was another. */
function* renaming(us: Claimant): Refusing {
  const found = yield* deadIn(us);
  if (found === 'held') return { kind: 'done' };
  if (typeof found === 'string') return found === 'again' ? found : refused;
  const away = `${us.owner}.away`;
  if (!(yield* asked({ act: 'rename', from: us.file, to: away }))) return 'again';
  const taken = yield { act: 'read', path: away };
  if (JSON.stringify(taken) !== JSON.stringify(found)) {
    yield { act: 'link', from: away, to: us.file };
    yield { act: 'remove', path: away };
    return refused;
  }
  yield { act: 'remove', path: away };
  return 'again';
}

test.each([
  ['unlinks the lock it checked', unlinking, 2],
  ['renames it away and looks at what it renamed, without an heir', renaming, 3],
])('the search finds two holders if a taker only %s', (_name, attempt, takers) => {
  const protocol: Protocol = { ...ours, attempt };
  const { wrong } = explore({ protocol, takers, deaths: 0, first: 'dead' });
  expect(wrong[0]).toBe('two hold the lock');
});
