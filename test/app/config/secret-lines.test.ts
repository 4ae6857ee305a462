/** NAME=value lines are read whole, or refused with what to write: in files and from programs alike. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SecretSource } from '../../../src/base/secret-source.ts';
import { openSecrets, secretIn } from '../../../src/app/config/secrets.ts';

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'd'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'secrets');
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

function printing(text: string): SecretSource {
  const program = 'process.stdout.write(process.argv[1])';
  return { kind: 'exec', words: [process.execPath, '-e', program, text], folder: tmpdir() };
}

const sources = [
  ['a file', (text: string): SecretSource => ({ kind: 'file', path: fileWith(text) })],
  ['a program', printing],
] as const;
const ends = [
  ['LF', (text: string) => text],
  ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
] as const;
const both = sources.flatMap(([from, source]) =>
  ends.map(([end, ended]) => [from, end, (text: string) => source(ended(text))] as const),
);

describe.each(both)('from %s with %s', (_from, _end, source) => {
  test.each([
    ['ab#cd=ef"g h', 'ab#cd=ef"g h'],
    ['  trimmed value\t', 'trimmed value'],
    ["it's", "it's"],
    ['#begins', '#begins'],
    ['a\\nb', 'a\\nb'],
    ['"in quotes" # a comment', 'in quotes'],
    ["'ab #cd \"e'", 'ab #cd "e'],
    ['"a line\nand another"', 'a line\nand another'],
    ['"a line\\nand another"', 'a line\nand another'],
    ["'a\\nb=='", 'a\\nb=='],
  ])('%j is read as %j', async (written, value) => {
    const text = `# key\nexport API_KEY = first-value\n\nAPI_PASSPHRASE=${written}\nLAST=last-value`;
    const store = await openSecrets(source(text), {});
    expect(store.find('API_PASSPHRASE')?.reveal()).toBe(value);
    expect(store.find('API_KEY')?.reveal()).toBe('first-value');
    expect(store.find('LAST')?.reveal()).toBe('last-value');
  });

  test.each([
    ['ab #cd-hidden', 'has a # after a blank, which may begin a comment'],
    ['"ab-hidden', 'begins with a quote that is not closed'],
    ['"ab"cd-hidden', 'has text after its quote'],
    ['first\nhidden', 'is not NAME=value'],
    ['first\n{ hidden: 1 }', 'is not NAME=value'],
  ])('%j is refused, and not shown', async (written, why) => {
    const refused = openSecrets(source(`API_KEY=first-value\nAPI_PASSPHRASE=${written}\n`), {});
    await expect(refused).rejects.toThrow(why);
    const error = await refused.catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 'credentials',
      message: expect.stringMatching(/^line [23] (?:in|from) \//),
      hint: expect.stringMatching(/^write (?:API_PASSPHRASE=|a comment)/),
    });
    expect(JSON.stringify(error)).not.toContain('hidden');
  });

  test.each(['true', '42', 'abc', '12345'])('%s as a secret is refused', async (value) => {
    const store = await openSecrets(source(`PIN=${value}\nDEBUG=true\nHOOK=pa55wd\n`), {});
    expect(store.find('HOOK')?.reveal()).toBe('pa55wd');
    expect(() => store.find('PIN')).toThrow('too short or too ordinary for a secret');
  });

  test('the address of a database is read whole', async () => {
    const address = 'postgres://desk:ab#cd=ef"g h@host/db';
    const found = await secretIn(source(`${address}\n`), 'state.url', {});
    expect(found.reveal()).toBe(address);
  });
});

test('a short secret of the environment is refused with its variable', async () => {
  const store = await openSecrets(
    { kind: 'env', name: 'DESKHAND_' },
    { DESKHAND_API_PASSPHRASE: 'abc', DESKHAND_SECRET_PIN: '1234' },
  );
  expect(() => store.find('API_PASSPHRASE')).toThrow('DESKHAND_API_PASSPHRASE is too short');
  expect(() => store.find('PIN')).toThrow('DESKHAND_SECRET_PIN is too short');
});
