/** Lines of a run name their account where it has several. */
import { expect, test } from 'vitest';
import type { Event } from '../../src/engine/journal/entry.ts';
import { allAccounts, onAccounts } from '../../src/report/accounts.ts';
import { groupLines } from '../../src/report/achievements.ts';
import { entryNaming } from '../../src/report/named-entry.ts';
import { summaryOf } from '../../src/report/summary.ts';
import { orderInput, sandbox, started } from '../support/desk-setup.ts';
import { done, tape } from '../support/tape.ts';

const begin = (more: object = {}) => {
  const other = { ...sandbox, profile: 'two' };
  return tape().add({ ...started('r-1'), accounts: [other], ...more } as Event);
};

const ladder = {
  kind: 'opened',
  step: 'ladder',
  items: ['a', 'b', 'c'],
  accounts: ['main', 'two', 'two'],
} as const;

const place = (key: string, outcome = done({ orderId: '1', clientOid: key })) => ({
  address: `ladder[${key}]`,
  operation: 'futures/place-order' as const,
  input: { ...orderInput('61500.0'), clientOid: key },
  outcome,
});

test('doubts, and what was not sent, name the account that the opening of their step recorded', () => {
  const { entries } = begin()
    .add(ladder)
    .send(place('a'))
    .send(place('b', { kind: 'doubt', because: 'connection reset' }));
  const { inDoubt, notSent, done: made, steps } = summaryOf(entries);
  expect(inDoubt).toMatchObject([{ account: 'two', what: expect.stringMatching(/ on two$/) }]);
  expect(made).toMatchObject([{ text: '1 of 1 order placed on main', account: 'main' }]);
  expect(notSent[0]).toMatchObject({ text: '1 order on two', account: 'two' });
  expect(steps.find(({ id }) => id === 'ladder')?.detail).toBe('1 of 3 on main, 1 in doubt on two');
});

test('a step that is skipped as a whole is on the account of its plan', () => {
  const start = started('r-1');
  if (start.kind !== 'started') throw new Error('no start');
  const steps = start.steps.map((step) => ({ ...step, accounts: ['two'] }));
  const { entries } = begin({ steps }).add({ kind: 'closed', step: 'leverage', status: 'skipped' });
  expect(summaryOf(entries).skipped).toMatchObject([{ text: 'leverage on two', account: 'two' }]);
  const named = entries.map(entryNaming());
  expect(named.at(-1)).toMatchObject({ kind: 'closed', account: 'two' });
});

test('a step that turns out to have no items is on the account of its plan', () => {
  const start = started('r-1');
  if (start.kind !== 'started') throw new Error('no start');
  const steps = start.steps.map((step) => ({ ...step, accounts: ['two'] }));
  const { entries } = begin({ steps })
    .add({ kind: 'opened', step: 'leverage' })
    .add({ kind: 'closed', step: 'leverage', status: 'done' });
  const named = entries.map(entryNaming());
  expect(named.at(-1)).toMatchObject({ kind: 'closed', account: 'two' });
});

test('an earlier journal names the accounts of its writes only', () => {
  const { accounts: _accounts, ...opened } = ladder;
  const { address, operation, input } = place('b');
  const write = { address, operation, input, identity: '', account: 'two' };
  const { entries } = begin()
    .add({ ...opened, writes: [write] })
    .send(place('a'))
    .send(place('b'));
  const named = entries.map(entryNaming());
  expect(named.find((entry) => entry.kind === 'settled')).not.toHaveProperty('account');
  expect(named.findLast((entry) => entry.kind === 'settled')).toMatchObject({ account: 'two' });
});

test('many accounts are one line', () => {
  const items = Array.from({ length: 21 }, (_, at) => `k${at}`);
  const journal = begin().add({ ...ladder, items, accounts: items });
  for (const key of items) journal.send(place(key));
  const { done: made } = summaryOf(journal.entries);
  expect(made[0]?.parts).toHaveLength(21);
  expect(groupLines(made)).toMatchObject([{ text: '21 of 21 orders placed on 21 accounts' }]);
});

test('names are listed up to eight', () => {
  const names = Array.from({ length: 9 }, (_, at) => ({ profile: `p${at}` }));
  const [own = { profile: '' }, ...others] = names;
  expect(allAccounts({ destination: own, accounts: others.slice(0, 1) })).toBe('p0 and p1');
  expect(allAccounts({ destination: own, accounts: others })).toBe('p0 and 8 other accounts');
  expect(onAccounts([])).toBe('');
  expect(onAccounts([{ account: 'a' }, {}, { account: 'b' }, { account: 'a' }])).toBe(
    ' on a and b',
  );
});
