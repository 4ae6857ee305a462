import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressOf, clientOidOf, identityOf } from '../../../src/engine/plan/addresses.ts';

test('a clientOid is 28 lower-case letters and digits, valid on every exchange', () => {
  fc.assert(
    fc.property(fc.string(), (identity) => {
      expect(clientOidOf(identity)).toMatch(/^dh[a-z2-7]{26}$/);
    }),
  );
});

test('an action always has the same clientOid', () => {
  const identity = identityOf({ per: 'run', run: 'r-1' }, addressOf('ladder', '61500.0'), {});
  expect(clientOidOf(identity)).toBe(clientOidOf(identity));
  expect(clientOidOf(identity)).toMatchInlineSnapshot(`"dht3kkz5em2qnztxcoyic6dzacsx"`);
});

test('another run, address or account is another action', () => {
  const names = [
    identityOf({ per: 'run', run: 'r-1' }, 'a', {}),
    identityOf({ per: 'run', run: 'r-2' }, 'a', {}),
    identityOf({ per: 'run', run: 'r-1' }, 'b', {}),
    identityOf({ per: 'playbook', account: 'x', playbook: 'p' }, 'a', {}),
    identityOf({ per: 'playbook', account: 'y', playbook: 'p' }, 'a', {}),
    identityOf({ per: 'playbook', account: 'y', playbook: 'p' }, 'a', { size: '1' }),
  ];
  expect(new Set(names.map(clientOidOf)).size).toBe(names.length);
});

test('once per playbook ignores the run', () => {
  const scope = { per: 'playbook', account: 'x', playbook: 'p' } as const;
  expect(identityOf(scope, 'a', { b: '1', c: '2' })).toBe(
    identityOf(scope, 'a', { c: '2', b: '1' }),
  );
});
