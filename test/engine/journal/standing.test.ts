/** Whether two records belong to one account: what proves it, what disproves it, what is unknown. */
import { describe, expect, test } from 'vitest';
import { accountNames, accountOf } from '../../../src/engine/journal/account.ts';
import type { Destination } from '../../../src/engine/journal/entry.ts';
import { nothingDecided } from '../../../src/engine/journal/account-decisions.ts';
import { AccountRegister, type KeyUse } from '../../../src/engine/journal/standing.ts';

const live = (keyFingerprint: string, accountId?: string, host = 'api.example'): Destination => ({
  profile: 'main',
  target: 'live',
  host,
  keyFingerprint,
  ...(accountId !== undefined && { accountId }),
});
const used = (destination: Destination, run = 'r-1'): KeyUse => ({ destination, run });
const [k1, k2, k3] = ['11111111', '22222222', '33333333'];

describe('one account', () => {
  test.each([
    ['by its key', live(k1), live(k1)],
    ['by its key, whatever it is called', live(k1, 'a'), live(k1)],
    [
      'by its key at another spelling of the address',
      live(k1),
      live(k1, undefined, 'API.example.'),
    ],
    ['by its id, whatever its key and address', live(k1, 'a'), live(k2, 'a', 'other.example')],
    ['by its id in other letters', live(k1, 'Desk One'), live(k2, ' desk  one ')],
  ])('is recognized %s', (_why, now, then) => {
    expect(new AccountRegister([]).standingOf(now, then)).toBe('same');
    expect(new AccountRegister([]).standingOf(then, now)).toBe('same');
  });

  test('is recognized through a run that had both the key and the id', () => {
    const book = new AccountRegister([used(live(k2, 'a'))]);
    expect(book.standingOf(live(k1, 'a'), live(k2))).toBe('same');
    expect(book.standingOf(live(k2), live(k1, 'a'))).toBe('same');
    expect(book.standingOf(live(k1, 'b'), live(k2))).toBe('other');
  });

  test('is what a person declared', () => {
    const decided = { ...nothingDecided, formerKeys: [k2], otherKeys: [k3] };
    const book = new AccountRegister([], () => decided);
    expect(book.standingOf(live(k1, 'a'), live(k2))).toBe('same');
    expect(book.standingOf(live(k1, 'a'), live(k3))).toBe('other');
    expect(book.formerOf(live(k1, 'a'))).toEqual([live(k2)]);
  });
});

test.each([
  ['two ids', live(k1, 'a'), live(k2, 'b')],
  ['a sandbox and a live one', live(k1), { ...live(k2), target: 'sandbox' } as const],
  ['two ports of this machine', live(k1, undefined, 'localhost:1'), live(k1, undefined, '[::1]:2')],
  [
    'two worlds in this process',
    { ...live(k1, 'a', 'in-process-1'), target: 'sandbox' } as const,
    { ...live(k1, 'a', 'in-process-2'), target: 'sandbox' } as const,
  ],
  [
    'two keys of one world in this process',
    { ...live(k1, undefined, 'in-process-1'), target: 'sandbox' } as const,
    { ...live(k2, undefined, 'in-process-1'), target: 'sandbox' } as const,
  ],
])('%s are two accounts', (_why, now, then) => {
  expect(new AccountRegister([]).standingOf(now, then)).toBe('other');
  const names = new Set(accountNames(now));
  expect(accountNames(then).some((name) => names.has(name))).toBe(false);
});

test.each([
  ['two keys without an id', live(k1), live(k2)],
  ['a key with an id, and one without', live(k1, 'a'), live(k2)],
  ['one key at two addresses', live(k1), live(k1, undefined, 'other.example')],
])('of %s it is unknown', (_why, now, then) => {
  expect(new AccountRegister([]).standingOf(now, then)).toBe('unproved');
});

describe('names', () => {
  test('of an account with an id are those of its id and of its key', () => {
    const [own, key] = accountNames(live(k1, 'a'));
    expect(accountNames(live(k2, 'A'))[0]).toBe(own);
    expect(accountNames(live(k1))).toEqual([key]);
  });

  test('never collide, even if an id is written like a key', () => {
    const id = `live api.example ${k1}`;
    expect(accountOf(live(k1, id))).not.toBe(accountOf(live(k1)));
    expect(accountOf({ ...live(k1, 'x'), target: 'sandbox' })).not.toBe(accountOf(live(k1, 'x')));
  });
});

describe('a conflict', () => {
  test('of one key and two ids is refused, with the run that shows it', () => {
    const book = new AccountRegister([used(live(k1, 'a'), 'r-knows')]);
    expect(() => book.refuseConflict(live(k1, 'b'), false)).toThrow(/account a \(r-knows\)/);
    expect(() => book.refuseConflict(live(k1, 'A'), true)).not.toThrow();
    expect(() => book.refuseConflict(live(k2, 'a'), true)).not.toThrow();
  });

  test('without an id is refused when something is written', () => {
    const book = new AccountRegister([used(live(k1, 'a'))]);
    expect(() => book.refuseConflict(live(k1), true)).toThrow(/has no account-id/);
    expect(() => book.refuseConflict(live(k1), false)).not.toThrow();
  });

  test('is settled by former-ids, only for the keys of the account', () => {
    const decided = { ...nothingDecided, formerIds: ['a'] };
    const book = new AccountRegister([used(live(k1, 'a')), used(live(k2, 'a'))], () => decided);
    expect(() => book.refuseConflict(live(k1, 'b'), true)).not.toThrow();
    expect(book.standingOf(live(k1, 'b'), live(k1, 'a'))).toBe('same');
    expect(book.standingOf(live(k1, 'b'), live(k2, 'a'))).toBe('unproved');
  });

  test('of a second account is also found', () => {
    const book = new AccountRegister([]);
    book.note(live(k1, 'a'));
    expect(() => book.refuseConflict(live(k1, 'b'), true)).toThrow(/\(profile main\)/);
  });
});

test('a new key, address or id is reported once', () => {
  const book = new AccountRegister([used(live(k1, 'a'), 'r-2'), used(live(k2), 'r-1')]);
  expect(book.newsOf(live(k1, 'a'))).toEqual([]);
  expect(book.newsOf(live(k1))).toEqual([]);
  expect(book.newsOf(live(k3, 'a', 'new.example'))).toEqual([
    `key ${k3} is new for account a: so far key ${k1}, last in r-2`,
    'new.example is new for account a: so far api.example, last in r-2',
  ]);
  expect(book.newsOf(live(k2, 'b'))).toEqual([
    `key ${k2} is account b from now on; 1 earlier run with it count`,
  ]);
});
