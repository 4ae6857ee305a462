/** A person deletes a dead owner's lock and another process takes it during a takeover. */
import { expect, test } from 'vitest';
import { attempt, type Outcome } from '../../../src/base/lock/protocol.ts';
import { file, stepOn } from './interleavings.ts';

const us = { file, owner: `${file}.us.paper`, text: 'us' };

interface Result {
  readonly outcome: Outcome | 'again';
  /** The holder at the end. */
  readonly holder: string | undefined;
  readonly steps: number;
  /** Whether another process took it: impossible once it was ours. */
  readonly isTaken: boolean;
}

/** Takes over a dead owner's lock; a person intervenes before one of the steps. */
function takenWithHandAt(place: number): Result {
  const files = new Map([
    [file, 'dead'],
    [us.owner, us.text],
  ]);
  const steps = attempt(us);
  let next = steps.next();
  let done = 0;
  let isTaken = false;
  for (; next.done !== true; done++) {
    if (done === place && files.get(file) !== us.text) {
      files.set(file, 'other');
      isTaken = true;
    }
    next = steps.next(stepOn(next.value, files, (text) => text !== 'dead'));
  }
  return { outcome: next.value, holder: files.get(file), steps: done, isTaken };
}

test('a lock taken by hand during our protocol is kept, at any step', () => {
  const { outcome, holder, steps } = takenWithHandAt(Infinity);
  expect([outcome, holder]).toEqual([{ kind: 'done' }, 'us']);
  let others = 0;
  for (let place = 0; place < steps; place++) {
    const result = takenWithHandAt(place);
    const isOurs = result.outcome !== 'again' && result.outcome.kind === 'done';
    expect([place, isOurs, result.holder]).toEqual(
      result.isTaken ? [place, false, 'other'] : [place, true, 'us'],
    );
    if (result.isTaken) others += 1;
  }
  expect(others).toBeGreaterThan(4);
});
