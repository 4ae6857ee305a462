/** `account-id` and its neighbors in deskhand.yaml: parsed as written, and edited in place. */
import { describe, expect, test } from 'vitest';
import { withAddition } from '../../../src/app/config/edit.ts';
import { parseConfig } from '../../../src/app/config/parse.ts';
import type { Profile } from '../../../src/app/config/profile.ts';
import { Secret } from '../../../src/base/secret.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { openProfile } from '../../../src/app/config/opened-profile.ts';

const beside = () => ({ file: 'none', text: '' });

function profileFrom(lines: string): Profile | undefined {
  const text = `profiles:\n  main:\n${lines.replaceAll(/^/gm, '    ')}\n`;
  return parseConfig(text, 'deskhand.yaml', beside).profiles.get('main');
}

const wrong = (lines: string): string => {
  try {
    return `accepted as ${profileFrom(lines)?.accountId}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

test.each([
  ['7000000002', '7000000002'],
  ['0123', '0123'],
  ['1_0', '1_0'],
  ['0x1F', '0x1F'],
  ['7e3', '7e3'],
  ['12345678901234567890', '12345678901234567890'],
  ['"  desk one "', 'desk one'],
  ['Schreibtisch Ü', 'Schreibtisch Ü'],
])('account-id: %s is the text %s', (written, id) => {
  expect(profileFrom(`account-id: ${written}`)?.accountId).toBe(id);
});

test.each([
  ['[a]', 'must be text'],
  ['{ a: b }', 'must be text'],
  ['true', 'must be text'],
  ['', 'must be text'],
  ['"  "', 'it is empty'],
  ['"a\\nb"', 'invisible characters'],
  [`"${'7'.repeat(101)}"`, 'at most 100 characters'],
])('account-id: %s is refused: %s', (written, why) => {
  const message = wrong(`account-id: ${written}`);
  expect(message).toContain('deskhand.yaml: profiles.main.account-id');
  expect(message).toContain(why);
});

test('account-id: an invisible character is refused with its location', () => {
  expect(wrong('account-id: "a\\u200bb"')).toContain('invisible character U+200B is not allowed');
});

test.each([
  ['former-keys: ["3fa9c1d2"]', 'requires account-id'],
  ['account-id: a\nformer-keys: [3fa9c1d]', '8 hex digits'],
  ['account-id: a\nformer-keys: 3fa9c1d2', 'must be a list'],
  ['account-id: a\nformer-keys: ["3fa9c1d2"]\nother-keys: ["3FA9C1D2"]', 'and so does former-keys'],
])('%j is refused: %s', (lines, why) => {
  expect(wrong(lines)).toContain(why);
});

test('fingerprints that YAML reads as numbers keep their digits', () => {
  const decided = profileFrom('account-id: a\nformer-keys: [01234567, 1234e567]')?.decided;
  expect(decided?.formerKeys).toEqual(['01234567', '1234e567']);
});

test('an account-id that contains a key is refused, and the key is not shown', async () => {
  const key = 'sandbox_key_0123456789';
  const profile = profileFrom(`base-url: https://api.example\naccount-id: my ${key}`);
  if (profile === undefined) throw new Error('no profile');
  const env = {
    DESKHAND_API_KEY: key,
    DESKHAND_API_SECRET: 'a-secret',
    DESKHAND_API_PASSPHRASE: 'a-phrase',
  };
  const opening = openProfile(profile, {
    stateDir: '/nowhere',
    env,
    clock: systemClock,
    warn: () => undefined,
    needsKey: true,
  });
  const error: unknown = await opening.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'config', exit: 3 });
  expect(String(error)).not.toContain(new Secret(key).reveal());
});

describe('a key that a command adds to a profile', () => {
  const key = { key: 'former-keys', values: ['3fa9c1d2'] } as const;
  const id = { key: 'account-id', values: ['0123'] } as const;

  test.each([
    [
      'is beside the account-id, and comments stay',
      key,
      'profiles:\n  main: # desk\n    target: sandbox # yes\n    account-id: a # the uid\n\n    guards:\n      writes: 5\n',
      'profiles:\n  main: # desk\n    target: sandbox # yes\n    account-id: a # the uid\n    former-keys: ["3fa9c1d2"]\n\n    guards:\n      writes: 5\n',
    ],
    [
      'comes first where there is no id',
      id,
      'profiles:\n  main:\n    # where it is\n    base-url: https://a.example\n  other: {}\n',
      'profiles:\n  main:\n    # where it is\n    account-id: "0123"\n    base-url: https://a.example\n  other: {}\n',
    ],
    [
      'goes into braces',
      key,
      'profiles: { main: { account-id: a, as: hedge } }\n',
      'profiles: { main: { former-keys: ["3fa9c1d2"], account-id: a, as: hedge } }\n',
    ],
    [
      'goes into empty braces',
      id,
      'profiles: { main: {} }\n',
      'profiles: { main: { account-id: "0123" } }\n',
    ],
    [
      'makes a profile that says nothing say it',
      id,
      'profiles:\n  main: # nothing yet\n  other: {}\n',
      'profiles:\n  main: { account-id: "0123" } # nothing yet\n  other: {}\n',
    ],
    [
      'goes behind the last of a list in brackets',
      key,
      'profiles:\n  main:\n    account-id: a\n    former-keys: [ "0badcafe" ] # old\n',
      'profiles:\n  main:\n    account-id: a\n    former-keys: [ "0badcafe", "3fa9c1d2" ] # old\n',
    ],
    [
      'goes below the last of a list in lines',
      key,
      'profiles:\n  main:\n    former-keys:\n      - 0badcafe # lost\n    account-id: a',
      'profiles:\n  main:\n    former-keys:\n      - 0badcafe # lost\n      - "3fa9c1d2"\n    account-id: a',
    ],
    [
      'is not put there twice',
      key,
      'profiles: { main: { account-id: a, former-keys: [3FA9C1D2] } }\n',
      'profiles: { main: { account-id: a, former-keys: [3FA9C1D2] } }\n',
    ],
  ] as const)('%s', (_what, added, before, after) => {
    expect(withAddition(before, 'deskhand.yaml', 'main', added)).toBe(after);
    expect(() => parseConfig(after, 'deskhand.yaml', beside)).not.toThrow();
  });

  test('is reported if it cannot be inserted', () => {
    const putting = (): string => withAddition('profiles: { main: 5 }', 'd.yaml', 'main', key);
    expect(putting).toThrow('d.yaml: cannot edit profile main');
  });
});
