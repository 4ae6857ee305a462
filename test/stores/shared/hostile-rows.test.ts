/** Rows of claims, jobs and workers that another program wrote: read safely, or refused with their run. */
import { expect, test } from 'vitest';
import { textsIn } from '../../../src/stores/postgres/row.ts';
import { endingIn } from '../../../src/stores/queue.ts';
import { afterLines } from '../../../src/stores/shared/lines.ts';
import { claimOf, shownClaimOf, type KnownRun } from '../../../src/stores/shared/known-run.ts';

const deep = `${'['.repeat(100)}${']'.repeat(100)}`;

test.each([
  '',
  'null',
  '5',
  '[]',
  '{}',
  '{"exit":0}',
  '{"exit":"0","message":"done"}',
  '{"exit":77,"message":"done"}',
  '{"exit":0,"message":5}',
  '{"exit":0,"message":"done","hint":{}}',
  `{"exit":0,"message":"done","result":${deep}}`,
])('the ending %s of a job is not that it is done, or that its orders are known', (text) => {
  const message = 'how it ended cannot be read';
  for (const kind of ['run', 'resume'] as const) {
    expect(endingIn(text, { kind })).toMatchObject({ exit: 6, message });
  }
  expect(endingIn(text, { kind: 'plan' })).toMatchObject({ exit: 1, message });
});

test('an ending as it was written is read', () => {
  const ending = { exit: 0, message: 'done', result: { status: 'done' } };
  expect(endingIn(JSON.stringify(ending), { kind: 'run' })).toEqual(ending);
});

test('a list of a row has its texts alone', () => {
  expect(textsIn(['main', null, 5, 'hedge'])).toEqual(['main', 'hedge']);
});

const owner = { machine: 'm', host: 'h', boot: 'b', namespace: 'n', pid: 1, born: '1' };
const known: KnownRun = {
  run: 'r-1',
  playbook: 'ladder',
  plan: null,
  accounts: [{ id: '1', profile: 'main' }],
  host: 'h',
  owner,
  nonce: 'x',
  since: 0,
  left: 1,
  isEnded: false,
  isReported: false,
  lines: 1,
  incarnation: null,
  takenIn: '',
};

const strange: readonly object[] = [
  { accounts: null },
  { accounts: 'main' },
  { accounts: [null] },
  { accounts: [{ id: '1' }] },
  { accounts: [{ id: 1, profile: 'main' }] },
  { owner: null },
  { owner: [] },
  { owner: { ...owner, pid: 'x' } },
  { since: -1 },
  { since: 1e300 },
  { since: Number.NaN },
];

test.each(strange)('a claim with %o is refused with its run', (change) => {
  expect(claimOf(known)).toMatchObject({ run: 'r-1', accounts: known.accounts });
  expect(() => claimOf(Object.assign({}, known, change))).toThrow(
    'the claim of run r-1 in the database cannot be read',
  );
  // In a list it is marked, with what counts of it.
  expect(shownClaimOf(Object.assign({}, known, change))).toMatchObject({
    run: 'r-1',
    nonce: 'x',
    left: 1,
    damage: expect.stringContaining('cannot be read'),
  });
});

test.each([0, 1, 2, 3, 2 ** 31])('after %d lines of two, nothing is read twice', (count) => {
  expect(afterLines('a\nb\n', count)).toBe(['a\nb\n', 'b\n'][count] ?? '');
});
